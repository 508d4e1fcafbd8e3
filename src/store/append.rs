//! Reading the interchange format: a whole file at once, or line by line while a session runs.

use std::io::{BufRead, ErrorKind};

use rusqlite::Transaction;

use super::arrival::{Arrivals, Binding};
use super::forget::{Quotes, retain};
use super::interchange::{Entered, Given, Mode, Refusal, Taker, at_of, entered, key_of, parse, typed_in};
use super::ledger::{append, check_chain, entries, restore, take};
use super::{AppendError, Imported, LONGEST, LineError, Store, StoreError, file, quotes, rows, sessions};
use crate::record::{Act, Draft, LedgerEntry, Quote, rechained};
use crate::session::{FileNo, Hash, SessionKey};

/// What ledger entries in a file count for here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entries {
    /// What they say themselves: they come from this person's own database.
    AsTheyStand,
    /// What a person said in this session, word for word. Whatever else a file tells of people waits for one.
    AsSaid,
    /// They wait for a person: anybody may have written the file.
    Proposed,
}

/// Nothing is said now at this time or later, in milliseconds since 1970: the year 2200. Whoever says so counts in other
/// units.
const NO_CLOCK: i64 = 7_258_118_400_000;

/// Lines after which an append commits.
pub const BATCH: usize = 1000;

impl Store {
    /// Reads sessions in the interchange format; all of it is stored, or nothing. Run again on a file that grew, it takes
    /// only what is new. `progress` gets the bytes read, and 0 for the whole, which is not known.
    pub fn import_interchange(
        &mut self,
        mut reader: impl BufRead,
        standing: Entries,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Imported, StoreError> {
        let done = self.write(|tx| import(tx, &mut reader, standing, progress))?;
        self.wrote(BATCH);
        self.forget_all_closed()?;
        Ok(done)
    }

    /// Lines of the interchange format for a session that runs. The session is made with its first line.
    pub fn appender(&mut self, key: SessionKey) -> Appender<'_> {
        Appender { store: self, key, batch: Vec::new(), line: 0, arrivals: None }
    }
}

/// Appends to one session in batches.
pub struct Appender<'s> {
    store: &'s mut Store,
    key: SessionKey,
    batch: Vec<Waiting>,
    line: u64,
    arrivals: Option<&'s mut Arrivals>,
}

/// A line with its number, and as it came.
type Waiting = (u64, Given, String);

/// What one commit did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Committed {
    /// Ids that are on the disk now, in order; those that were there before included.
    pub acked: Vec<String>,
    /// The first line that was not taken. It and the lines after it in this batch are not stored.
    pub refused: Option<AppendError>,
    /// Entries that the ledger made of what arrived.
    pub entered: usize,
}

impl<'s> Appender<'s> {
    /// Enters what binds in a person's words from now on.
    #[must_use]
    pub fn listening(mut self, arrivals: &'s mut Arrivals) -> Self {
        self.arrivals = Some(arrivals);
        self
    }

    /// Reads one line. Nothing is stored before [`Appender::commit`], which is due after [`BATCH`] lines.
    pub fn push(&mut self, line: &str) -> Result<(), AppendError> {
        self.line += 1;
        let no = self.line;
        let refuse = |why| LineError { line: no, why };
        if self.key.id.is_empty() {
            return Err(refuse("a session needs an id".into()));
        }
        if line.len() > LONGEST {
            return Err(refuse(file::too_long(LONGEST)));
        }
        let given = parse(line).map_err(refuse)?;
        match &given {
            Given::Session(shape) if key_of(shape).map_err(refuse)? != self.key => {
                return Err(refuse(format!("this is session {}, not {}", shape.id, self.key)));
            }
            Given::Block(_) | Given::Span(_) => {
                return Err(refuse("a block or span is not appended (it closes by itself)".into()));
            }
            Given::Entry(_) => return Err(refuse("a ledger entry is not appended (stet ledger add)".into())),
            Given::Session(_)
            | Given::Part(_)
            | Given::Line(_)
            | Given::Note(_)
            | Given::Compaction(_)
            | Given::Record(_) => {}
        }
        if let Some(at) = at_of(&given).filter(|at| *at >= NO_CLOCK) {
            let time = jiff::Timestamp::from_millisecond(at).map_or_else(|_| at.to_string(), |time| time.to_string());
            return Err(refuse(format!(
                "at is {time}: no clock shows that (give RFC 3339, or milliseconds since 1970)"
            )));
        }
        self.batch.push((no, given, line.to_owned()));
        Ok(())
    }

    /// The number of the first line that waits for [`Appender::commit`]; `None` when none does.
    pub fn waits_from(&self) -> Option<u64> {
        self.batch.first().map(|(line, ..)| *line)
    }

