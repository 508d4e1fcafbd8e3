//! The English words by which claims are judged, read from the data under `assets/lexicon/en/`; each file says what it
//! holds. Opposites and alternatives are read next door, where they are looked up.

use std::sync::OnceLock;

use foldhash::HashSet;

use crate::extract::{Lexicon, stem};

use super::attribution::{Act, Who};
use super::credit::Thought;

/// Words that are looked up whole.
pub type Words = HashSet<&'static str>;

/// All lists.
#[derive(Debug)]
pub struct Lists {
    /// Words that say nothing new.
    pub general: Words,
    /// Words for telling something or letting somebody have it.
    pub telling: Words,
    /// Plain words for no.
    pub noes: Words,
    /// Beginnings of words that say that something is not.
    pub negative: Vec<&'static str>,
    /// `only` and its like.
    pub only: Words,
    /// Words that leave something out.
    pub narrow: Words,
    /// What makes the opposite of any word.
    pub opposite_beginnings: Vec<&'static str>,
    /// How else a word may end.
    pub word_endings: Vec<&'static str>,
    /// May be done.
    pub option: Words,
    /// Must be done.
    pub duty: Words,
    /// Should be done, says a person.
    pub wish: Words,
    /// Stems of what tells of a duty.
    pub obliges: Vec<&'static str>,
    /// Stems of what tells of a duty or expects something.
    pub obliges_too: Vec<&'static str>,
    /// Is wanted.
    pub wanted: Words,
    /// Could be.
    pub possible: Words,
    /// What leaves open whether something is so.
    pub doubting: Vec<&'static str>,
    /// First words of a question.
    pub question: Words,
    /// Behind what only asks to confirm.
    pub tags: Vec<&'static str>,
    /// In a question that proposes.
    pub offers: Vec<&'static str>,
    /// Is to be done now.
    pub at_once: Lexicon,
    /// A person wants it now.
    pub soon: Lexicon,
    /// A person puts it off.
    pub later: Lexicon,
    /// Between clauses that say nothing of each other; with their spaces.
    pub parts: Vec<String>,
    /// Where what was not told ends.
    pub leaves: Words,
    /// Where an `only` ends.
    pub stops: Words,
    /// Where what somebody said ends; with their spaces.
    pub ends: Vec<String>,
    /// Stems: a test went well.
    pub passes: Words,
    /// Stems: it did not.
    pub fails: Words,
    /// Stems of what is told beside an outcome.
    pub tests: Words,
    /// Work is done.
    pub over: Words,
    /// Work is not done.
    pub still: Words,
    /// First words of what somebody says they do next.
    pub next: Words,
    /// First words of an answer that denies.
    pub no: Words,
    /// Before somebody who is named alone.
    pub subject: Words,
    /// Whoever these mean.
    pub vague: Words,
    /// Whoever these mean, but at the start.
    pub vague_inside: Words,
    /// Before a noun and what says which one it is.
    pub articles: Words,
    /// Beginnings of what a person settles something with.
    pub settles: Vec<&'static str>,
    /// First words of a claim that reports a doubt, a question or a proposal.
    pub reporting: Words,
    /// Nouns behind an article that mean something else than the verb.
    pub other_senses: Words,
    /// In front of these another clause begins.
    pub clause: Words,
    /// Behind a comma in front of these.
    pub clause_at_comma: Words,
    /// In front of the other of two that one of them is.
    pub sides: Words,
    /// In front of what was done.
    pub auxiliaries: Words,
    /// In front of what somebody does, may or would do.
    pub modals: Words,
    /// Past forms without `ed`.
    pub participles: Words,
    /// Stems: brings something into being.
    pub makes_it: Words,
    /// In what somebody proposes to do.
    pub proposing: Lexicon,
    /// Behind a negation: what follows is so all the same.
    pub presuming: Words,
    /// In front of what is only to be checked.
    pub checking: Words,
    /// That something was not done yet.
    pub unfinished: Lexicon,
    /// That something may be done.
    pub grants: Lexicon,
    /// That it may not.
    pub forbids: Lexicon,
    /// In what grants something: it stands behind.
    pub leads: Words,
    /// Stems behind a no: it may be done.
    pub harmless: Words,
    /// Stems: does something with a thing, whatever it is.
    pub touches: Words,
    /// Between two things of which the first comes first, or the second does.
    pub before: Lexicon,
    pub after: Lexicon,
    /// In front of what something was, and what it became.
    pub from: Words,
    pub to: Lexicon,
    /// That something has to be done.
    pub musts: Lexicon,
    /// That it need not be.
    pub needless: Lexicon,
    /// That an answer is not known.
    pub unknown: Lexicon,
    /// In a claim: that something was settled.
    pub settled: Lexicon,
    /// In a person's words: that it was not.
    pub holds_back: Lexicon,
    /// That somebody has not decided yet.
    pub ponders: Lexicon,
    /// Begins what looks whether something is so.
    pub seeks: Lexicon,
    /// Put loosely.
    pub loose: Lexicon,
    /// A yes, wherever it stands.
    pub approvals: Lexicon,
    /// Finds something good.
    pub praise: Lexicon,
    /// Finds something bad.
    pub blame: Lexicon,
    /// What somebody did with words; what asks begins like what orders.
    pub sayings: [(Act, Lexicon); 4],
    /// At somebody's wish.
    pub requested: Lexicon,
    /// Who is meant by the agent.
    pub agents: Lexicon,
    /// What somebody did before the others; the first list in which something fits, and in it the longest.
    pub initiatives: [(Thought, Lexicon); 6],
    /// Had a thought, in two words around it.
    pub split: Vec<(&'static str, &'static str)>,
    /// What is called somebody's own.
    pub thoughts: Words,
    /// Who is meant beyond doubt.
    pub selves: [(Who, Words); 2],
    /// Whose something is.
    pub owners: [(Who, Words); 2],
    /// Gives the other their due: for what they found out, and for having spoken of it at all.
    pub owns_up: Lexicon,
    pub takes_up: Lexicon,
    /// Where something may begin that is added, inside a clause.
    pub adds_inside: Words,
    /// Before what says when, where or by what.
    pub circumstances: Words,
    /// How nouns end that are made of verbs and adjectives.
    pub made_endings: Vec<&'static str>,
    /// Before a clause that says why or when.
    pub conditions: Words,
    /// What is done outside of files: its past form, and beginnings of the words that show it.
    pub deeds: Vec<(&'static str, Vec<&'static str>)>,
    /// Parts of the names of tools that change files.
    pub writing_tools: Vec<&'static str>,
    /// What follows the subject of such a clause.
    pub behind_subject: Words,
    /// Stems of words that name no thing and no act of their own.
    pub abstracts: HashSet<String>,
}

