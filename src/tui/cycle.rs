//! The loop: take everything that happened, update for each, draw once. Nothing happens: nothing runs.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use ratatui::Frame;

use crate::app::{Action, Effect};
use crate::text::Shown;

use super::colours::{Background, background_of};
use super::editor;
use super::event::Event;
use super::highlight::InkedLine;
use super::keys::Input;
use super::signals::Heard;
use super::stage::Stage;
use super::terminal::CLIPBOARD;

/// What the loop runs: state and change, and how it looks.
pub trait Program {
    /// What is wanted at the start, once the size of the screen was told.
    fn start(&mut self) -> Vec<Effect>;
    /// Changes the state, and says what is to be done.
    fn update(&mut self, action: Action) -> Vec<Effect>;
    /// Draws the state.
    fn draw(&mut self, frame: &mut Frame);
    /// The terminal said what is behind the text.
    fn background(&mut self, background: Background);
    /// Lines of code have their colours.
    fn learn(&mut self, lines: Vec<InkedLine>);
}

/// Why the loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaving {
    /// The person wanted it.
    Quit,
    /// The terminal went away.
    Gone,
    /// A signal wanted it.
    Signal(i32),
}

/// How long the first frame waits for the terminal to say what is behind the text, so that it is not drawn twice.
const ANSWER: Duration = Duration::from_millis(60);
/// Events before a frame is drawn all the same, when they come faster than they can be handled.
const BATCH: usize = 256;

/// Everything that the loop needs beside the program.
pub(super) struct Cycle<'a> {
    pub stage: Stage,
    pub events: Receiver<Event>,
    pub sender: Sender<Event>,
    /// Does what the loop does not do itself.
    pub perform: &'a mut dyn FnMut(Effect) -> Option<Effect>,
    /// The command of the person's editor.
    pub editor: String,
    /// Whether the terminal's answer about its background is wanted.
    pub ask: bool,
}

