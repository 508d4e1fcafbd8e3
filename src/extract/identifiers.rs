//! Identifiers by class: exact bytes that must not change when something is retold.

use std::ops::Range;
use std::sync::LazyLock;

use foldhash::HashSet;

use regex::Regex;

use super::tokens::is_unspaced;
use super::windows::{
    AT, BACKSLASH, CALL, CAPITAL, CLOCK, CODED, COLON, DASHED, DECIMAL, DIGIT, DOLLAR, DOT, HUMP, HYPHEN, HYPHENS,
    Marks, NUMBER_SIGN, RUN, SCHEME, SLASH, UNDERSCORE, Window, windows,
};
use super::{Language, Zone, Zones};

/// What an identifier is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// With its scheme.
    Url,
    /// An address.
    Email,
    /// In its usual form with hyphens.
    Uuid,
    /// A day, or a time of day.
    Date,
    /// A path or a file name, with `:line` where it stands.
    Path,
    /// An address, with its port.
    Ip,
    /// Three numbers and what may follow.
    Version,
    /// Of a commit or of content.
    Hash,
    /// `PROJ-12`.
    Ticket,
    /// An environment variable or a constant.
    Env,
    /// An order number, account code, reservation: named as one, or a word of letters and digits.
    Id,
    /// `#12`.
    Number,
    /// `--flag`.
    Flag,
    /// A name in a program.
    Symbol,
    /// A command with its arguments.
    Command,
    /// Anything else between back ticks.
    Code,
}

impl Class {
    /// The value in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Class::Url => "url",
            Class::Email => "email",
            Class::Uuid => "uuid",
            Class::Date => "date",
            Class::Path => "path",
            Class::Ip => "ip",
            Class::Version => "version",
            Class::Hash => "hash",
            Class::Ticket => "ticket",
            Class::Env => "env",
            Class::Id => "id",
            Class::Number => "number",
            Class::Flag => "flag",
            Class::Symbol => "symbol",
            Class::Command => "command",
            Class::Code => "code",
        }
    }
}

/// An identifier and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identifier {
    /// In bytes of the text.
    pub range: Range<usize>,
    /// What it is.
    pub class: Class,
}

/// The identifiers of a text in order, none inside another, a command apart: it holds those it is made of.
pub fn identifiers(text: &str, language: &Language) -> Vec<Identifier> {
    identifiers_in(text, &Zones::of(text), language)
}

/// The same, of a text whose zones are known.
pub(super) fn identifiers_in(text: &str, zones: &Zones, language: &Language) -> Vec<Identifier> {
    let mut taken = Taken::default();
    for window in windows(text) {
        window_of(text, &window, zones, language, &mut taken);
    }
    let (mut commands, mut codes) = (Vec::new(), Vec::new());
    for range in zones.of_kind(Zone::InlineCode).map(|span| inside(text, span)) {
        let code = &text[range.clone()];
        if is_command(code, language) {
            commands.push(Identifier { range, class: Class::Command });
        } else if code.chars().any(char::is_alphabetic) {
            codes.push(Identifier { range, class: Class::Code });
        }
    }
    if !codes.is_empty() {
        taken.add(codes);
    }
    let mut found = taken.0;
    if !commands.is_empty() {
        let whole: HashSet<(usize, usize)> =
            commands.iter().map(|command| (command.range.start, command.range.end)).collect();
        found.retain(|one| !whole.contains(&(one.range.start, one.range.end)));
        found.append(&mut commands);
        found.sort_by_key(|one| (one.range.start, std::cmp::Reverse(one.range.end)));
    }
    found
}

/// The identifiers of one window, by the patterns whose marks it holds.
fn window_of(text: &str, window: &Window, zones: &Zones, language: &Language, taken: &mut Taken) {
    let held = &text[window.range.clone()];
    let from = window.range.start;
    let mut here = Taken::default();
    for pattern in PATTERNS.iter().filter(|pattern| pattern.may_stand_in(window.marks)) {
        let class = pattern.class;
        let found = |whole: Range<usize>| {
            let range = trimmed(text, from + whole.start..from + whole.end, class);
            let one =
                is_whole(text, &range, class) && is_one(&text[range.clone()], class, zones.at(range.start), language);
            one.then_some(Identifier { range, class })
        };
        let all = pattern.regex.find_iter(held).map(|whole| pattern.begins.named(held, whole.range()));
        let named: Vec<Identifier> = all.filter_map(found).collect();
        if !named.is_empty() {
            here.add(named);
            if here.is_all_of(text, &window.range) {
                break;
            }
        }
    }
    taken.0.append(&mut here.0);
}