    /// Stores what waits, in one transaction, and says what may be acknowledged. What binds in it is entered in the same
    /// transaction.
    pub fn commit(&mut self) -> Result<Committed, StoreError> {
        if self.batch.is_empty() {
            return Ok(Committed::default());
        }
        let (key, batch, store) = (&self.key, &self.batch, &mut *self.store);
        let mut arrivals = self.arrivals.as_deref_mut();
        let find = arrivals.as_ref().map(|arrivals| arrivals.finder());
        let written = std::thread::scope(|scope| {
            // What binds is looked for while the lines are stored.
            let finding = find.map(|find| {
                let find = move || batch.iter().map(|(_, given, _)| found(given, find)).collect::<Vec<_>>();
                if batch.len() < TOGETHER { Finding::Done(find()) } else { Finding::Soon(scope.spawn(find)) }
            });
            store.write(|tx| {
                let mut taker = Taker::on(tx, key, Mode::Tail)?;
                taker.heard = arrivals.is_some().then(Vec::new);
                let before = taker.pen.size(FileNo(0))?;
                let (mut done, heard_in) = taken(&mut taker, batch)?;
                let mut written = taker.pen.written;
                if let (Some(arrivals), Some(finding)) = (&mut arrivals, finding) {
                    let mut found = finding.get();
                    let heard = taker.heard.take().unwrap_or_default().into_iter().zip(heard_in);
                    let heard: Vec<_> = heard.map(|(heard, nth)| (heard, std::mem::take(&mut found[nth]))).collect();
                    done.entered = arrivals.enter(tx, taker.pen.session, key, before, &heard)?;
                    written += done.entered;
                }
                taker.pen.done()?;
                Ok((done, written))
            })
        });
        let (done, written) = match written {
            Ok(written) => written,
            Err(error) => {
                if let Some(arrivals) = &mut self.arrivals {
                    arrivals.forget();
                }
                return Err(error);
            }
        };
        self.batch.clear();
        self.store.wrote(written);
        Ok(done)
    }
}

/// Takes lines up to the first that is refused. Of what was heard it is told which line of the batch it came with.
fn taken(taker: &mut Taker, batch: &[Waiting]) -> Result<(Committed, Vec<usize>), StoreError> {
    let (mut done, mut heard_in) = (Committed::default(), Vec::new());
    for (nth, (line, given, json)) in batch.iter().enumerate() {
        let taken = match given {
            Given::Session(shape) => taker.session(shape).map(|()| None),
            other => taker.take(other, json),
        };
        heard_in.resize(taker.heard.as_ref().map_or(0, Vec::len), nth);
        match taken {
            Ok(id) => done.acked.extend(id),
            Err(Refusal::Store(error)) => return Err(error),
            Err(Refusal::Line(why)) => {
                done.refused = Some(LineError { line: *line, why });
                break;
            }
        }
    }
    Ok((done, heard_in))
}

/// What binds in a line: only in what a person typed.
fn found(given: &Given, find: fn(&str) -> Vec<Binding>) -> Vec<Binding> {
    let Given::Part(shape) = given else { return Vec::new() };
    typed_in(shape).map(find).unwrap_or_default()
}

/// So few lines are not worth a thread.
const TOGETHER: usize = 16;

enum Finding<'s> {
    Done(Vec<Vec<Binding>>),
    Soon(std::thread::ScopedJoinHandle<'s, Vec<Vec<Binding>>>),
}

impl Finding<'_> {
    fn get(self) -> Vec<Vec<Binding>> {
        match self {
            Finding::Done(found) => found,
            Finding::Soon(finding) => finding.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        }
    }
}

/// One session of a file that is being read.
struct Reading<'c> {
    key: SessionKey,
    taker: Taker<'c>,
    entries: Vec<LedgerEntry>,
    drafts: Vec<(Draft, i64)>,
}

