//! Everything the screen depends on.

use std::cell::Cell;
use std::collections::HashMap;

use super::auditing::Auditing;
use super::command::Context;
use super::findings::FindingAt;
use super::keymap::Keymap;
use super::known::{Known, Selected};
use super::layer::Layer;
use super::node::NodeId;
use super::saving::Done;
use super::settings::Settings;
use super::transcript::{Mark, Transcript};
use super::{Effect, Key, Request};
use crate::session::{Head, Place};
use crate::view::{Piece, ToldText};
use crate::workbench::{Overview, Spot};

/// Bytes of the session that are read around a place.
const WINDOW: usize = 256 * 1024;
/// Bytes that are read to show the words around one source.
const GLANCE: usize = 16 * 1024;

/// Where the cursor goes once a stretch is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    Start,
    End,
    /// Words of a part: the range in its text.
    Words(Place, Option<(usize, usize)>),
    /// The first row of the entry at this place that shows the needle.
    Hit(Place),
    /// The session's own turn with this number.
    Turn(u32),
    Marker(Place),
    /// A row of the record of the marker at this place.
    Row(Place, Piece),
    /// Where a jump began: the cursor and the top of the screen.
    Back(Mark, Mark),
}

impl Goal {
    /// The place, for goals that are one.
    pub fn place(&self) -> Option<Place> {
        match self {
            Goal::Words(place, _) | Goal::Hit(place) | Goal::Marker(place) | Goal::Row(place, _) => Some(*place),
            Goal::Back(cursor, _) => Some(cursor.node.place),
            Goal::Start | Goal::End | Goal::Turn(_) => None,
        }
    }
}

/// What an answer is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pending {
    Replace(Goal),
    /// What stands before the stretch, which then started here.
    Before(u64),
    /// What stands after the stretch, which then ended here.
    After(u64),
    /// The next piece of a sub-agent's file, and where in it the cursor goes.
    Fill(NodeId, Option<Goal>),
    Refresh,
    Original(Place, (usize, usize)),
    Record(u32),
    Correct {
        note: Option<&'static str>,
    },
    Withdraw {
        no: u32,
    },
    Reinstate {
        no: u32,
    },
    Confirm,
    Review(Selected, bool, Way),
    Alarm(FindingAt, bool, Way),
    Audit,
    Lineage,
    Assemble,
    Overview,
    Raw,
    CopyPlace,
    Find,
    Told,
}

/// Why something is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// A person did it just now.
    Anew,
    /// It was done before, and is taken back.
    Undo,
    /// It was taken back, and is done again.
    Redo,
}

impl Pending {
    /// Whether something is being stored.
    fn is_saving(&self) -> bool {
        matches!(
            self,
            Pending::Correct { .. }
                | Pending::Withdraw { .. }
                | Pending::Reinstate { .. }
                | Pending::Confirm
                | Pending::Review(..)
                | Pending::Alarm(..)
        )
    }
}

/// Something said to the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Notice {
    pub text: String,
    /// It did not work.
    pub bad: bool,
    /// `u` takes it back.
    pub undo: bool,
}

/// Everything the screen depends on. Only [`super::update`] changes it.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
pub struct State {
    /// What is known of the session.
    pub known: Known,
    /// The window on it.
    pub transcript: Transcript,
    /// What the person and their terminal want.
    pub settings: Settings,
    pub(super) keymap: Keymap,
    pub(super) layers: Vec<Layer>,
    pub(super) notice: Option<Notice>,
    pub(super) width: u16,
    pub(super) height: u16,
    pub(super) requests: Request,
    pub(super) pending: HashMap<Request, Pending>,
    pub(super) effects: Vec<Effect>,
    pub(super) keys: Vec<Key>,
    pub(super) count: Option<u32>,
    /// Where jumps came from: cursor and top.
    pub(super) back: Vec<(Mark, Mark)>,
    /// What is searched for; empty when nothing is.
    pub(super) needle: String,
    pub(super) forward: bool,
    /// Which way the search went last.
    pub(super) onward: bool,
    /// The row that the last hit led to, and its place.
    pub(super) hit: Option<(Mark, Place)>,
    pub(super) follow: bool,
    /// The file was cut or replaced: what is shown is not what is stored, and nothing may be pinned to it.
    pub(super) rewritten: bool,
    /// The file is no longer where it was: nothing more will come.
    pub(super) gone: bool,
    /// What was stored in this run and can be taken back, newest last.
    pub(super) mine: Vec<Done>,
    /// What was taken back, newest last.
    pub(super) undone: Vec<Done>,
    /// The check of all records.
    pub(super) auditing: Auditing,
    pub(super) told: Option<ToldText>,
    /// What a window may hold, once a person said so.
    pub(super) budget: Option<u64>,
    /// The session at a glance, as it was looked at last.
    pub(super) overview: Option<Overview>,
    /// Words of a correction that were left without being saved.
    pub(super) draft: Option<(Selected, String)>,
    /// The side pane scrolls instead of the transcript.
    pub(super) pane_focus: bool,
    pub(super) pane_top: usize,
    /// The row of the side pane that the cursor is on while the pane has it.
    pub(super) pane_at: usize,
    /// Rows of lists that were made since the state was: what a frame of such a screen costs.
    pub rows_built: Cell<u64>,
    /// Turn numbers were asked for after the outline had come this far.
    pub(super) refreshed: Option<(u64, bool)>,
}

