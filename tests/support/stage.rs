//! The whole program without its terminal: a state over a session of the disk, its effects carried out at once.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use stet::app::{Action, Effect, Key, Request, Settings, State, update};
use stet::record::Via;
use stet::tui::colours::{Background, Depth};
use stet::tui::draw::draw;
use stet::tui::theme::Theme;
use stet::workbench::{Asked, Cancel, Desk, Hand, HowMuch, Problem, Workbench, lineage_in};

/// A session on the screen.
pub struct Stage {
    state: State,
    desk: Desk,
}

/// The same moment for whoever asks.
fn noon() -> i64 {
    1_773_144_000_000
}

impl Stage {
    /// Opens a session. What is entered goes into `home`, or into the session's own database.
    pub fn open(session: &Path, home: &Path, (width, height): (u16, u16)) -> Self {
        let db: PathBuf = home.join("stet.db");
        let bench = Workbench::new(stet::workbench::Settings {
            db: db.clone(),
            default_db: db,
            copies: PathBuf::new(),
            places: stet::formats::Env::default(),
            clock: noon,
            hand: Hand { via: Via::Tui, author: "you".into(), proposed: false },
        });
        let target = bench.find(session.as_os_str()).unwrap();
        let desk = bench.open(&target).unwrap();
        let mut state = State::new(desk.head(), width, height, Settings::default());
        let effects = state.start();
        let mut stage = Self { state, desk };
        let actions = effects.into_iter().flat_map(|effect| stage.answer(effect)).collect();
        stage.drive(actions);
        stage
    }

    /// Reads the ledger and the whole session, as the background does.
    pub fn read(&mut self) {
        let ledger = self.desk.ledger().unwrap();
        let mut batches = vec![Action::Ledger(ledger)];
        self.desk.index(&Cancel::default(), &mut |batch| batches.push(Action::Indexed(batch))).unwrap();
        self.drive(batches.into());
    }

    /// Types keys, with spaces between: `j j enter x`. Gives the time that the state took for them; what the disk and
    /// the database took is not in it.
    pub fn keys(&mut self, keys: &str) -> Duration {
        let names = keys.split(' ');
        let keys = names.map(|name| Key::parse(name).unwrap_or_else(|| panic!("no key {name}")));
        keys.map(|key| self.drive(VecDeque::from([Action::Key(key)]))).sum()
    }

    /// Draws the screen as it is now.
    pub fn draw(&self, terminal: &mut Terminal<TestBackend>) {
        let theme = Theme::new(Background::Dark, Depth::True);
        terminal.draw(|frame| draw(&self.state, &theme, frame)).unwrap();
    }

    fn drive(&mut self, mut waiting: VecDeque<Action>) -> Duration {
        let mut took = Duration::ZERO;
        while let Some(action) = waiting.pop_front() {
            let started = Instant::now();
            let effects = update(&mut self.state, action);
            took += started.elapsed();
            waiting.extend(effects.into_iter().flat_map(|effect| self.answer(effect)).collect::<Vec<_>>());
        }
        took
    }

    fn answer(&mut self, effect: Effect) -> Vec<Action> {
        let request = match &effect {
            Effect::Load { request, .. }
            | Effect::Record { request, .. }
            | Effect::Correct { request, .. }
            | Effect::Withdraw { request, .. }
            | Effect::Reinstate { request, .. }
            | Effect::Confirm { request, .. }
            | Effect::Review { request, .. }
            | Effect::WrongAlarm { request, .. }
            | Effect::Audit { request }
            | Effect::Lineage { request, .. }
            | Effect::Assemble { request, .. }
            | Effect::Overview { request }
            | Effect::Raw { request, .. }
            | Effect::Search { request, .. }
            | Effect::Told { request } => *request,
            Effect::Opened { .. }
            | Effect::StopSearch
            | Effect::Copy(_)
            | Effect::Edit(_)
            | Effect::Mouse { .. }
            | Effect::Suspend
            | Effect::Quit => return Vec::new(),
        };
        self.done(request, effect).unwrap_or_else(|problem| vec![Action::Failed(request, format!("{problem:#}"))])
    }

    fn done(&mut self, request: Request, effect: Effect) -> Result<Vec<Action>, Problem> {
        let desk = &mut self.desk;
        let action = match effect {
            Effect::Load { spot, budget, .. } => Action::Window(request, desk.window(spot, budget)?),
            Effect::Record { no, .. } => {
                let mut told = Vec::new();
                desk.record(no, &Cancel::default(), &mut |record| {
                    told.push(Action::Record(request, Box::new(record)));
                })?;
                return Ok(told);
            }
            Effect::Correct { anchor, correction, reason, .. } => {
                Action::Saved(request, Box::new(desk.correct(anchor, correction, reason)?))
            }
            Effect::Withdraw { no, .. } => Action::Saved(request, Box::new(desk.withdraw(no, None)?)),
            Effect::Reinstate { no, .. } => Action::Saved(request, Box::new(desk.reinstate(no, None)?)),
            Effect::Confirm { no, .. } => Action::Saved(request, Box::new(desk.confirm(no, None)?)),
            Effect::Review { anchor, checked, .. } => {
                desk.review(&anchor, checked)?;
                Action::Reviewed(request)
            }
            Effect::WrongAlarm { alarm, wrong, .. } => {
                desk.wrong_alarm(&alarm, wrong)?;
                Action::Alarmed(request)
            }
            Effect::Audit { .. } => {
                let records = desk.records(&Cancel::default())?;
                let told = records.into_iter().map(|record| Action::Checked(request, Box::new(record)));
                return Ok(told.chain([Action::AuditDone(request)]).collect());
            }
            Effect::Lineage { what, .. } => {
                Action::Lineage(request, lineage_in(&desk.records(&Cancel::default())?, &what)?)
            }
            Effect::Assemble { budget, .. } => {
                let asked = Asked { budget, texts: HowMuch::Beginnings, ..Asked::default() };
                Action::Assembled(request, Box::new(desk.context(&asked, &Cancel::default())?))
            }
            Effect::Overview { .. } => Action::Overview(request, Box::new(desk.overview(&Cancel::default())?)),
            Effect::Raw { place, .. } => Action::Raw(request, desk.raw(place)?),
            Effect::Search { needle, from, forward, .. } => {
                Action::Found(request, desk.search(&needle, from, forward, &Cancel::default())?)
            }
            Effect::Told { .. } => {
                let told = desk.told(stet::workbench::DEFAULT_TOKENS)?;
                Action::Told(request, told.text, told.tokens)
            }
            Effect::Opened { .. }
            | Effect::StopSearch
            | Effect::Copy(_)
            | Effect::Edit(_)
            | Effect::Mouse { .. }
            | Effect::Suspend
            | Effect::Quit => return Ok(Vec::new()),
        };
        Ok(vec![action])
    }
}