/// Sorted by start, without overlaps.
#[derive(Default)]
struct Taken(Vec<Identifier>);

impl Taken {
    /// Adds those that no earlier one overlaps; `found` is in order and without overlaps itself.
    fn add(&mut self, found: Vec<Identifier>) {
        let free = |one: &Identifier| {
            let at = self.0.partition_point(|other| other.range.end <= one.range.start);
            !one.range.is_empty() && self.0.get(at).is_none_or(|next| next.range.start >= one.range.end)
        };
        let mut free: Vec<Identifier> = found.into_iter().filter(free).collect();
        self.0.append(&mut free);
        self.0.sort_by_key(|one| one.range.start);
    }

    /// Whether no letter and no digit is left between these: nothing else is named there.
    fn is_all_of(&self, text: &str, range: &Range<usize>) -> bool {
        let mut at = range.start;
        let mut gaps =
            self.0.iter().map(|one| one.range.clone()).chain(std::iter::once(range.end..range.end)).map(|taken| {
                let gap = at..taken.start;
                at = taken.end;
                gap
            });
        gaps.all(|gap| !text.as_bytes()[gap].iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()))
    }
}

/// In the order in which they are tried: what an earlier one took, a later one does not see.
static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let ext = "rs|go|tsx?|jsx?|mjs|cjs|py|rb|java|kt|kts|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|zsh|sql|db|sqlite3?|json|jsonl|ya?ml|toml|ini|cfg|conf|env|md|mdx|txt|rst|csv|tsv|xml|html?|css|scss|less|vue|svelte|lock|mod|sum|log|proto|tf|gradle|ipynb|pdf|png|jpe?g|svg|gif|webp|zip|gz|tar|tgz|wasm|ex|exs|erl|hs|ml|lua|pl|r|jl|scala|clj|dart|zig|nix|bat|ps1|diff|patch|snap|tmpl|hbs";
    let patterns: [(Class, &'static [Marks], String); 19] = [
        (Class::Url, &[SCHEME], r#"\b[a-z][a-z0-9+.-]{1,12}://[^\s<>"'`\\|{}]+"#.to_owned()),
        (Class::Email, &[AT], r"\b[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9][A-Za-z0-9.-]*\.[A-Za-z]{2,}\b".to_owned()),
        (Class::Uuid, &[DIGIT | HYPHEN], r"(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b".to_owned()),
        (
            Class::Date,
&[DASHED, CLOCK],             r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?\b|\b\d{1,2}:\d{2}(?::\d{2})?\b"
                .to_owned(),
        ),
        (
            Class::Date,
&[DIGIT | CAPITAL],             r"\b\d{1,2}(?:st|nd|rd|th|\.)? [A-Z][a-z]{2,8}(?: \d{4})?\b|\b[A-Z][a-z]{2,8} \d{1,2}(?:st|nd|rd|th)?(?:, \d{4})?\b"
                .to_owned(),
        ),
        (
            Class::Path,
&[SLASH, BACKSLASH],             r"(?:[A-Za-z]:\\|\\\\)[\w.@$-]+(?:\\[\w.@$ -]*[\w@$-])*|(?:[~.\w@$<>{}*-]+)?(?:/[\w.@$<>{}*+-]+)+/?(?::\d+(?::\d+)?)?|[\w.@-]+/"
                .to_owned(),
        ),
        (Class::Path, &[DOT], format!(r"(?:\.|\b)\w[\w@.+-]*\.(?:{ext})\b(?::\d+(?::\d+)?)?")),
        (Class::Path, &[DOT], r"\.(?:gitignore|env|npmrc|bashrc|zshrc|editorconfig|dockerignore|eslintrc|prettierrc)\b".to_owned()),
        (Class::Ip, &[DECIMAL, DIGIT | COLON], r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b|\b(?:localhost):\d{2,5}\b".to_owned()),
        (Class::Version, &[DECIMAL], r"\bv?\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]*[0-9A-Za-z])?\b".to_owned()),
        (Class::Hash, &[RUN], r"\b(?:sha256:)?[0-9a-f]{7,64}\b".to_owned()),
        (Class::Ticket, &[DASHED | CODED], r"\b[A-Z][A-Z0-9]{1,9}-\d+(?:-\d+)*\b|\b[A-Z]-\d{2,6}\b".to_owned()),
        (Class::Env, &[DOLLAR, UNDERSCORE | CAPITAL], r"\$\{?[A-Z][A-Z0-9_]*\}?|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b".to_owned()),
        (
            Class::Id,
&[DIGIT],             r"(?i)\b(?:order|invoice|account|ticket|reservation|user|customer|case|pr|issue|booking|shipment|contract)(?:\s+(?:id|number|no\.?))?(?:\s*[#:=]\s*#?|\s+#?)[A-Z0-9][A-Z0-9-]*\d[A-Z0-9-]*\b"
                .to_owned(),
        ),
        (Class::Number, &[NUMBER_SIGN | DIGIT], r"(?:^|[\s(\[,])#\d+\b".to_owned()),
        (Class::Flag, &[HYPHENS], r#"(?:^|[\s`"'(\[])--[A-Za-z][\w-]+"#.to_owned()),
        (
            Class::Symbol,
&[CALL, UNDERSCORE, HUMP],             r"\b[A-Za-z_]\w*(?:(?:::|\.)[A-Za-z_]\w*)*\(\)|\b[A-Za-z_]\w*(?:::[A-Za-z_]\w*)+|\b[A-Za-z]\w*_\w*\b|\b_[A-Za-z]\w+\b|\b[a-z][a-z0-9]*(?:[A-Z][A-Za-z0-9]*)+\b|\b[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+\b"
                .to_owned(),
        ),
        (Class::Id, &[RUN], r"\b[A-Za-z0-9]{6,40}\b".to_owned()),
        (Class::Id, &[DIGIT | CODED], r"\b[A-Z]{2,6}\d{1,6}\b|\b[A-Z0-9]{2,12}(?:-[A-Z0-9]{2,12})+\b".to_owned()),
    ];
    patterns
        .into_iter()
        // A boundary between ASCII words: the engine is many times faster with it, and identifiers are ASCII at their ends.
        // One beyond ASCII, `\B` as well, makes it many times slower wherever a text holds other letters.
        .map(|(class, marks, pattern)| {
            let pattern = pattern.replace(r"\b", r"(?-u:\b)");
            let regex = Regex::new(&pattern).expect("the patterns are constant, and a test compiles them");
            let begins = match (class, marks) {
                (Class::Id, &[DIGIT]) => Begins::Label,
                (Class::Number | Class::Flag, _) => Begins::Sign,
                _ => Begins::Here,
            };
            Pattern { class, marks, begins, regex }
        })
        .collect()
});

/// How a class is written.
struct Pattern {
    class: Class,
    /// It stands only where all marks of one of these are.
    marks: &'static [Marks],
    begins: Begins,
    regex: Regex,
}

/// Where the identifier begins in what a pattern finds. A group of the pattern would say it too, and cost several times
/// as much.
#[derive(Clone, Copy)]
enum Begins {
    Here,
    /// Behind the words that name it: `order no. 4711`.
    Label,
    /// With its sign, behind the mark that may stand before it: `(#12`.
    Sign,
}

impl Begins {
    fn named(self, text: &str, whole: Range<usize>) -> Range<usize> {
        let held = &text[whole.clone()];
        let before = match self {
            Begins::Here => 0,
            Begins::Label => held.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '-').len(),
            Begins::Sign => held.find(['#', '-']).unwrap_or_default(),
        };
        whole.start + before..whole.end
    }
}

impl Pattern {
    fn may_stand_in(&self, marks: Marks) -> bool {
        self.marks.iter().any(|wanted| marks & wanted == *wanted)
    }
}

fn trimmed(text: &str, range: Range<usize>, class: Class) -> Range<usize> {
    let mut kept = &text[range.clone()];
    match class {
        Class::Url => {
            kept = kept.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_']);
            if kept.ends_with([')', ']']) && !kept.contains(['(', '[']) {
                kept = kept.trim_end_matches([')', ']', '.', ',']);
            }
        }
        Class::Path => kept = kept.trim_end_matches(['.', '*', '-', '@', '+', ',']),
        Class::Email
        | Class::Uuid
        | Class::Date
        | Class::Ip
        | Class::Version
        | Class::Hash
        | Class::Ticket
        | Class::Env
        | Class::Id
        | Class::Number
        | Class::Flag
        | Class::Symbol
        | Class::Command
        | Class::Code => {}
    }
    // `**path**` in Markdown.
    let front = if class == Class::Path { kept.len() - kept.trim_start_matches('*').len() } else { 0 };
    range.start + front.min(kept.len())..range.start + kept.len()
}

/// Whether it is cut out of no longer word. Hyphens join a name in a program to other words, `useMemo-based`; what is no
/// name without the rest, `db-1` of `orders-db-1`, they make a part of it.
fn is_whole(text: &str, range: &Range<usize>, class: Class) -> bool {
    let letter = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    let (before, behind) = (&text[..range.start], &text[range.end..]);
    // `.env` is a name of its own, and no part of `x.env`.
    let dotted = class == Class::Path && text[range.clone()].starts_with('.');
    let (first, last) = (dotted || text[range.clone()].starts_with(letter), text[range.clone()].ends_with(letter));
    let joined = class == Class::Id
        && (before.strip_suffix('-').is_some_and(|before| before.ends_with(letter))
            || behind.strip_prefix('-').is_some_and(|behind| behind.starts_with(letter)));
    !(first && before.ends_with(letter) || last && behind.starts_with(letter) || joined)
}

fn is_one(one: &str, class: Class, zone: Zone, language: &Language) -> bool {
    let letters = one.bytes().any(|b| b.is_ascii_alphabetic());
    let digits = one.bytes().filter(u8::is_ascii_digit).count();
    match class {
        Class::Url => one.len() > one.find("://").map_or(0, |at| at + 3),
        Class::Path => is_path(one, zone),
        Class::Hash => one.starts_with("sha256:") || letters && digits > 0 && one.len() <= 64 && !is_decimal_like(one),
        Class::Ticket => one.split('-').next().is_some_and(|stem| !language.not_tickets.contains(stem)),
        Class::Env => one.len() > 2,
        Class::Symbol => one.len() > 2 && letters && !language.not_symbols.contains(one),
        Class::Id => {
            !language.not_symbols.contains(one)
                && digits > 0
                && (letters || digits >= 4 && !one.contains('-'))
                && !is_size(one, language)
        }
        Class::Date => one
            .split(|c: char| !c.is_alphabetic())
            .filter(|word| word.len() > 2)
            .all(|month| language.months.contains(month)),
        Class::Email
        | Class::Uuid
        | Class::Ip
        | Class::Version
        | Class::Number
        | Class::Flag
        | Class::Command
        | Class::Code => true,
    }
}

/// `and/or`, `2024/05/01`, `7/10` and `print/json` in prose are none.
fn is_path(one: &str, zone: Zone) -> bool {
    if !one.contains(['/', '\\']) {
        return one.bytes().any(|b| b.is_ascii_alphabetic())
            && !one.starts_with(|c: char| c.is_ascii_digit() && one.len() < 4);
    }
    let parts: Vec<&str> = one.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    let telling = |part: &&str| {
        part.contains(|c: char| matches!(c, '.' | '_' | '-' | '<' | '@' | '$' | '*') || c.is_ascii_digit())
    };
    if parts.is_empty() || parts.iter().all(|part| part.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b'-')) {
        return false;
    }
    let rooted = one.starts_with(['/', '~', '.', '\\']) || one.as_bytes().get(1) == Some(&b':');
    match zone {
        Zone::InlineCode | Zone::Fence => parts.iter().any(|part| part.len() > 1),
        Zone::Prose | Zone::Quote | Zone::Log | Zone::Diff | Zone::Table | Zone::Aside => {
            (rooted && (parts.len() > 1 || parts[0].len() > 2))
                || (parts.len() > 1 && parts.iter().any(telling) && parts.iter().all(|part| part.len() > 1))
        }
    }
}