impl State {
    /// The state before anything was read.
    pub fn new(head: &Head, width: u16, height: u16, settings: Settings) -> Self {
        let (keymap, wrong) = Keymap::new(&settings.keys);
        let mut state = Self {
            known: Known::new(head.clone()),
            transcript: Transcript::default(),
            settings,
            keymap,
            layers: Vec::new(),
            notice: None,
            width,
            height,
            requests: 0,
            pending: HashMap::new(),
            effects: Vec::new(),
            keys: Vec::new(),
            count: None,
            back: Vec::new(),
            needle: String::new(),
            forward: true,
            onward: true,
            hit: None,
            follow: false,
            rewritten: false,
            gone: false,
            mine: Vec::new(),
            undone: Vec::new(),
            auditing: Auditing::default(),
            told: None,
            budget: None,
            overview: None,
            draft: None,
            pane_focus: false,
            pane_top: 0,
            pane_at: 0,
            rows_built: Cell::default(),
            refreshed: None,
        };
        if let Some(first) = wrong.first() {
            state.warn(format!("settings: {first}"));
        }
        state.measure();
        state
    }

    /// What is to be done first: the beginning of the session is read.
    pub fn start(&mut self) -> Vec<Effect> {
        self.load(Spot::Start, Pending::Replace(Goal::Start));
        std::mem::take(&mut self.effects)
    }

    /// Whether a person would lose text by leaving now.
    pub fn has_unsaved_text(&self) -> bool {
        let typed = |layer: &Layer| matches!(layer, Layer::Reword { edit, before, .. } if edit.text() != before);
        self.layers.iter().any(typed) || self.is_saving()
    }

    pub(super) fn is_saving(&self) -> bool {
        self.pending.values().any(Pending::is_saving)
    }

    pub(super) fn waits_for(&self, pending: &Pending) -> bool {
        self.pending.values().any(|other| other == pending)
    }

    pub(super) fn ask(&mut self, pending: Pending, effect: impl FnOnce(Request) -> Effect) {
        self.requests += 1;
        self.pending.insert(self.requests, pending);
        self.effects.push(effect(self.requests));
    }

    pub(super) fn load(&mut self, spot: Spot, pending: Pending) {
        // A jump overtakes what was being read for the place that is left.
        if matches!(pending, Pending::Replace(_)) {
            self.pending.retain(|_, other| {
                !matches!(other, Pending::Replace(_) | Pending::Before(_) | Pending::After(_) | Pending::Refresh)
            });
        }
        let budget = if matches!(pending, Pending::Original(..)) { GLANCE } else { WINDOW };
        self.ask(pending, |request| Effect::Load { request, spot, budget });
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), bad: false, undo: false });
    }

    pub(super) fn warn(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), bad: true, undo: false });
    }

    /// Where a key has its meaning; `None` while a prompt takes all keys.
    pub(super) fn context(&self) -> Option<Context> {
        self.layers.last().map_or(Some(Context::Transcript), Layer::context)
    }

    /// Rows for the transcript or a screen over it.
    pub(super) fn body_height(&self) -> usize {
        usize::from(self.height).saturating_sub(self.chrome().0 + self.chrome().1)
    }

    /// Rows above and below the body.
    pub(super) fn chrome(&self) -> (usize, usize) {
        if self.height >= 16 { (2, 2) } else { (1, 1) }
    }

    pub(super) fn measure(&mut self) {
        let height = self.body_height();
        let width = usize::from(self.width).saturating_sub(1).max(1);
        self.transcript.set_size(width, height.max(1));
    }

    /// Whether there is room for anything at all.
    pub(super) fn is_too_small(&self) -> bool {
        self.width < 20 || self.height < 5
    }
}