macro_rules! list {
    ($name:literal) => {
        include_str!(concat!("../../../assets/lexicon/en/", $name, ".txt"))
    };
}

/// Those of English.
pub fn lists() -> &'static Lists {
    static LISTS: OnceLock<Lists> = OnceLock::new();
    LISTS.get_or_init(|| {
        let [modals, questions, times] = [list!("modals"), list!("question_forms"), list!("times")];
        let [clauses, outcomes, openings] = [list!("clauses"), list!("outcomes"), list!("openings")];
        let saying = |name| sayings(list!("sayings"), name);
        Lists {
            general: words(lines(list!("general"))),
            telling: words(lines(list!("telling"))),
            noes: words(lines(list!("noes"))),
            negative: pieces(lines(list!("negative"))),
            only: words(lines(list!("only"))),
            narrow: words(lines(list!("narrow"))),
            opposite_beginnings: pieces(lines(list!("opposite_beginnings"))),
            word_endings: pieces(lines(list!("word_endings"))),
            option: words(named(modals, "option")),
            duty: words(named(modals, "duty")),
            wish: words(named(modals, "wish")),
            obliges: pieces(named(modals, "obliges")),
            obliges_too: pieces(named(modals, "obliges_too")),
            wanted: words(named(modals, "wanted")),
            possible: words(named(modals, "possible")),
            doubting: pieces(lines(list!("doubting"))),
            question: words(named(questions, "begins")),
            tags: named(questions, "tag").collect(),
            offers: named(questions, "offers").collect(),
            at_once: lexicon(times, "at_once"),
            soon: lexicon(times, "soon"),
            later: lexicon(times, "later"),
            parts: spaced(named(clauses, "parts")),
            leaves: words(named(clauses, "leaves")),
            stops: words(named(clauses, "stops")),
            ends: spaced(named(clauses, "ends")),
            passes: words(named(outcomes, "passes")),
            fails: words(named(outcomes, "fails")),
            tests: words(named(outcomes, "tests")),
            over: words(named(outcomes, "over")),
            still: words(named(outcomes, "still")),
            next: words(named(openings, "next")),
            no: words(named(openings, "no")),
            subject: words(named(openings, "subject")),
            vague: words(named(openings, "vague")),
            vague_inside: words(named(openings, "vague_inside")),
            articles: words(named(openings, "article")),
            settles: pieces(lines(list!("settles"))),
            reporting: words(lines(list!("reporting"))),
            other_senses: words(lines(list!("other_senses"))),
            clause: words(named(list!("clause_starts"), "always")),
            clause_at_comma: words(named(list!("clause_starts"), "comma")),
            sides: words(named(list!("clause_starts"), "other")),
            auxiliaries: words(named(list!("doing"), "auxiliary")),
            modals: words(named(list!("doing"), "modal")),
            participles: words(named(list!("doing"), "participle")),
            makes_it: words(named(list!("doing"), "makes")),
            proposing: lexicon(list!("doing"), "proposes"),
            presuming: words(named(list!("doing"), "presumes")),
            checking: words(named(list!("doing"), "checks")),
            unfinished: Lexicon::parse(list!("unfinished")),
            grants: lexicon(list!("permissions"), "grants"),
            forbids: lexicon(list!("permissions"), "forbids"),
            leads: words(named(list!("permissions"), "leads")),
            harmless: words(named(list!("permissions"), "harmless")),
            touches: words(named(list!("permissions"), "touches")),
            before: lexicon(list!("order"), "before"),
            after: lexicon(list!("order"), "after"),
            from: words(named(list!("order"), "from")),
            to: lexicon(list!("order"), "to"),
            musts: lexicon(list!("duties"), "musts"),
            needless: lexicon(list!("duties"), "needless"),
            unknown: Lexicon::parse(list!("unknown")),
            settled: lexicon(list!("settled"), "settles"),
            holds_back: lexicon(list!("settled"), "holds"),
            ponders: Lexicon::parse(list!("ponders")),
            seeks: Lexicon::parse(list!("seeks")),
            loose: Lexicon::parse(list!("loose")),
            approvals: Lexicon::parse(list!("approvals")),
            praise: Lexicon::parse(list!("praise")),
            blame: Lexicon::parse(list!("blame")),
            sayings: [
                (Act::Asks, saying("asks")),
                (Act::Approves, saying("approves")),
                (Act::Orders, saying("orders")),
                (Act::Says, saying("says")),
            ],
            requested: Lexicon::parse(list!("requested")),
            agents: Lexicon::parse(list!("agents")),
            initiatives: [
                (Thought::Refusal, sayings(list!("initiatives"), "refusal")),
                (Thought::Choice, sayings(list!("initiatives"), "choice")),
                (Thought::Wish, sayings(list!("initiatives"), "order")),
                (Thought::Fact, sayings(list!("initiatives"), "fact")),
                (Thought::Idea, sayings(list!("initiatives"), "verb")),
                (Thought::View, sayings(list!("initiatives"), "view")),
            ],
            split: named(list!("initiatives"), "split").filter_map(|row| row.split_once(' ')).collect(),
            thoughts: words(named(list!("initiatives"), "noun")),
            selves: [
                (Who::Person, words(named(list!("selves"), "person"))),
                (Who::Agent, words(named(list!("selves"), "agent"))),
            ],
            owners: [
                (Who::Person, words(named(list!("selves"), "persons"))),
                (Who::Agent, words(named(list!("selves"), "agents"))),
            ],
            owns_up: sayings(list!("concedes"), "right"),
            takes_up: sayings(list!("concedes"), "taken_up"),
            adds_inside: words(named(clauses, "adds_inside")),
            circumstances: words(named(clauses, "circumstances")),
            made_endings: pieces(named(clauses, "made_endings")),
            conditions: words(named(clauses, "conditions")),
            deeds: lines(list!("deeds")).filter_map(|line| line.split_once(": ")).map(deed).collect(),
            writing_tools: pieces(lines(include_str!("../../../assets/lexicon/tools/write.txt"))),
            behind_subject: words(named(clauses, "auxiliaries")),
            abstracts: stems(list!("abstract")),
        }
    })
}

