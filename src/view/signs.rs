//! The few signs of the screen, each with a twin for terminals that know only ASCII.

/// The signs in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signs {
    /// It holds.
    pub right: &'static str,
    /// Something like it holds.
    pub alike: &'static str,
    /// It is wrong, or was overruled.
    pub wrong: &'static str,
    /// Nobody knows yet.
    pub unknown: &'static str,
    /// Forgotten.
    pub lost: &'static str,
    /// Not looked at by a person yet.
    pub unseen: &'static str,
    /// Checked by a person.
    pub seen: &'static str,
    /// Something folded away.
    pub folded: &'static str,
    /// The same, unfolded.
    pub unfolded: &'static str,
    /// A compaction.
    pub marker: &'static str,
    /// The rule of a marker.
    pub heavy: char,
    /// A quiet rule.
    pub light: char,
    /// The wall of the side pane.
    pub wall: &'static str,
    /// What hangs below the row above.
    pub hang: &'static str,
    /// Before the entry of a list.
    pub bullet: &'static str,
    /// From before to after.
    pub arrow: &'static str,
    /// Between facts.
    pub dot: &'static str,
    /// From one number to another.
    pub dash: &'static str,
    /// The row that the cursor is on.
    pub cursor: &'static str,
    /// Opening and closing quotation marks.
    pub quotes: (&'static str, &'static str),
    /// Something left out or not known yet.
    pub more: &'static str,
    /// Where the window is in the whole.
    pub thumb: &'static str,
    /// From empty to full: bars, gauges and curves.
    pub levels: [char; 8],
    /// The last cell of a bar that lies, from an eighth to full.
    pub shares: [char; 8],
}

impl Signs {
    /// For terminals that show Unicode.
    pub const UNICODE: Signs = Signs {
        right: "✓",
        alike: "≈",
        wrong: "✗",
        unknown: "?",
        lost: "−",
        unseen: "◌",
        seen: "●",
        folded: "▸",
        unfolded: "▾",
        marker: "⊟",
        heavy: '━',
        light: '─',
        wall: "│",
        hang: "┆",
        bullet: "•",
        arrow: "→",
        dot: "·",
        dash: "–",
        cursor: "▌",
        quotes: ("“", "”"),
        more: "…",
        thumb: "▐",
        levels: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
        shares: ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
    };

    /// For all others.
    pub const ASCII: Signs = Signs {
        right: "+",
        alike: "~",
        wrong: "x",
        unknown: "?",
        lost: "-",
        unseen: "o",
        seen: "*",
        folded: ">",
        unfolded: "v",
        marker: "[=]",
        heavy: '=',
        light: '-',
        wall: "|",
        hang: ":",
        bullet: "-",
        arrow: "->",
        dot: "-",
        dash: "-",
        cursor: ">",
        quotes: ("\"", "\""),
        more: "...",
        thumb: "#",
        levels: ['.', ':', '-', '=', '+', '*', 'o', '#'],
        shares: ['.', '.', ':', ':', '=', '=', '#', '#'],
    };
}
