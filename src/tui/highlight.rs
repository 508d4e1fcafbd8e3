//! Colours in code: which stretch of a line is a string, a keyword, a comment. Found on a thread of its own, because
//! grammars meet hostile text here; a line is plain until its colours arrive.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

/// What a stretch of code is. The theme gives it a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ink {
    /// Said to people.
    Comment,
    /// Quoted text.
    String,
    /// Numbers and other constants.
    Constant,
    /// Words of the language.
    Keyword,
    /// Names of types, tags and sections.
    Type,
    /// Names of what can be called.
    Function,
    /// A line that a difference adds.
    Added,
    /// A line that a difference takes away.
    Removed,
}

/// The stretches of one line that are not plain, in order.
pub type Inked = Vec<(Range<usize>, Ink)>;

/// Longer lines stay plain.
const LINE: usize = 2048;
/// Lines remembered before the older half is forgotten.
const REMEMBERED: usize = 4096;
/// Lines that may wait; there are no more on a screen.
const WAITING: usize = 512;
/// A language that takes longer for one line stays plain from then on.
const DEADLINE: Duration = Duration::from_millis(250);

type Lines = HashMap<&'static str, HashMap<Box<str>, Inked>>;

/// The colours that are known. Looking one up that is not makes it wanted.
#[derive(Debug, Default)]
pub struct Highlights {
    young: Lines,
    old: Lines,
    /// How many lines `young` holds.
    count: usize,
    wanted: RefCell<Vec<Line>>,
}

/// A line of code in a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The language, by a name or a file ending.
    pub language: &'static str,
    /// Without its end.
    pub text: Box<str>,
}

/// A line with its colours.
#[derive(Debug)]
pub struct InkedLine {
    /// Which line.
    pub line: Line,
    /// What of it is not plain.
    pub inked: Inked,
}

impl Highlights {
    /// The stretches of this line that are not plain; `None` while nobody knows them.
    pub fn runs(&self, language: &'static str, text: &str) -> Option<&[(Range<usize>, Ink)]> {
        if let Some(inked) = lookup(&self.young, language, text).or_else(|| lookup(&self.old, language, text)) {
            return Some(inked);
        }
        let mut wanted = self.wanted.borrow_mut();
        if text.len() <= LINE && wanted.len() < WAITING {
            wanted.push(Line { language, text: text.into() });
        }
        None
    }

    /// The lines that were looked up in vain since the last time.
    pub(super) fn take_wanted(&self) -> Vec<Line> {
        self.wanted.take()
    }

    /// Remembers the colours of lines.
    pub(super) fn learn(&mut self, lines: Vec<InkedLine>) {
        for InkedLine { line, inked } in lines {
            if self.count >= REMEMBERED / 2 {
                self.old = std::mem::take(&mut self.young);
                self.count = 0;
            }
            let before = self.young.entry(line.language).or_default().insert(line.text, inked);
            self.count += usize::from(before.is_none());
        }
    }
}

fn lookup<'l>(lines: &'l Lines, language: &str, text: &str) -> Option<&'l [(Range<usize>, Ink)]> {
    lines.get(language).and_then(|texts| texts.get(text)).map(Vec::as_slice)
}

/// Starts the thread that finds colours. It ends when the sender is dropped. Without it code stays plain.
pub(super) fn start(tell: impl Fn(Vec<InkedLine>) -> bool + Send + 'static) -> Sender<Vec<Line>> {
    let (wanted, lines) = channel();
    // A program that cannot have another thread can still be read.
    let _ = thread::Builder::new().name("colours".to_owned()).spawn(move || serve(&lines, tell));
    wanted
}

fn serve(lines: &Receiver<Vec<Line>>, tell: impl Fn(Vec<InkedLine>) -> bool) {
    let mut grammars: Option<Grammars> = None;
    while let Ok(mut wanted) = lines.recv() {
        // Only what the latest frame wants is still on the screen.
        while let Ok(newer) = lines.try_recv() {
            wanted = newer;
        }
        let grammars = grammars.get_or_insert_with(Grammars::load);
        let inked =
            wanted.into_iter().map(|line| InkedLine { inked: grammars.ink(line.language, &line.text), line }).collect();
        if !tell(inked) {
            return;
        }
    }
}

struct Grammars {
    set: SyntaxSet,
    inks: Vec<(Scope, Option<Ink>)>,
    /// Languages that panicked or took too long.
    given_up: Vec<&'static str>,
}

impl Grammars {
    fn load() -> Self {
        // The first that fits wins; `None` ends the search in the scopes around.
        let inks = [
            ("comment", Some(Ink::Comment)),
            ("string", Some(Ink::String)),
            ("constant", Some(Ink::Constant)),
            ("keyword.operator", None),
            ("keyword", Some(Ink::Keyword)),
            ("storage", Some(Ink::Keyword)),
            ("entity.name.function", Some(Ink::Function)),
            ("support.function", Some(Ink::Function)),
            ("variable.function", Some(Ink::Function)),
            ("entity.name", Some(Ink::Type)),
            ("support.type", Some(Ink::Type)),
            ("support.class", Some(Ink::Type)),
            ("markup.inserted", Some(Ink::Added)),
            ("markup.deleted", Some(Ink::Removed)),
            ("markup.heading", Some(Ink::Keyword)),
            ("meta.diff", Some(Ink::Type)),
            ("meta.interpolation", None),
        ];
        let inks = inks.into_iter().filter_map(|(name, ink)| Some((Scope::new(name).ok()?, ink))).collect();
        Self { set: SyntaxSet::load_defaults_newlines(), inks, given_up: Vec::new() }
    }

