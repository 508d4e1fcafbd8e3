//! The threads that own the session and the ledger. The loop sends them effects; they answer with actions.
//!
//! Seven of them, so that nothing waits for what takes longer: `hands` loads, `pins` reads and writes the ledger,
//! `reading` goes through the whole session once and then follows it, `records` fills opened markers, `search` looks for
//! a text, `audit` checks all records and follows one claim through them, `whole` puts windows together and looks over
//! the session.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use anyhow::{Context, anyhow};

use crate::app::{Action, Effect};
use crate::workbench::{
    Asked, Cancel, Desk, HowMuch, LedgerOverBudget, MarkerCheck, MarkerRecord, Problem, guarded, lineage_in,
};

use super::event::Tell;
use super::lane::{Lane, Urge, said, tell_rewritten};

/// How often a session is looked at for what was appended.
const FOLLOW: Duration = Duration::from_millis(500);
/// How long the end waits for what is being saved.
const END: Duration = Duration::from_secs(2);

/// What checks the records, and those with their sources and verdicts.
struct Audited {
    desk: Desk,
    records: Vec<MarkerRecord>,
}

/// The workers. Dropping them ends what can be ended and waits for what is being saved.
pub(super) struct Workers {
    hands: Option<Lane<Desk>>,
    pins: Option<Lane<Desk>>,
    records: Option<Lane<Desk>>,
    search: Option<Lane<Desk>>,
    audit: Option<Lane<Audited>>,
    whole: Option<Lane<Desk>>,
    /// The reading thread ends when this is dropped.
    reading: Option<Sender<()>>,
    /// Closed once every worker ended.
    ended: Receiver<()>,
    closing: Cancel,
    searching: Cancel,
    auditing: Cancel,
    assembling: Cancel,
    looking: Cancel,
    recording: HashMap<u32, Cancel>,
}

impl Workers {
    /// Starts the workers. `desk` loads, `background` reads.
    pub(super) fn start(desk: Desk, background: Desk, tell: Tell) -> anyhow::Result<Self> {
        let closing = Cancel::default();
        let (alive, ended) = channel();
        let (reading, stopped) = channel();
        let (to_pins, for_pins) = channel();
        let (to_records, for_records) = channel();
        let (to_search, for_search) = channel();
        let (to_audit, for_audit) = channel();
        let (to_whole, for_whole) = channel();

        let hands = Lane::start("hands", move || Ok(desk), tell.clone(), alive.clone())?;
        let pins = Lane::start("pins", move || received(&for_pins), tell.clone(), alive.clone())?;
        let tell_ledger = tell.clone();
        pins.send(None, Urge::Reads(closing.clone()), move |desk| {
            let ledger = desk.ledger().context("reading the ledger")?;
            tell_ledger.tell(Action::Ledger(ledger));
            Ok(())
        });
        let records = Lane::start("records", move || received(&for_records), tell.clone(), alive.clone())?;
        let search = Lane::start("search", move || received(&for_search), tell.clone(), alive.clone())?;
        let audited = move || Ok(Audited { desk: received(&for_audit)?, records: Vec::new() });
        let audit = Lane::start("audit", audited, tell.clone(), alive.clone())?;
        let whole = Lane::start("whole", move || received(&for_whole), tell.clone(), alive.clone())?;
        let cancel = closing.clone();
        std::thread::Builder::new()
            .name("reading".to_owned())
            .spawn(move || {
                let _alive = alive;
                // Made here, for opening a session again may take a moment and the first frame should not wait for it.
                let _ = to_pins.send(background.again());
                let _ = to_records.send(background.again());
                let _ = to_search.send(background.again());
                let _ = to_audit.send(background.again());
                let _ = to_whole.send(background.again());
                let read = guarded(|| read(background, &cancel, &stopped, &tell));
                if let Err(problem) = read {
                    tell_rewritten(&problem, &tell);
                    tell.tell(Action::Notice(format!(
                        "reading the session stopped: {}; what is shown stays, open it again to read on",
                        said(&problem)
                    )));
                }
            })
            .context("starting the thread that reads the session")?;
        Ok(Self {
            hands: Some(hands),
            pins: Some(pins),
            records: Some(records),
            search: Some(search),
            audit: Some(audit),
            whole: Some(whole),
            reading: Some(reading),
            ended,
            closing,
            searching: Cancel::default(),
            auditing: Cancel::default(),
            assembling: Cancel::default(),
            looking: Cancel::default(),
            recording: HashMap::new(),
        })
    }

