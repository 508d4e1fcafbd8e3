//! The terminal: the loop, the modes, the keys and the threads behind them.

pub mod colours;
mod cycle;
pub mod draw;
mod editor;
mod event;
mod highlight;
mod input;
mod keys;
mod lane;
mod settings;
mod signals;
mod stage;
mod terminal;
pub mod theme;
mod worker;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;

pub use cycle::Program;
pub use event::Tell;
pub use highlight::{Highlights, Ink, Inked, InkedLine, Line};
pub use settings::Settings;

use crate::app::Effect;

use cycle::{Cycle, Leaving};
use signals::{Hearing, end_by};
use stage::Stage;
use terminal::PanicGuard;

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
    let stage = Stage::open(sender.clone(), settings.mouse, editing)?;
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
