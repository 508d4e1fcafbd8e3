//! Makes what a closed stretch of turns leaves behind: its record, once, from the originals, under a permit of the gate, with
//! prose that is held against them, and the text that stands for it in a window.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Problem;
use super::context::title;
use super::course::{Due, Said, Stretch};
use super::drafts::{Drafted, narrate};
use super::pool::{self, Next};
use crate::compile::{
    Amount, Extractive, GateRegion, Original, Permit, RENDERED, Recording, Refused, Spoken, Summariser, SummaryError,
    gate, liveness, render,
};
use crate::record::{Block, Item, Record, Run, Verdict};
use crate::session::{Hash, PartKind, PartSeq, SessionKey, TurnNo};
use crate::store::{Closed, Store, Wordings};

/// A block with its record.
pub(super) struct Made {
    pub block: Block,
    /// Of its parts, in their order.
    pub hashes: Vec<Hash>,
    /// Why its prose is taken from the originals: the summariser failed.
    pub instead: Option<SummaryError>,
}

/// So many blocks or spans are stored together: storing has to wait for the disk each time.
pub(super) const TOGETHER: usize = 16;
/// Where records take long to write, what was made is stored with the first one that is handed over when so much time has
/// passed. None is handed over while the calling thread writes one itself: who stops it then loses what the others made
/// meanwhile too.
pub(super) const UNSTORED: Duration = Duration::from_millis(500);

/// At most so many blocks wait for their records, and as many records wait until they may be stored: their lines are held
/// until then.
const AHEAD: usize = 2 * TOGETHER;

/// Does what is to be done behind blocks that are stored; it is given all that this run closed.
pub(super) type Stored<'a> = dyn FnMut(&mut Store, &[Made]) -> Result<(), Problem> + 'a;

/// Closes blocks that are due and follow each other: those that are stored, and whether all are. Where one cannot be made,
/// those before it are stored.
pub(super) fn close(
    store: &mut Store,
    key: &SessionKey,
    due: Vec<Due>,
    summariser: &dyn Summariser,
) -> (Vec<Made>, Result<(), Problem>) {
    let noted: Result<Vec<Noted>, Problem> = due.iter().map(|due| Noted::of(store, key, &due.of)).collect();
    let mut making = Making::new(store, key, summariser);
    let made = noted.and_then(|noted| {
        let jobs = due.into_iter().zip(noted);
        making.make(|feed| jobs.map(feed).any(|next| next == Next::Stop), &mut || (), &mut |_, _| Ok(())).1
    });
    let (stored, finished) = making.finish();
    (stored, finished.and(made))
}

/// Blocks of one session that are being closed.
pub(super) struct Making<'a> {
    store: &'a mut Store,
    key: &'a SessionKey,
    summariser: &'a dyn Summariser,
    /// Made and not stored yet, with the texts that stand for them.
    waiting: Vec<(Made, String)>,
    /// When something was stored last.
    stored: Instant,
    all: Vec<Made>,
}

impl<'a> Making<'a> {
    pub fn new(store: &'a mut Store, key: &'a SessionKey, summariser: &'a dyn Summariser) -> Self {
        Self { store, key, summariser, waiting: Vec::new(), stored: Instant::now(), all: Vec::new() }
    }

    /// Makes the records of the next blocks side by side, while more of them are fed. They are stored while those behind
    /// them are made, or by [`Making::finish`]. `made_one` hears of each as soon as it is made, and `stored` of all that
    /// are stored, each time some more are. Gives what feeding came to, and whether all are made.
    pub fn make<F: Send>(
        &mut self,
        feed: impl FnOnce(&dyn Fn((Due, Noted)) -> Next) -> F + Send,
        made_one: &mut dyn FnMut(),
        stored: &mut Stored,
    ) -> (F, Result<(), Problem>) {
        let summariser = self.summariser;
        let mut failed = None;
        let fed = pool::as_they_come(
            pool::threads(),
            AHEAD,
            feed,
            |(due, noted)| made(&due, noted, summariser),
            |_, made| {
                let done = made.map_err(Problem::from).and_then(|made| {
                    self.waiting.push(made);
                    made_one();
                    let now = self.waiting.len() >= TOGETHER || self.stored.elapsed() >= UNSTORED;
                    if !now {
                        return Ok(());
                    }
                    self.store()?;
                    stored(self.store, &self.all)
                });
                failed = done.err();
                if failed.is_none() { Next::Go } else { Next::Stop }
            },
        );
        (fed, failed.map_or(Ok(()), Err))
    }