fn import(
    tx: &Transaction,
    reader: &mut impl BufRead,
    standing: Entries,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Imported, StoreError> {
    let mut whole = Imported::default();
    let mut reading: Option<Reading> = None;
    let (mut text, mut line, mut bytes) = (Vec::new(), 0, 0);
    loop {
        text.clear();
        line += 1;
        let refuse = |why: String| StoreError::Line(LineError { line, why });
        let read = match file::read_line(reader, LONGEST, &mut text) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::InvalidData => return Err(refuse(error.to_string())),
            Err(error) => return Err(file::io("cannot read".into(), error)),
        };
        bytes += read as u64;
        if line % 1000 == 0 {
            progress(bytes, 0);
        }
        let json = std::str::from_utf8(&text).map_err(|_| refuse("it is not UTF-8".into()))?;
        let json = json.trim_end_matches(['\n', '\r']);
        if json.trim().is_empty() {
            continue;
        }
        let given = parse(json).map_err(refuse)?;
        match (given, reading.as_mut()) {
            (Given::Session(shape), _) => {
                if let Some(before) = reading.take() {
                    whole.add(finish(tx, before, standing)?);
                }
                let key = key_of(&shape).map_err(refuse)?;
                if let Some(quotes) = &shape.retention
                    && rows::session_row(tx, &key)?.is_none()
                {
                    let quotes = Quotes::named(quotes).ok_or_else(|| refuse(format!("retention is {quotes:?}")))?;
                    retain(tx, &key, quotes)?;
                }
                let mut taker = Taker::on(tx, &key, Mode::Whole)?;
                taker.session(&shape).map_err(|refusal| refusal.at(line))?;
                reading = Some(Reading { key, taker, entries: Vec::new(), drafts: Vec::new() });
            }
            (_, None) => return Err(refuse("no session line stands before it".into())),
            (Given::Entry(shape), Some(reading)) => match entered(*shape, &reading.key).map_err(refuse)? {
                Entered::Whole(entry) => reading.entries.push(entry),
                Entered::Draft { mut draft, at } => {
                    // The line itself tells whether it was entered before.
                    draft.origin = draft.origin.or(Some(Hash::of(json.as_bytes())));
                    reading.drafts.push((draft, at));
                }
            },
            (given, Some(reading)) => match reading.taker.take(&given, json) {
                Ok(_) => {}
                Err(refusal) => return Err(refusal.at(line)),
            },
        }
    }
    if let Some(last) = reading.take() {
        whole.add(finish(tx, last, standing)?);
    }
    progress(bytes, bytes);
    Ok(whole)
}

/// Quotes of a file that do not stand in the lines that are here. None where the session's lines are elsewhere.
fn doubted<'q>(tx: &Transaction, session: i64, quotes: &'q [Quote]) -> Result<Vec<&'q Quote>, StoreError> {
    if rows::files(tx, session)?.is_empty() {
        return Ok(Vec::new());
    }
    let wrong = quotes::check(tx, session, (0..).zip(quotes))?;
    Ok(wrong.into_iter().map(|(at, _)| &quotes[at as usize]).collect())
}

fn finish(tx: &Transaction, reading: Reading, standing: Entries) -> Result<Imported, StoreError> {
    let Reading { key, taker, entries: mut theirs, mut drafts } = reading;
    let Taker { pen, mut done, .. } = taker;
    pen.done()?;
    check_chain(&theirs)?;
    let quotes: Vec<Quote> = theirs
        .iter()
        .map(|entry| &entry.draft)
        .chain(drafts.iter().map(|(draft, _)| draft))
        .filter_map(|draft| draft.source.clone())
        .collect();
    let doubted = doubted(tx, pen.session, &quotes)?;
    let here = !rows::files(tx, pen.session)?.is_empty();
    let ours = entries(tx, pen.session, &key)?;
    let is_ours = |hash: Hash| ours.iter().any(|entry| entry.hash == hash || entry.draft.origin == Some(hash));
    let counts = |draft: &Draft| match standing {
        Entries::Proposed => false,
        Entries::AsTheyStand => draft.source.as_ref().is_none_or(|quote| !doubted.contains(&quote)),
        // It may take back what it brings itself.
        Entries::AsSaid if draft.act == Act::Withdrawn => draft.target.is_some_and(|target| !is_ours(target)),
        Entries::AsSaid => {
            here && draft.is_said() && draft.source.as_ref().is_some_and(|quote| !doubted.contains(&quote))
        }
    };
    let places = quotes::places(tx, pen.session, &quotes)?;
    let mut waiting = 0;
    let mut settle = |draft: &mut Draft| {
        let proposed = draft.proposed;
        draft.proposed |= !counts(draft);
        waiting += u64::from(draft.proposed && !proposed);
        if let Some(quote) = &mut draft.source
            && let Some(at) = quotes.iter().position(|one| one == quote)
            && let Some((turn, turn_id)) = &places[at]
        {
            // What it says of its turn is for display, and not believed.
            quote.turn.clone_from(turn);
            quote.turn_id.clone_from(turn_id);
        }
    };
    for (draft, _) in &mut drafts {
        settle(draft);
    }
    let settled: Vec<Draft> = theirs
        .iter()
        .map(|entry| entry.draft.clone())
        .map(|mut draft| {
            settle(&mut draft);
            draft
        })
        .collect();
    // What is as it says already keeps its chain.
    if theirs.iter().zip(&settled).any(|(entry, settled)| entry.draft != *settled) {
        let mut settled = settled.into_iter();
        theirs = rechained(theirs, |draft| {
            if let Some(settled) = settled.next() {
                *draft = settled;
            }
        });
    }
    done.entries_doubted = waiting;
    let kept = restore(tx, &key, &theirs)?;
    done.entries_new = if kept { theirs.len() } else { take(tx, &key, &theirs)? } as u64;
    let ours = entries(tx, pen.session, &key)?;
    for (draft, at) in drafts {
        if !ours.iter().any(|entry| entry.draft.origin == draft.origin) {
            append(tx, pen.session, &key, draft, at)?;
            done.entries_new += 1;
        }
    }
    sessions::count(tx, pen.session)?;
    Ok(done)
}
