//! A command line taken apart into words, as a shell would: what stands in quotes or in a here-document is no sign of the
//! shell. Nothing is expanded, and nothing is run.

/// What a command line does, as far as its signs tell.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// The words of the last command of a chain, and of what it pipes into; without the quotes around a whole word.
    pub words: Vec<&'a str>,
    /// The last command pipes into another.
    pub piped: bool,
    /// Its output, or that of a command before, goes to a file.
    pub redirects: bool,
    /// Some command changes files in place.
    pub in_place: bool,
    /// Where output goes; empty where it goes nowhere.
    pub target: &'a str,
    /// The first two words of each command of the chain but the last.
    pub before: Vec<[&'a str; 2]>,
}

/// Takes a command line apart; linear in its length.
pub(super) fn line(text: &str) -> Line<'_> {
    let mut line = Line::default();
    let mut here: Vec<&str> = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c != '\n' && c.is_whitespace());
        let Some(first) = rest.chars().next() else { return line };
        match first {
            '\n' => {
                rest = &rest[1..];
                for end in here.drain(..) {
                    rest = behind_document(rest, end);
                }
                if !rest.trim().is_empty() {
                    line.ends();
                }
            }
            '&' if rest.starts_with("&>") => rest = line.redirect(&rest[1..]),
            '&' | ';' => {
                rest = rest.trim_start_matches(['&', ';']);
                if !rest.trim().is_empty() {
                    line.ends();
                }
            }
            '|' => {
                line.piped = true;
                rest = rest.trim_start_matches(['|', '&']);
            }
            '>' => rest = line.redirect(rest),
            '<' => {
                let (word, behind) = word(rest.trim_start_matches(['<', '-', ' ']));
                if rest.starts_with("<<") && !rest.starts_with("<<<") {
                    here.push(word);
                }
                rest = behind;
            }
            _ => {
                let (word, behind) = word(rest);
                // `2>`: what goes there are the troubles of the command, no output of it.
                let troubles = word == "2" && behind.starts_with('>');
                if troubles {
                    rest = target(behind).1;
                } else {
                    let edits = line.words.iter().rev().take(1).any(|before| *before == "sed" || *before == "perl");
                    line.in_place |= edits && word.starts_with("-i");
                    if !(word == "1" && behind.starts_with('>')) {
                        line.words.push(word);
                    }
                    rest = behind;
                }
            }
        }
    }
}

impl<'a> Line<'a> {
    /// The first two words of the last command; empty where it has none.
    pub fn begins(&self) -> [&'a str; 2] {
        [0, 1].map(|at| self.words.get(at).copied().unwrap_or_default())
    }

    fn ends(&mut self) {
        self.before.push(self.begins());
        self.words.clear();
        self.piped = false;
    }

    fn redirect(&mut self, rest: &'a str) -> &'a str {
        let (target, behind) = target(rest);
        // `2>&1` goes where other output goes, and what is thrown away is written nowhere.
        if !target.is_empty() && !target.starts_with(['&', '(']) && target != "/dev/null" {
            (self.redirects, self.target) = (true, target);
        }
        behind
    }
}

/// Where a redirection goes, and what stands behind it.
fn target(rest: &str) -> (&str, &str) {
    let rest = rest.trim_start_matches(['>', '|']);
    match rest.strip_prefix('&') {
        Some(behind) => (&rest[..1], word(behind).1),
        None => word(rest.trim_start_matches([' ', '\t'])),
    }
}

/// The word that a text begins with, and what stands behind it.
fn word(text: &str) -> (&str, &str) {
    let mut quote = None;
    let mut escaped = false;
    let mut before = ' ';
    let mut end = text.len();
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            (Some(open), _) => quote = Some(open).filter(|open| *open != c),
            (None, '\'' | '"') => quote = Some(c),
            (None, _) => {
                // An arrow is no sign of the shell: nobody means `-` and a file.
                let arrow = c == '>' && matches!(before, '-' | '=');
                if !arrow && (c.is_whitespace() || matches!(c, ';' | '|' | '&' | '<' | '>')) {
                    end = at;
                    break;
                }
            }
        }
        before = c;
    }
    let (word, behind) = text.split_at(end);
    let inner = |mark: char| word.strip_prefix(mark)?.strip_suffix(mark).filter(|inner| !inner.contains(mark));
    (inner('\'').or_else(|| inner('"')).unwrap_or(word), behind)
}

/// What stands behind a here-document: behind the line that ends it.
fn behind_document<'a>(text: &'a str, end: &str) -> &'a str {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        if line.trim() == end {
            break;
        }
    }
    &text[at..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_outside_quotes_is_a_sign_of_the_shell() {
        for (text, words, signs) in [
            ("cat a.rs", "cat a.rs", ""),
            ("echo hi > out.txt", "echo hi", "redirects"),
            ("echo hi >>out.txt", "echo hi", "redirects"),
            ("make &> log", "make", "redirects"),
            ("git log -S 'a > b'", "git log -S a > b", ""),
            ("rg \"x -> y\" src", "rg x -> y src", ""),
            ("rg \"a \\\" > b\" src", "rg \"a \\\" > b\" src", ""),
            ("rg a->b src", "rg a->b src", ""),
            ("make 2> err.txt", "make", ""),
            ("make 2>&1 | tail -3", "make tail -3", "piped"),
            ("make >/dev/null 2>&1", "make", ""),
            ("cd 'a && b' && ls; cat c", "cat c", ""),
            ("cat 'a | b'", "cat a | b", ""),
            ("python3 - <<'END'\nif a > b:\n    pass\nEND", "python3 -", ""),
            ("cat > a.py <<END\nx\nEND\ncat a.py", "cat a.py", "redirects"),
            ("sed -i 's/a/b/' a.rs", "sed -i s/a/b/ a.rs", "in place"),
            ("rg 'sed -i' src", "rg sed -i src", ""),
            ("echo 'no end > x", "echo 'no end > x", ""),
            ("a\u{a0}b \u{b}> c", "a b", "redirects"),
            (">", "", ""),
            ("", "", ""),
        ] {
            let line = line(text);
            let told = [(line.redirects, "redirects"), (line.piped, "piped"), (line.in_place, "in place")];
            let told: Vec<&str> = told.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
            assert_eq!((line.words.join(" ").as_str(), told.join(" ").as_str()), (words, signs), "{text}");
        }
    }
}