    /// Stores what waits; gives all that is stored, and whether that is all that was made.
    pub fn finish(mut self) -> (Vec<Made>, Result<(), Problem>) {
        let finished = self.store();
        (self.all, finished)
    }

    /// In one transaction. What cannot be stored waits no longer.
    fn store(&mut self) -> Result<(), Problem> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let (made, texts): (Vec<Made>, Vec<String>) = std::mem::take(&mut self.waiting).into_iter().unzip();
        let blocks: Vec<Block> = made.iter().map(|made| made.block.clone()).collect();
        let texts: Vec<_> = blocks.iter().map(|block| Closed::Block(block.no)).zip(texts).collect();
        self.store.close_blocks(self.key, &blocks, Wordings { rules: RENDERED, texts: &texts })?;
        self.all.extend(made);
        self.stored = Instant::now();
        Ok(())
    }
}

/// The hashes that the parts of a stretch had when they were stored; none where not all of them are here.
pub(super) struct Noted(Vec<Hash>);

impl Noted {
    pub fn of(store: &Store, key: &SessionKey, of: &Stretch) -> Result<Self, Problem> {
        let Some(first) = of.said.first() else { return Ok(Self(Vec::new())) };
        let count = of.parts.end.saturating_sub(of.parts.start);
        Ok(Self(store.noted_from(key, first.line.place(0), count)?))
    }

    /// Lets the stretch be read as it stands: only while its parts are those that were stored.
    pub fn permit(&self, of: &Stretch) -> Result<(Run, Permit), Refused> {
        let run = of.run();
        let region = GateRegion::turns(&run);
        let now = |parts: &std::ops::Range<u64>| {
            (*parts == run.parts && !self.0.is_empty()).then(|| Run::originals_of(&self.0))
        };
        let permit = gate(&region, liveness(&region, &now))?;
        Ok((run, permit))
    }
}

fn made(due: &Due, noted: Noted, summariser: &dyn Summariser) -> Result<(Made, String), Refused> {
    let (run, permit) = noted.permit(&due.of)?;
    let mut spoken = spoken(&due.of.said);
    let (mut record, generation) = recorded(&due.of.said, permit, &mut spoken);
    let instead = tell(&mut record, &spoken, summariser).err();
    let head = title("block", Some(due.no), run.turns, generation);
    let text = render(&head, &record, Amount::Whole).text;
    let (closed_by, cut, record) = (due.closed_by, due.cut.clone(), Arc::new(record));
    let block = Block { no: due.no, run, closed_by, turned: due.turned, cut, generation, record };
    // They are those that the permit was given for.
    Ok((Made { block, hashes: noted.0, instead }, text))
}

/// The record of what the permit names of these lines, without prose, and its generation. What was found in the words
/// that were spoken, in the same order, is noted beside them.
pub(super) fn recorded(said: &[Said], permit: Permit, spoken: &mut [Spoken]) -> (Record, u32) {
    let mut recording = Recording::new(permit);
    let mut spoken = spoken.iter_mut().peekable();
    for one in said {
        let Some((no, turn_id)) = &one.turn else { continue };
        let turn = &TurnNo::main(*no);
        for (seq, part) in one.parts() {
            let (place, seq, line_id) = (one.line.place(part.block), PartSeq(seq), one.line.id.as_deref());
            let args = match &part.kind {
                PartKind::ToolCall { id, .. } => id.as_ref().and_then(|id| one.given.get(id)).map(String::as_str),
                PartKind::Text | PartKind::Thinking | PartKind::ToolResult { .. } | PartKind::Opaque { .. } => None,
            };
            let heard = recording.add(&Original { part, place, line_id, seq, turn, turn_id }, args);
            if let Some(spoken) = spoken.next_if(|one| one.seq == seq) {
                spoken.heard = heard;
            }
        }
    }
    recording.finish()
}