/// `1e10` and the like are figures.
fn is_decimal_like(one: &str) -> bool {
    one.bytes().filter(u8::is_ascii_alphabetic).count() == 1
        && one.contains('e')
        && !one.starts_with('e')
        && one.len() < 8
}

/// `100ms`, `16384MB`: a figure with its unit, not an identifier.
fn is_size(one: &str, language: &Language) -> bool {
    let unit = one.trim_start_matches(|c: char| c.is_ascii_digit());
    unit.len() < one.len() && (unit.is_empty() && one.len() < 4 || language.is_unit(unit))
}

fn inside(text: &str, span: Range<usize>) -> Range<usize> {
    let code = &text[span.clone()];
    let ticks = code.bytes().take_while(|b| *b == b'`').count();
    let kept = code.trim_matches('`');
    let lead = kept.len() - kept.trim_start().len();
    let start = span.start + ticks.min(code.len()) + lead;
    start.min(span.end)..(start + kept.trim().len()).min(span.end)
}

fn is_command(code: &str, language: &Language) -> bool {
    let mut words = code.split_whitespace();
    let first = words.next().unwrap_or_default();
    words.next().is_some() && language.commands.contains(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seen(text: &str) -> Vec<(&str, &'static str)> {
        identifiers(text, Language::english()).into_iter().map(|one| (&text[one.range], one.class.name())).collect()
    }

    #[test]
    fn each_class_is_found_by_its_shape() {
        for (text, want) in [
            ("see https://x.dev/a?b=1).", vec![("https://x.dev/a?b=1", "url")]),
            ("mail ann@example.org.", vec![("ann@example.org", "email")]),
            ("id 0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f", vec![("0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f", "uuid")]),
            ("in /usr/lib/x and src/main.rs:12:3.", vec![("/usr/lib/x", "path"), ("src/main.rs:12:3", "path")]),
            ("**src/a.go** and main.rs", vec![("src/a.go", "path"), ("main.rs", "path")]),
            ("and/or w/o print/json 7/10 2024/05/01", vec![]),
            ("`entire/sessions` branch", vec![("entire/sessions", "path")]),
            ("commit e91c57a at 1.2.3-rc.1", vec![("e91c57a", "hash"), ("1.2.3-rc.1", "version")]),
            ("10.0.0.1:8080", vec![("10.0.0.1:8080", "ip")]),
            ("PROJ-12 and PROJ-12-1 in UTF-8", vec![("PROJ-12", "ticket"), ("PROJ-12-1", "ticket")]),
            ("N-118, not X-1 and no F-16s", vec![("N-118", "ticket")]),
            ("orders-db-1, PRs-12 and case-4711 of pr-99", vec![]),
            ("order\u{a0}4711 and order 4712", vec![("4711", "id"), ("4712", "id")]),
            ("é.env x.gitignore .env (.gitignore)", vec![(".env", "path"), (".gitignore", "path")]),
            ("order no. 4711, PR #12, case: 9A1", vec![("4711", "id"), ("#12", "number"), ("9A1", "id")]),
            ("on AB12-west and pre-GX7K2P", vec![]),
            ("réAB12 and AB12é", vec![]),
            ("set DATABASE_URL or $HOME", vec![("DATABASE_URL", "env"), ("$HOME", "env")]),
            ("order 48213 of GX7K2P", vec![("48213", "id"), ("GX7K2P", "id")]),
            ("fixes #12", vec![("#12", "number")]),
            ("with --no-verify", vec![("--no-verify", "flag")]),
            (
                "parse_it, fooBar, FooBar, a::b, run() on GitHub",
                vec![
                    ("parse_it", "symbol"),
                    ("fooBar", "symbol"),
                    ("FooBar", "symbol"),
                    ("a::b", "symbol"),
                    ("run()", "symbol"),
                ],
            ),
            ("`git reset` and `refactor`", vec![("git reset", "command"), ("refactor", "code")]),
            ("took 100ms for 1200 rows", vec![]),
            ("at 2026-03-02T09:14:00Z, 09:15", vec![("2026-03-02T09:14:00Z", "date"), ("09:15", "date")]),
            ("by 2 August 2026, on 22 April and Phase 3", vec![("2 August 2026", "date"), ("22 April", "date")]),
            ("a float64 in base64", vec![]),
        ] {
            assert_eq!(seen(text), want, "{text}");
        }
    }

    proptest! {
        #[test]
        fn ranges_are_text_and_do_not_overlap(text in r"[\PC\n`/._#@-]{0,120}") {
            let mut end = 0;
            for one in identifiers(&text, Language::english()) {
                prop_assert!(text.get(one.range.clone()).is_some_and(|held| !held.is_empty()));
                let inside = |c: char| c.is_alphanumeric() && !is_unspaced(c);
                let at = |at: usize| text[..at].ends_with(inside) && text[at..].starts_with(inside);
                let is_code = matches!(one.class, Class::Command | Class::Code);
                prop_assert!(is_code || !at(one.range.start) && !at(one.range.end), "{text:?} {one:?}");
                if one.class != Class::Command {
                    prop_assert!(one.range.start >= end);
                    end = one.range.end;
                }
            }
        }
    }
}
