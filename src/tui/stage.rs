//! The terminal while it is ours, and the ways to give it away for a while: to the shell, to an editor. What is
//! shown is not known here.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use rustix::process::{Signal, getpid, kill_current_process_group, kill_process};
use rustix::termios::Termios;

use super::event::Event;
use super::input::Input;
use super::terminal::{Screen, in_foreground, modes, tty};

/// Who has the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    Us,
    /// The shell, until it puts us into the foreground again.
    Shell,
    Editor,
}

/// The terminal, ours or given away.
pub(super) struct Stage {
    tty: OwnedFd,
    events: Sender<Event>,
    mouse: bool,
    holder: Holder,
    screen: Option<Screen>,
    input: Option<Input>,
    /// Set while an editor has the terminal: a Ctrl-C there is the editor's.
    editing: Arc<AtomicBool>,
    /// The modes that the shell left. What an editor leaves is not asked for: it may have died in the middle.
    modes: Termios,
}

impl Stage {
    /// Takes the terminal.
    pub(super) fn open(events: Sender<Event>, mouse: bool, editing: Arc<AtomicBool>) -> anyhow::Result<Self> {
        let tty = tty()?;
        let modes = modes(&tty)?;
        let mut stage = Self { tty, events, mouse, holder: Holder::Us, screen: None, input: None, editing, modes };
        stage.take()?;
        Ok(stage)
    }

    /// The screen, while it is ours.
    pub(super) fn screen(&mut self) -> Option<&mut Screen> {
        self.screen.as_mut()
    }

    fn take(&mut self) -> anyhow::Result<()> {
        self.screen = Some(Screen::enter(&self.tty, self.mouse, self.modes.clone())?);
        self.input = Some(Input::start(&self.tty, self.events.clone())?);
        self.holder = Holder::Us;
        Ok(())
    }

    fn give(&mut self, holder: Holder) {
        // The reader first: it must not take a key that is the other's.
        self.input = None;
        self.screen = None;
        self.holder = holder;
    }

    /// Whether clicks and the wheel come to us.
    pub(super) fn mouse(&mut self, capture: bool) -> anyhow::Result<()> {
        self.mouse = capture;
        self.screen.as_mut().map_or(Ok(()), |screen| screen.mouse(capture))
    }

    /// Stops the program as the terminal's own stop key would, and everybody who was started with it.
    pub(super) fn stop(&mut self) -> anyhow::Result<()> {
        if self.holder == Holder::Editor {
            // The editor stopped the group; it wakes with us.
            kill_process(getpid(), Signal::STOP)?;
            return Ok(());
        }
        self.give(Holder::Shell);
        // Not the signal of the key: in a group that no shell watches it would be ignored. This thread may run on for
        // a moment before all threads stop; the terminal is taken again when the signal that wakes us is heard.
        kill_current_process_group(Signal::STOP)?;
        Ok(())
    }

    /// Somebody continued the program. `true` when the screen has to be drawn anew.
    pub(super) fn continued(&mut self) -> anyhow::Result<bool> {
        match self.holder {
            Holder::Editor => return Ok(false),
            // Stopped from outside: the shell may have set the terminal's modes since.
            Holder::Us => self.give(Holder::Shell),
            Holder::Shell => {}
        }
        if in_foreground(&self.tty) {
            self.modes = modes(&self.tty)?;
        }
        self.come_back()?;
        Ok(self.holder == Holder::Us)
    }

    /// Takes the terminal again, if it is ours to take.
    fn come_back(&mut self) -> anyhow::Result<()> {
        if in_foreground(&self.tty) { self.take() } else { Ok(()) }
    }

    /// Gives the terminal to an editor.
    pub(super) fn lend(&mut self) {
        self.editing.store(true, Ordering::Relaxed);
        self.give(Holder::Editor);
    }

    /// The editor ended.
    pub(super) fn take_back(&mut self) -> anyhow::Result<()> {
        self.editing.store(false, Ordering::Relaxed);
        self.holder = Holder::Shell;
        self.come_back()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.give(Holder::Shell);
    }
}