    /// Has an effect done. What is the loop's own business is given back.
    pub(super) fn perform(&mut self, effect: Effect, tell: Tell) -> Option<Effect> {
        let (Some(hands), Some(pins), Some(records), Some(search), Some(audit), Some(whole)) =
            (&self.hands, &self.pins, &self.records, &self.search, &self.audit, &self.whole)
        else {
            return Some(effect);
        };
        let reads = Urge::Reads(self.closing.clone());
        match effect {
            Effect::Load { request, spot, budget } => hands.send(Some(request), reads, move |desk| {
                tell.tell(Action::Window(request, desk.window(spot, budget)?));
                Ok(())
            }),
            Effect::Raw { request, place } => hands.send(Some(request), reads, move |desk| {
                tell.tell(Action::Raw(request, desk.raw(place)?));
                Ok(())
            }),
            Effect::Told { request } => pins.send(Some(request), reads, move |desk| {
                let told = desk.told(crate::workbench::DEFAULT_TOKENS)?;
                tell.tell(Action::Told(request, told.text, told.tokens));
                Ok(())
            }),
            Effect::Correct { request, anchor, correction, reason } => {
                pins.send(Some(request), Urge::Writes, move |desk| {
                    tell.tell(Action::Saved(request, Box::new(desk.correct(anchor, correction, reason)?)));
                    Ok(())
                });
            }
            Effect::Withdraw { request, no } => pins.send(Some(request), Urge::Writes, move |desk| {
                tell.tell(Action::Saved(request, Box::new(desk.withdraw(no, None)?)));
                Ok(())
            }),
            Effect::Reinstate { request, no } => pins.send(Some(request), Urge::Writes, move |desk| {
                tell.tell(Action::Saved(request, Box::new(desk.reinstate(no, None)?)));
                Ok(())
            }),
            Effect::Confirm { request, no } => pins.send(Some(request), Urge::Writes, move |desk| {
                tell.tell(Action::Saved(request, Box::new(desk.confirm(no, None)?)));
                Ok(())
            }),
            Effect::Review { request, anchor, checked } => pins.send(Some(request), Urge::Writes, move |desk| {
                desk.review(&anchor, checked)?;
                tell.tell(Action::Reviewed(request));
                Ok(())
            }),
            Effect::WrongAlarm { request, alarm, wrong } => pins.send(Some(request), Urge::Writes, move |desk| {
                desk.wrong_alarm(&alarm, wrong)?;
                tell.tell(Action::Alarmed(request));
                Ok(())
            }),
            Effect::Audit { request } => {
                let cancel = anew(&mut self.auditing);
                audit.send(Some(request), Urge::Reads(cancel.clone()), move |of| {
                    of.records.clear();
                    let records = &mut of.records;
                    of.desk.audit(&cancel, &mut |check| {
                        let record = match check {
                            MarkerCheck::Alone(record) => record,
                            MarkerCheck::Whole(record) => {
                                records.push(record.clone());
                                record
                            }
                        };
                        tell.tell(Action::Checked(request, Box::new(record)));
                    })?;
                    of.records.sort_by_key(|record| record.compaction.no);
                    tell.tell(Action::AuditDone(request));
                    Ok(())
                });
            }
            Effect::Lineage { request, what } => audit.send(Some(request), reads, move |of| {
                tell.tell(Action::Lineage(request, lineage_in(&of.records, &what)?));
                Ok(())
            }),
            Effect::Assemble { request, budget } => {
                let cancel = anew(&mut self.assembling);
                whole.send(Some(request), Urge::Reads(cancel.clone()), move |desk| {
                    let asked = Asked { budget, texts: HowMuch::Beginnings, ..Asked::default() };
                    let answer = match desk.context(&asked, &cancel) {
                        Ok(context) => Action::Assembled(request, Box::new(context)),
                        Err(problem) => match problem.downcast_ref::<LedgerOverBudget>() {
                            Some(over) => Action::LedgerOverBudget(request, *over),
                            None => return Err(problem),
                        },
                    };
                    tell.tell(answer);
                    Ok(())
                });
            }
            Effect::Overview { request } => {
                let cancel = anew(&mut self.looking);
                whole.send(Some(request), Urge::Reads(cancel.clone()), move |desk| {
                    let overview = desk.overview(&cancel)?;
                    if !cancel.is_cancelled() {
                        tell.tell(Action::Overview(request, Box::new(overview)));
                    }
                    Ok(())
                });
            }
            Effect::Record { request, no } => {
                let cancel = Cancel::default();
                // Asked again, the answer of before is stale.
                if let Some(before) = self.recording.insert(no, cancel.clone()) {
                    before.cancel();
                }
                records.send(Some(request), Urge::Reads(cancel.clone()), move |desk| {
                    desk.record(no, &cancel, &mut |record| {
                        tell.tell(Action::Record(request, Box::new(record)));
                    })
                });
            }
            Effect::Opened { no } => pins.send(None, Urge::Writes, move |desk| desk.opened(no)),
            Effect::Search { request, needle, from, forward } => {
                let cancel = anew(&mut self.searching);
                search.send(Some(request), Urge::Reads(cancel.clone()), move |desk| {
                    let found = desk.search(&needle, from, forward, &cancel)?;
                    if !cancel.is_cancelled() {
                        tell.tell(Action::Found(request, found));
                    }
                    Ok(())
                });
            }
            Effect::StopSearch => self.searching.cancel(),
            Effect::Copy(_) | Effect::Edit(_) | Effect::Mouse { .. } | Effect::Suspend | Effect::Quit => {
                return Some(effect);
            }
        }
        None
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.closing.cancel();
        self.searching.cancel();
        self.auditing.cancel();
        self.assembling.cancel();
        self.looking.cancel();
        self.recording.values().for_each(Cancel::cancel);
        self.hands = None;
        self.pins = None;
        self.records = None;
        self.search = None;
        self.audit = None;
        self.whole = None;
        self.reading = None;
        // Nobody sends on it: it closes when the last worker ended. A worker that hangs does not hold the end up for
        // ever; what it had not committed was never called saved.
        let _ = self.ended.recv_timeout(END);
    }
}