/// The lines of a list without its comments.
pub(super) fn lines(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// What stands behind `name: ` in a list of several.
pub(super) fn named(list: &'static str, name: &str) -> impl Iterator<Item = &'static str> {
    lines(list).filter_map(move |line| line.strip_prefix(name)?.strip_prefix(": "))
}

fn deed((past, words): (&'static str, &'static str)) -> (&'static str, Vec<&'static str>) {
    (past, words.split(' ').collect())
}

fn pieces(lines: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    lines.flat_map(str::split_whitespace).collect()
}

pub(super) fn words(lines: impl Iterator<Item = &'static str>) -> Words {
    lines.flat_map(str::split_whitespace).collect()
}

pub(super) fn stem_of(word: &str) -> String {
    String::from_utf8_lossy(stem(word.as_bytes())).into_owned()
}

/// The stems of the forms of each irregular word.
pub(super) fn irregular() -> impl Iterator<Item = Vec<String>> {
    lines(list!("irregular")).map(|row| row.split(' ').map(stem_of).collect())
}

/// The stem of each word, and of the other forms of one that is irregular.
fn stems(list: &'static str) -> HashSet<String> {
    let mut found: HashSet<String> = lines(list).flat_map(str::split_whitespace).map(stem_of).collect();
    let forms: Vec<String> = irregular().filter(|row| row.iter().any(|form| found.contains(form))).flatten().collect();
    found.extend(forms);
    found
}

/// With a space on each side, as they stand between other words; a mark follows a word at once.
fn spaced(lines: impl Iterator<Item = &'static str>) -> Vec<String> {
    lines.map(|line| if line.starts_with(',') { format!("{line} ") } else { format!(" {line} ") }).collect()
}

pub(super) fn lexicon(list: &'static str, name: &str) -> Lexicon {
    Lexicon::parse(&named(list, name).collect::<Vec<_>>().join("\n"))
}

/// The first that fits counts: the longer ones first.
fn sayings(list: &'static str, name: &str) -> Lexicon {
    let mut phrases: Vec<&str> = named(list, name).collect();
    phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.split(' ').count()));
    Lexicon::parse(&phrases.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_list_is_empty() {
        let shown = format!("{:#?}", lists());
        let is_empty = |line: &&str| ["{},", "[],"].iter().any(|nothing| line.ends_with(nothing));
        assert_eq!(shown.lines().filter(is_empty).collect::<Vec<_>>(), [""; 0]);
    }
    #[test]
    fn no_row_stands_twice() {
        for list in [list!("alternatives"), list!("antonyms"), list!("synonyms")] {
            let mut seen = HashSet::default();
            assert_eq!(lines(list).filter(|row| !seen.insert(*row)).collect::<Vec<_>>(), [""; 0]);
        }
    }
}