impl Cycle<'_> {
    /// Runs the program until it ends. The terminal is given back when this is dropped.
    pub(super) fn run(&mut self, program: &mut impl Program) -> anyhow::Result<Leaving> {
        match self.turn(program) {
            Err(error) if is_gone(&error) => Ok(Leaving::Gone),
            other => other,
        }
    }

    fn turn(&mut self, program: &mut impl Program) -> anyhow::Result<Leaving> {
        let mut wait = None;
        if let Some(screen) = self.stage.screen() {
            if self.ask {
                screen.ask_background()?;
                wait = Some(Instant::now() + ANSWER);
            }
            let (width, height) = screen.size();
            if let Some(leaving) = self.update(program, Action::Resize { width, height })? {
                return Ok(leaving);
            }
        }
        let effects = program.start();
        if let Some(leaving) = self.perform(program, effects)? {
            return Ok(leaving);
        }
        let mut changed = true;
        loop {
            if changed && wait.is_none() {
                if let Some(screen) = self.stage.screen() {
                    screen.draw(|frame| program.draw(frame))?;
                }
                changed = false;
            }
            let Some(event) = self.next(&mut wait) else { continue };
            let mut next = Some(event);
            let mut handled = 0;
            while let Some(event) = next {
                if matches!(event, Event::Typed(Input::Answered)) {
                    wait = None;
                } else {
                    changed = true;
                }
                if let Some(leaving) = self.handle(program, event)? {
                    return Ok(leaving);
                }
                handled += 1;
                next = if handled < BATCH { self.events.try_recv().ok() } else { None };
            }
        }
    }

    /// The next event; `None` when the first frame has waited long enough.
    fn next(&self, wait: &mut Option<Instant>) -> Option<Event> {
        if let Some(until) = *wait {
            match self.events.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(event) => return Some(event),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => *wait = None,
            }
            return None;
        }
        // We hold a sender ourselves, so this ends with an event only.
        self.events.recv().ok()
    }

    fn handle(&mut self, program: &mut impl Program, event: Event) -> anyhow::Result<Option<Leaving>> {
        match event {
            Event::Typed(Input::Key(key)) => self.update(program, Action::Key(key)),
            Event::Typed(Input::Mouse(mouse)) => self.update(program, Action::Mouse(mouse)),
            Event::Typed(Input::Paste { text, cut }) => {
                let leaving = self.update(program, Action::Paste(text))?;
                if cut && leaving.is_none() {
                    let said = "the paste was longer than 1 MB; only its beginning was taken";
                    return self.update(program, Action::Notice(said.to_owned()));
                }
                Ok(leaving)
            }
            Event::Typed(Input::Background(colour)) => {
                if self.ask {
                    program.background(background_of(colour));
                }
                Ok(None)
            }
            Event::Typed(Input::Answered) => Ok(None),
            Event::Done(action) => self.update(program, action),
            Event::Inked(lines) => {
                program.learn(lines);
                Ok(None)
            }
            Event::Gone => Ok(Some(Leaving::Gone)),
            Event::Signal(Heard::End(signal)) => Ok(Some(Leaving::Signal(signal))),
            Event::Signal(Heard::Stop) => {
                self.stage.stop()?;
                Ok(None)
            }
            Event::Signal(Heard::Continue) => {
                if self.stage.continued()? {
                    return self.resized(program);
                }
                Ok(None)
            }
            Event::Signal(Heard::Resize) => self.resized(program),
            Event::Edited(edited) => {
                self.stage.take_back()?;
                if let Some(leaving) = self.resized(program)? {
                    return Ok(Some(leaving));
                }
                let (text, problem) = match edited {
                    Ok(text) => (text, None),
                    Err(problem) => (None, Some(format!("{problem:#}"))),
                };
                let leaving = self.update(program, Action::Edited(text))?;
                match (leaving, problem) {
                    (None, Some(problem)) => self.update(program, Action::Notice(problem)),
                    (leaving, _) => Ok(leaving),
                }
            }
        }
    }

    /// Looks how large the terminal is, and says so.
    fn resized(&mut self, program: &mut impl Program) -> anyhow::Result<Option<Leaving>> {
        let Some(screen) = self.stage.screen() else { return Ok(None) };
        let (width, height) = screen.resize()?;
        self.update(program, Action::Resize { width, height })
    }

    fn update(&mut self, program: &mut impl Program, action: Action) -> anyhow::Result<Option<Leaving>> {
        let effects = program.update(action);
        self.perform(program, effects)
    }

    fn perform(&mut self, program: &mut impl Program, effects: Vec<Effect>) -> anyhow::Result<Option<Leaving>> {
        for effect in effects {
            let Some(ours) = (self.perform)(effect) else { continue };
            match ours {
                Effect::Quit => return Ok(Some(Leaving::Quit)),
                Effect::Suspend => self.stage.stop()?,
                Effect::Mouse { capture } => self.stage.mouse(capture)?,
                Effect::Copy(text) => {
                    if let Some(leaving) = self.copy(program, &text)? {
                        return Ok(Some(leaving));
                    }
                }
                Effect::Edit(text) => {
                    self.stage.lend();
                    if let Err(problem) = editor::start(self.editor.clone(), &text, self.sender.clone()) {
                        // The loop gets its own answer, as if the editor had ended at once.
                        let _ = self.sender.send(Event::Edited(Err(problem)));
                    }
                }
                other => debug_assert!(false, "nobody does {other:?}"),
            }
        }
        Ok(None)
    }

    fn copy(&mut self, program: &mut impl Program, text: &str) -> anyhow::Result<Option<Leaving>> {
        let shown = Shown::lines(text);
        let whole = shown.as_str();
        let part = &whole[..whole.floor_char_boundary(CLIPBOARD)];
        if let Some(screen) = self.stage.screen() {
            screen.copy(part)?;
        }
        if part.len() < whole.len() {
            let said = "terminals take no more than 74 kB at once; only the beginning was copied";
            return self.update(program, Action::Notice(said.to_owned()));
        }
        Ok(None)
    }
}

/// Whether an error says that there is no terminal any more.
fn is_gone(error: &anyhow::Error) -> bool {
    let eio = rustix::io::Errno::IO.raw_os_error();
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|io| io.raw_os_error() == Some(eio) || io.kind() == io::ErrorKind::BrokenPipe)
            || cause.downcast_ref::<rustix::io::Errno>() == Some(&rustix::io::Errno::IO)
    })
}