/// Ends what was asked for before, and gives what ends the next.
fn anew(cancel: &mut Cancel) -> Cancel {
    cancel.cancel();
    *cancel = Cancel::default();
    cancel.clone()
}

/// The desk that the reading thread opened.
fn received(desks: &Receiver<Result<Desk, Problem>>) -> Result<Desk, Problem> {
    desks.recv().map_err(|_| anyhow!("the thread that reads the session stopped"))?
}

fn read(mut desk: Desk, cancel: &Cancel, stopped: &Receiver<()>, tell: &Tell) -> Result<(), Problem> {
    desk.index(cancel, &mut |batch| {
        tell.tell(Action::Indexed(batch));
    })?;
    let mut complained = String::new();
    let mut gone = false;
    while stopped.recv_timeout(FOLLOW) == Err(RecvTimeoutError::Timeout) {
        if desk.is_gone() != gone {
            gone = !gone;
            tell.tell(Action::Gone(gone));
        }
        match desk.follow().and_then(|grown| Ok((grown, desk.ledger_if_changed()?))) {
            Ok((grown, entered)) => {
                complained.clear();
                // Others write too: what they appended, and what they entered.
                for action in grown.map(Action::Indexed).into_iter().chain(entered.map(Action::Ledger)) {
                    tell.tell(action);
                }
            }
            Err(problem) => {
                // Said once, not every half second.
                let said = said(&problem);
                if said != complained {
                    tell_rewritten(&problem, tell);
                    tell.tell(Action::Notice(format!("following the session failed: {said}; trying again")));
                    complained = said;
                }
            }
        }
    }
    Ok(())
}
