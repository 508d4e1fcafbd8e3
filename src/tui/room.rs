//! The program that a person sees: the state, its look, and the colours in its code.

use std::sync::mpsc::Sender;

use ratatui::Frame;

use crate::app::{Action, Effect, State, update};

use super::cycle::Program;
use super::draw::draw_inked;
use super::highlight::{Highlights, InkedLine, Line};
use super::theme::{Depth, Ground, Theme};

/// The state and what its frames are made of.
pub(super) struct Room {
    state: State,
    depth: Depth,
    theme: Theme,
    highlights: Highlights,
    /// Lines of code whose colours are to be found.
    wanted: Sender<Vec<Line>>,
}

impl Room {
    pub(super) fn new(state: State, ground: Ground, depth: Depth, wanted: Sender<Vec<Line>>) -> Self {
        Self { state, depth, theme: Theme::new(ground, depth), highlights: Highlights::default(), wanted }
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
        draw_inked(&self.state, &self.theme, Some(&self.highlights), frame);
        let wanted = self.highlights.take_wanted();
        // Without colours nobody would see them; without the thread that finds them code stays plain.
        if !wanted.is_empty() && self.depth != Depth::None {
            let _ = self.wanted.send(wanted);
        }
    }

    fn ground(&mut self, ground: Ground) {
        self.theme = Theme::new(ground, self.depth);
    }

    fn learn(&mut self, lines: Vec<InkedLine>) {
        self.highlights.learn(lines);
    }
}