/// Puts prose before everything else in a record, each sentence held against what was said; nothing else of it is touched.
/// Where the summariser fails, the prose is sentences of these originals, and the error says why. One that wrote nothing
/// but drafts failed too: they stay, behind the prose.
pub(super) fn tell(record: &mut Record, originals: &[Spoken], summariser: &dyn Summariser) -> Result<(), SummaryError> {
    let (drafted, failed) = match narrate(summariser, originals, &|| false) {
        Ok(drafts) if !drafts.is_empty() && drafts.iter().all(|one| one.draft.is_some()) => {
            let why = "no turn bears out a sentence of its answer (stet compile --records shows its drafts)".to_owned();
            let mut drafted = narrate(&Extractive, originals, &|| false)?;
            drafted.extend(drafts);
            (drafted, Err(SummaryError::Failed { who: summariser.name(), why }))
        }
        Ok(drafted) => (drafted, Ok(())),
        Err(why) => (narrate(&Extractive, originals, &|| false)?, Err(why)),
    };
    record.items.splice(..0, drafted.into_iter().map(item));
    failed
}

/// A sentence as a record holds it. Only a draft says why: that is what it is known by.
pub(super) fn item(drafted: Drafted) -> Item {
    let Drafted { item, draft } = drafted;
    let verdict = if draft.is_some() { Verdict::Unchecked } else { item.verdict };
    Item { verdict, why: draft, ..item }
}

/// What was said in words.
pub(super) fn spoken(said: &[Said]) -> Vec<Spoken> {
    let mut words = Vec::new();
    for one in said {
        let Some((no, turn_id)) = &one.turn else { continue };
        let texts = one.parts().filter(|(_, part)| part.kind == PartKind::Text);
        words.extend(texts.map(|(seq, part)| Spoken {
            turn: TurnNo::main(*no),
            turn_id: turn_id.to_string(),
            line_id: one.line.id.clone(),
            place: one.line.place(part.block),
            seq: PartSeq(seq),
            part: part.clone(),
            heard: None,
        }));
    }
    words
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::compile::Why;
    use crate::record::ClosedBy;
    use crate::session::{Body, FileNo, Line, Part, Role, Speaker};

    fn due(text: &str) -> Due {
        let part = Part { block: 0, kind: PartKind::Text, speaker: Speaker::User, text: text.into() };
        let body = Body::Message { role: Role::User, message: None, parts: vec![part], usage: None };
        let line = Line {
            file: FileNo(0),
            offset: 4,
            len: 20,
            blanks: 0,
            id: None,
            parent: None,
            logical_parent: None,
            at: None,
            sidechain: None,
            started_agent: None,
            body,
            lossy: None,
        };
        let said = vec![Said { line, seq: 4, turn: Some((1, "t1".into())), given: HashMap::new() }];
        let of = Stretch { parts: 4..5, turns: (1, 1), from_id: "t1".into(), said };
        Due { no: 1, closed_by: ClosedBy::Step, turned: None, cut: Vec::new(), of }
    }

    #[test]
    fn a2_16_nothing_is_made_of_turns_that_are_not_stored_as_they_were_read() {
        let due = due("Never lock orders.");
        let noted = |hashes: &[Hash]| Noted(hashes.to_vec());
        let (made, text) = super::made(&due, noted(&[Hash::of(b"Never lock orders.")]), &Extractive).unwrap();
        assert_eq!((made.block.generation, made.block.run.turns), (1, (1, 1)));
        assert!(text.contains("Never lock orders."), "{text}");
        for other in [noted(&[Hash::of(b"Lock orders.")]), noted(&[])] {
            let refused = super::made(&due, other, &Extractive).map(|_| ()).unwrap_err();
            assert_eq!((refused.why, refused.region.as_str()), (Why::NotStored, "turns 1"));
        }
    }
}
