//! The one table of commands. Keys, hint line, help and palette all come out of it.

/// Where a key has its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    /// The whole session with its markers.
    Transcript,
    /// The pinned entries.
    Ledger,
    /// The commands and their keys.
    Help,
    /// One line as it is stored.
    Raw,
    /// What could not be read.
    Troubles,
    /// What the checks found at all markers.
    Findings,
    /// One claim through all generations.
    Lineage,
    /// What the next request carries.
    Window,
    /// Blocks, markers and the curve.
    Outline,
}

macro_rules! commands {
    ($($command:ident $id:literal $name:literal $keys:tt $contexts:tt $sentence:literal;)+) => {
        /// Something that a person can do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Command {
            $(#[doc = $sentence] $command,)+
        }

        /// Every command, in the order of the help.
        pub const TABLE: &[Spec] = &[$(Spec {
            command: Command::$command,
            id: $id,
            name: $name,
            sentence: $sentence,
            keys: &$keys,
            contexts: &$contexts,
        },)+];
    };
}

/// A command with what is known about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Which one.
    pub command: Command,
    /// Its name in the settings.
    pub id: &'static str,
    /// A verb, for the hint line.
    pub name: &'static str,
    /// What it does.
    pub sentence: &'static str,
    /// The keys it has when nobody changed them.
    pub keys: &'static [&'static str],
    /// Where it can be used.
    pub contexts: &'static [Context],
}

use Context::{Findings, Help, Ledger, Lineage, Outline, Raw, Transcript, Troubles, Window};