    /// The stretches of a line; none for a language that is not known or was given up.
    fn ink(&mut self, language: &'static str, text: &str) -> Inked {
        if text.len() > LINE || self.given_up.contains(&language) {
            return Vec::new();
        }
        let started = Instant::now();
        // Some grammars panic on their first use with this pattern engine.
        let inked = catch_unwind(AssertUnwindSafe(|| self.parse(language, text)));
        if inked.is_err() || started.elapsed() > DEADLINE {
            self.given_up.push(language);
        }
        inked.ok().flatten().unwrap_or_default()
    }

    fn parse(&self, language: &str, text: &str) -> Option<Inked> {
        let syntax = self.set.find_syntax_by_token(language)?;
        // The grammars want the line's end.
        let line = format!("{text}\n");
        let changes = ParseState::new(syntax).parse_line(&line, &self.set).ok()?;
        let mut scopes = ScopeStack::new();
        let mut inked: Inked = Vec::new();
        let mut from = 0;
        for (at, change) in changes {
            self.push(&mut inked, from..at.min(text.len()), &scopes);
            scopes.apply(&change).ok()?;
            from = at.min(text.len());
        }
        self.push(&mut inked, from..text.len(), &scopes);
        Some(inked)
    }

    fn push(&self, inked: &mut Inked, range: Range<usize>, scopes: &ScopeStack) {
        if range.is_empty() {
            return;
        }
        let fitting = |scope: &Scope| self.inks.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope));
        let Some((_, Some(ink))) = scopes.scopes.iter().rev().find_map(fitting) else { return };
        match inked.last_mut() {
            Some((last, same)) if last.end == range.start && same == ink => last.end = range.end,
            _ => inked.push((range, *ink)),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::sync::mpsc::channel;

    use super::{Grammars, Highlights, Ink, InkedLine, Line, start};

    #[test]
    fn a_line_of_code_gets_its_inks() {
        let mut grammars = Grammars::load();
        let table = [
            ("rust", "let x = \"a\"; // b", "let:Keyword \"a\":String // b:Comment"),
            ("python", "def f(): return 12", "def:Keyword f:Function return:Keyword 12:Constant"),
            ("json", "{\"a\": true}", "\"a\":String true:Constant"),
            ("diff", "+added", "+added:Added"),
            ("diff", "-gone", "-gone:Removed"),
            ("sh", "echo 'é' # x", "echo:Function 'é':String # x:Comment"),
            ("no-such-language", "let x", ""),
            ("rust", "", ""),
        ];
        for (language, text, expected) in table {
            let inked = grammars.ink(language, text);
            let told: Vec<String> =
                inked.iter().map(|(range, ink)| format!("{}:{ink:?}", &text[range.clone()])).collect();
            assert_eq!(told.join(" "), expected, "{language}: {text}");
        }
    }

    #[test]
    fn long_lines_stay_plain() {
        assert!(Grammars::load().ink("rust", &"let ".repeat(1000)).is_empty());
        let highlights = Highlights::default();
        assert!(highlights.runs("rust", &"let ".repeat(1000)).is_none());
        assert!(highlights.take_wanted().is_empty(), "nobody asks for them");
    }

    #[test]
    fn what_is_looked_up_in_vain_is_wanted_once_and_then_known() {
        let mut highlights = Highlights::default();
        assert!(highlights.runs("rust", "let").is_none());
        let wanted = highlights.take_wanted();
        assert_eq!(wanted, [Line { language: "rust", text: "let".into() }]);
        assert!(highlights.take_wanted().is_empty());
        let (told, inked) = channel();
        start(move |lines| told.send(lines).is_ok()).send(wanted).unwrap();
        highlights.learn(inked.recv().unwrap());
        assert_eq!(highlights.runs("rust", "let"), Some(&[(0..3, Ink::Keyword)][..]));
        assert!(highlights.take_wanted().is_empty());
    }

    #[test]
    fn the_memory_is_bounded_and_keeps_the_newest() {
        let mut highlights = Highlights::default();
        for n in 0..10_000 {
            let line = Line { language: "rust", text: n.to_string().into() };
            highlights.learn(vec![InkedLine { line, inked: Vec::new() }]);
        }
        let held = |lines: &super::Lines| lines.values().map(std::collections::HashMap::len).sum::<usize>();
        assert!(held(&highlights.young) + held(&highlights.old) <= super::REMEMBERED);
        assert!(highlights.runs("rust", "9999").is_some());
        assert!(highlights.runs("rust", "0").is_none());
    }
}
