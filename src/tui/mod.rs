//! The terminal: the loop, the modes, the keys, the looks, and the threads behind them.

pub mod colours;
mod cycle;
pub mod draw;
mod editor;
mod event;
mod highlight;
mod input;
mod keys;
mod lane;
mod room;
mod settings;
mod signals;
mod stage;
mod terminal;
pub mod theme;
mod worker;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;

use anyhow::Context;

pub use cycle::Program;
pub use event::Tell;
pub use highlight::{Highlights, Ink, Inked, InkedLine, Line};
pub use settings::Settings;

use crate::app::{Effect, State};
use crate::workbench::Desk;

use cycle::{Cycle, Leaving};
use room::Room;
use signals::{Hearing, end_by};
use stage::Stage;
use terminal::{PanicGuard, tty};
use theme::Theme;
use worker::Workers;

/// Shows an open session on the terminal until the person leaves it. `background` is the same session for the thread
/// that reads it through.
pub fn run(desk: Desk, background: Desk, settings: Settings) -> anyhow::Result<()> {
    let (width, height) = terminal::size(tty().context("opening the terminal")?);
    let state = State::new(desk.head(), width, height, settings.screen.clone());
    let theme = Theme::new(settings.background.unwrap_or(settings.guess), settings.depth);
    run_program(&settings, |tell| {
        let mut workers = Workers::start(desk, background, tell.clone())?;
        let inked = tell.clone();
        let wanted = highlight::start(move |lines| inked.inked(lines));
        let room = Room::new(state, theme, wanted);
        Ok((room, move |effect| workers.perform(effect, tell.clone())))
    })
}

/// Runs a program on the terminal until it ends; ends the process when a signal wanted that. `open` makes the program
/// and what performs its effects, which gives back what it does not do itself and is dropped last.
pub fn run_program<P, W>(settings: &Settings, open: impl FnOnce(Tell) -> anyhow::Result<(P, W)>) -> anyhow::Result<()>
where
    P: Program,
    W: FnMut(Effect) -> Option<Effect>,
{
    let (sender, events) = channel();
    let editing = Arc::new(AtomicBool::new(false));
    let guard = PanicGuard::install();
    let hearing = Hearing::start(sender.clone(), Arc::clone(&editing))?;
    let (mut program, mut perform) = open(Tell::new(sender.clone()))?;
    let stage = Stage::open(sender.clone(), settings.screen.mouse, editing)?;
    let mut cycle = Cycle {
        stage,
        events,
        sender,
        perform: &mut perform,
        editor: settings.editor.clone(),
        ask: settings.background.is_none(),
    };
    let left = cycle.run(&mut program);
    drop(cycle);
    drop(perform);
    drop(hearing);
    drop(guard);
    if let Leaving::Signal(signal) = left? {
        end_by(signal);
    }
    Ok(())
}
