//! The program that a person sees: the state, its look, and the colours in its code.

use std::sync::mpsc::Sender;

use ratatui::Frame;

use crate::app::{Action, Effect, State, update};

use super::colours::Background;
use super::cycle::Program;
use super::draw::draw_inked;
use super::highlight::{Highlights, InkedLine, Line};
use super::theme::Theme;

/// The state and what its frames are made of.
pub(super) struct Room {
    state: State,
    theme: Theme,
    highlights: Highlights,
    /// Lines of code whose colours are to be found.
    wanted: Sender<Vec<Line>>,
}

impl Room {
    pub(super) fn new(state: State, theme: Theme, wanted: Sender<Vec<Line>>) -> Self {
        Self { state, theme, highlights: Highlights::default(), wanted }
    }
}

impl Program for Room {
    fn start(&mut self) -> Vec<Effect> {
        self.state.start()
    }

    fn update(&mut self, action: Action) -> Vec<Effect> {
        update(&mut self.state, action)
    }

    fn draw(&mut self, frame: &mut Frame) {
        draw_inked(&self.state, &self.theme, &self.highlights, frame);
        let wanted = self.highlights.take_wanted();
        if !wanted.is_empty() {
            // Without the thread that finds colours code stays plain.
            let _ = self.wanted.send(wanted);
        }
    }

    fn background(&mut self, background: Background) {
        self.theme = self.theme.on(background);
    }

    fn learn(&mut self, lines: Vec<InkedLine>) {
        self.highlights.learn(lines);
    }
}