commands! {
    Down "move.down" "down" ["j", "down"] [Transcript, Ledger, Help, Raw, Troubles, Findings, Lineage, Window, Outline] "one row down";
    Up "move.up" "up" ["k", "up"] [Transcript, Ledger, Help, Raw, Troubles, Findings, Lineage, Window, Outline] "one row up";
    HalfDown "move.half-down" "half down" ["ctrl-d"] [Transcript, Ledger, Help, Raw, Troubles, Findings, Lineage, Window, Outline] "half a screen down";
    HalfUp "move.half-up" "half up" ["ctrl-u"] [Transcript, Ledger, Help, Raw, Troubles, Findings, Lineage, Window, Outline] "half a screen up";
    PageDown "move.page-down" "page down" ["pgdn", "ctrl-f", "space"] [Transcript, Ledger, Help, Raw, Troubles, Findings, Lineage, Window, Outline] "a screen down";
    PageUp "move.page-up" "page up" ["pgup", "ctrl-b"] [Transcript, Ledger, Help, Raw, Troubles, Findings, Lineage, Window, Outline] "a screen up";
    First "move.first" "start" ["g g", "home"] [Transcript, Ledger, Help, Raw, Troubles, Findings, Lineage, Window, Outline] "go to the start";
    Last "move.last" "end" ["G", "end"] [Transcript, Ledger, Help, Raw, Troubles, Findings, Lineage, Window, Outline] "go to the end; with a number before it, to that turn";
    NextMarker "marker.next" "next marker" ["]", "J"] [Transcript, Outline] "go to the next compaction";
    PreviousMarker "marker.previous" "previous marker" ["[", "K"] [Transcript, Outline] "go to the compaction before";
    NextFinding "finding.next" "next finding" ["}", "."] [Transcript] "go to the next finding that nobody answered yet";
    PreviousFinding "finding.previous" "finding before" ["{", ","] [Transcript] "go to the finding before";
    Enter "go" "open" ["enter"] [Transcript, Ledger, Troubles, Findings, Lineage, Window, Outline] "unfold what is folded; on an item, go to the turn it comes from; in Findings and Lineage, to the item; in Window and Outline, to the first turn";
    Unfold "unfold" "unfold" ["l", "right"] [Transcript] "unfold what the cursor is on";
    Fold "fold" "fold" ["h", "left"] [Transcript] "fold what the cursor is in";
    Back "back" "back" ["backspace"] [Transcript] "go back to where you came from";
    Focus "focus" "evidence" ["tab"] [Transcript] "go into the evidence, to the turns that it names, and back";
    Fix "item.fix" "fix" ["x"] [Transcript, Findings] "the likeliest fix of an item, with one key; pins what was forgotten";
    More "item.more" "more" ["c"] [Transcript, Findings] "the other ways to correct an item";
    Right "item.right" "right" ["v"] [Transcript, Findings] "mark an item as checked and right, and go to the next unchecked one";
    WrongAlarm "finding.wrong-alarm" "wrong alarm" ["w"] [Transcript, Findings] "say that a finding is a wrong alarm, or take that back; it is not raised again";
    Undo "undo" "undo" ["u"] [Transcript, Ledger, Findings] "take back what you entered or marked last";
    Redo "redo" "redo" ["U"] [Transcript, Ledger, Findings] "bring back what you took back last";
    Withdraw "entry.withdraw" "withdraw" ["x"] [Ledger] "in the Ledger: withdraw this entry; the one before it counts again";
    Confirm "entry.confirm" "confirm" ["a"] [Ledger] "in the Ledger: confirm a proposed entry, or reinstate a withdrawn one";
    Search "search" "search" ["/"] [Transcript] "search the text of the session";
    SearchNext "search.next" "next hit" ["n"] [Transcript] "go to the next hit";
    SearchPrevious "search.previous" "hit before" ["N"] [Transcript] "go to the hit before";
    Follow "follow" "follow" ["F"] [Transcript] "stay at the end while the session grows";
    ShowRaw "raw" "raw line" ["r"] [Transcript] "the line as it is stored";
    Copy "copy" "copy" ["y"] [Transcript, Ledger, Raw, Findings, Window, Outline] "copy the text the cursor is on";
    CopyPlace "copy.place" "copy place" ["Y"] [Transcript, Raw] "copy the file and line of what the cursor is on";
    OpenFindings "findings" "findings" ["f"] [Transcript] "what the checks found at all compactions, worst first";
    NextKind "findings.kind" "kind" ["tab"] [Findings] "in Findings: show the next kind only; 1 to 8 choose one, 0 shows all";
    PreviousKind "findings.kind-before" "kind before" ["backtab"] [Findings] "in Findings: show the kind before only";
    OpenLineage "lineage" "lineage" ["i"] [Transcript, Findings] "how every compaction told this claim, and where it changed first";
    OpenLedger "ledger" "ledger" ["L"] [Transcript, Findings, Window, Outline] "the pinned entries, and what the agent will be told";
    OpenWindow "window" "window" ["W"] [Transcript, Window, Outline] "what the next request carries, region by region";
    MoreBudget "window.more" "more" ["+", "="] [Window] "in the Window: a larger budget; with a number before it, exactly that";
    LessBudget "window.less" "less" ["-", "_"] [Window] "in the Window: a smaller budget";
    RegionText "window.text" "its text" ["v"] [Window] "in the Window: the text that stands for a row: a record, or what is pinned";
    OpenOutline "outline" "outline" ["O"] [Transcript, Window, Outline] "blocks, compactions and how full the context was, at a glance";
    OpenTroubles "troubles" "unread lines" ["!"] [Transcript] "the lines that could not be read";
    OpenHelp "help" "help" ["?", "f1"] [Transcript, Ledger, Raw, Troubles, Findings, Lineage, Window, Outline] "every key and what it does";
    OpenPalette "palette" "commands" [":", "ctrl-p"] [Transcript, Ledger, Raw, Troubles, Findings, Lineage, Window, Outline] "every command, to be searched";
    MouseCapture "mouse" "mouse" [] [Transcript, Ledger, Help, Raw, Troubles, Findings, Lineage, Window, Outline] "let the terminal select text with the mouse, or take the mouse back";
    Suspend "suspend" "suspend" ["ctrl-z"] [Transcript, Ledger, Help, Raw, Troubles, Findings, Lineage, Window, Outline] "leave to the shell; fg comes back";
    Clear "clear" "clear" ["esc"] [Transcript, Ledger, Help, Raw, Troubles, Findings, Lineage, Window, Outline] "clear messages and marks, or go back";
    Quit "quit" "quit" ["q"] [Transcript, Ledger, Help, Raw, Troubles, Findings, Lineage, Window, Outline] "leave the view, and from the transcript the program";
}

impl Command {
    /// What is known about it.
    ///
    /// # Panics
    ///
    /// Never: table and commands are made from one list.
    pub fn spec(self) -> &'static Spec {
        TABLE.iter().find(|spec| spec.command == self).expect("every command stands in the table")
    }

    /// Whether it enters something in the ledger.
    pub fn writes(self) -> bool {
        matches!(
            self,
            Command::Fix
                | Command::Right
                | Command::WrongAlarm
                | Command::Undo
                | Command::Redo
                | Command::Withdraw
                | Command::Confirm
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::Key;

    #[test]
    fn every_key_has_one_meaning_in_one_place() {
        let mut seen: Vec<(Context, Vec<Key>, Command)> = Vec::new();
        for spec in TABLE {
            for keys in spec.keys {
                let keys = Key::sequence(keys).unwrap_or_else(|| panic!("{}: no key is called {keys}", spec.id));
                for context in spec.contexts {
                    let clash = seen.iter().find(|(other, before, _)| {
                        other == context && (before.starts_with(&keys) || keys.starts_with(before))
                    });
                    assert_eq!(clash, None, "{} in {context:?}", spec.id);
                    seen.push((*context, keys.clone(), spec.command));
                }
            }
        }
    }
}
