//! One file for each command.

mod append;
mod audit;
mod compile;
mod completions;
mod cost;
mod demo;
mod doctor;
mod export;
mod extract;
mod import;
mod ledger;
mod lineage;
mod ls;
mod open;
mod schema;
mod show;
mod side_by_side;
mod simulate;
mod window;

use std::ffi::OsStr;

use anyhow::Result;

use super::args::{self, Cli, Command};
use super::settings::{self, Settings};
use super::{Outcome, Screen, print, text};
use crate::record::Via;
use crate::workbench::{self, Desk, Hand, Target, Workbench};

/// What every command works with.
#[expect(clippy::struct_field_names, reason = "the bench is what there is to work with, and the workbench is in it")]
struct Bench {
    settings: Settings,
    bench: Workbench,
    screen: Screen,
}

pub(super) fn run(cli: Cli, screen: Screen) -> Result<Outcome> {
    // These need nothing of this machine.
    if let Some(Command::Schema { name }) = &cli.command {
        return schema::schema(name.as_deref());
    }
    if let Some(Command::Completions { shell }) = cli.command {
        return completions::completions(shell);
    }
    if let Some(Command::Extract(wanted)) = &cli.command {
        return extract::extract(wanted);
    }
    if let (Some(Command::Doctor(listing)), None) = (&cli.command, &cli.session) {
        // It is asked when something is wrong: what is known is told all the same.
        let (settings, troubles) = Settings::as_far_as_known(cli.db);
        return doctor::doctor(&Bench::new(settings, screen), &troubles, listing.format);
    }
    if let Some(Command::Simulate(wanted)) = &cli.command {
        return simulate::simulate(&wanted.what);
    }
    if let Some(Command::Cost(asked @ args::CostOf { profile: Some(args::CostProfile::Paper), .. })) = &cli.command {
        return cost::paper(asked);
    }
    let settings = Settings::load(cli.db)?;
    let Some(command) = cli.command else {
        let bench = Bench::new(settings, screen);
        return match cli.session {
            Some(session) => open::open(&bench, &session),
            None => open::pick(&bench),
        };
    };
    if let Some(session) = cli.session {
        anyhow::bail!(
            "cannot tell what {} before the command means: the session comes after it (stet --help)",
            session.display()
        );
    }
    let bench = Bench::new(settings, screen);
    match command {
        Command::Open(one) => open::open(&bench, &one.session),
        Command::Demo(demo) => demo::demo(&bench, &demo),
        Command::Ls(listing) => ls::ls(&bench, listing.format),
        Command::Show(show) => show::show(&bench, &show),
        Command::Audit(audit) => audit::audit(&bench, &audit),
        Command::Compile(wanted) => compile::compile(&bench, &wanted),
        Command::Lineage(lineage) => lineage::lineage(&bench, &lineage),
        Command::Ledger(command) => ledger::run(&bench, command),
        Command::Import(many) => import::import(&bench, &many.sessions),
        Command::Export(one) => export::export(&bench, &one.session),
        Command::Append(append) => append::append(&bench, &append),
        Command::Window(asked) => window::window(&bench, &asked),
        Command::Cost(asked) => cost::cost(&bench, &asked),
        Command::Extract(wanted) => extract::extract(&wanted),
        Command::Doctor(listing) => doctor::doctor(&bench, &[], listing.format),
        Command::Simulate(wanted) => simulate::simulate(&wanted.what),
        Command::Schema { name } => schema::schema(name.as_deref()),
        Command::Completions { shell } => completions::completions(shell),
    }
}

impl Bench {
    fn new(settings: Settings, screen: Screen) -> Self {
        let hand = Hand { via: Via::Cli, author: settings.author.clone(), proposed: settings.must_confirm() };
        let bench = Workbench::new(workbench::Settings {
            db: settings.db.clone(),
            default_db: settings.data.join("stet.db"),
            copies: demo::folder(&settings),
            places: settings.places(),
            clock: settings::now,
            hand,
        });
        Self { settings, bench, screen }
    }

    /// Opens the one session that this names.
    fn open(&self, session: &OsStr) -> Result<Desk> {
        self.bench.open(&self.bench.find(session)?)
    }

    /// Opens a session and reads it to its end, with a bar on a terminal.
    fn read(&self, target: &Target) -> Result<Desk> {
        let size = std::fs::metadata(target.path()).map_or(0, |meta| meta.len());
        let bar = print::progress(size, "reading");
        let desk = self.bench.read(target, &mut |to| bar.set_position(to.min(size)));
        bar.finish_and_clear();
        desk
    }

    /// Opens the one session that this names and reads it to its end.
    fn read_one(&self, session: &OsStr) -> Result<Desk> {
        self.read(&self.bench.find(session)?)
    }
}

/// Several things are done in turn; one that fails does not keep the others from it, and only one can be the last word.
#[derive(Default)]
struct Failures {
    last: Option<anyhow::Error>,
}

impl Failures {
    /// Tells the failure before this one now.
    fn add(&mut self, error: anyhow::Error) {
        if let Some(earlier) = self.last.replace(error) {
            print::error(&earlier);
        }
    }

    fn end(self, outcome: Outcome) -> Result<Outcome> {
        self.last.map_or(Ok(outcome), Err)
    }
}

/// Says on stderr how many files of a folder are no session.
fn note_passed_over(name: &OsStr, passed_over: usize) {
    if passed_over > 0 {
        let files = text::count(passed_over as u64, "file", "files");
        print::note(&format!("{}: {files} passed over, no session of an agent that stet reads", name.display()));
    }
}

/// Says on stderr how much of a session could not be read.
fn note_skipped(desk: &Desk) {
    let count = desk.skipped().len();
    if count > 0 {
        let lines = text::count(count as u64, "line", "lines");
        print::note(&format!("{}: {lines} could not be read", desk.head().path.display()));
    }
}

/// Says on stderr what of a session in retention mode should be gone and is still here.
fn note_overdue(desk: &Desk) {
    // A database that cannot be read is told where it is asked for.
    for overdue in desk.overdue().unwrap_or_default() {
        print::note(&format!("{overdue}"));
    }
}
