//! Identifiers: one that stands nowhere before the marker was never said, or is nearly one that was.

use crate::extract::{Class, Language, identifiers, words};
use crate::record::{Detail, Field, Finding, FindingKind, Item, Judgement, Severity, Verdict};
use crate::session::SourceRef;
use foldhash::HashSet;

use super::Case;
use super::beside::Read;
use super::context::{Holders, Setting, is_coined, is_formula, labelled, line_of};
use super::forms::{bare, splits};
use super::instead::other_name;
use super::near::Near;
use super::tokens::{is_slip, tokens};

/// The verdicts of the entities, each with its item, and what is wrong with them.
pub(super) fn judge(case: &Case, read: &Read) -> (Vec<(usize, Judgement)>, Vec<Finding>) {
    let (mut judged, mut findings) = (Vec::new(), Vec::new());
    let holders = Holders::of(case.record);
    for (at, item) in case.record.items.iter().enumerate().filter(|(_, item)| item.field == Field::Entities) {
        let standing = standing(case, item);
        let (verdict, why) = match &standing {
            Standing::There if item.verdict == Verdict::Verified => (Verdict::Verified, None),
            Standing::There => (Verdict::Weak, None),
            Standing::Fair => (Verdict::Weak, Some("the originals write it in another form".to_owned())),
            Standing::Nearly(..) => (Verdict::Contested, None),
            Standing::Nowhere if case.is_whole() => {
                (Verdict::Unsupported, Some("no turn before it holds this name".to_owned()))
            }
            Standing::Nowhere => {
                (Verdict::Unchecked, Some("the beginning of the session is not there to look at".to_owned()))
            }
            Standing::Unknown => (Verdict::Unchecked, Some("this form cannot be looked up".to_owned())),
        };
        judged.push((at, Judgement { verdict, why, better: None }));
        findings.extend(finding((case, read, &holders), at, item, &standing));
    }
    leave_parts(case, &mut findings);
    (judged, findings)
}

/// How a name stands in the originals.
enum Standing<'a> {
    There,
    /// Not so, but what it is made of does.
    Fair,
    /// With the token of the name that differs, where only one does.
    Nearly(&'a Near, (usize, usize)),
    Nowhere,
    /// A pattern, or something that was not looked for.
    Unknown,
}

fn standing<'a>(case: &Case<'a>, item: &Item) -> Standing<'a> {
    let (name, here) = (item.text.as_str(), case.compaction.place.offset);
    let presence = case.presence;
    let is_there = |text: &str| presence.is_before(text, here) == Some(true);
    let loosely = |text: &str| presence.is_loosely_before(text, here) == Some(true);
    if is_short_number(item) {
        return numbered(case, item);
    }
    if is_there(name) || is_there(bare(name)) {
        return Standing::There;
    }
    if presence.is_before(name, here).is_none() {
        return Standing::Unknown;
    }
    // The digits of `04:00` stand in any time stamp.
    let clock = class(item) == Class::Date.name() && name.bytes().all(|b| b.is_ascii_digit() || b == b':');
    if !clock && (loosely(name) || loosely(bare(name)) || is_plural_of(case, name)) {
        return Standing::Fair;
    }
    if is_pattern(name) || is_member(item) {
        return Standing::Unknown;
    }
    let class = class(item);
    // What changed may be one token whose neighbours are right.
    if let Some(near) = near_compound(case, item) {
        let at = name.find(&*near.1).map_or((0, name.len()), |at| (at, at + near.1.len()));
        return Standing::Nearly(near.0, at);
    }
    if splits(bare(name)).iter().any(|(head, tail)| loosely(head) && loosely(tail)) && !is_exact(class) {
        return Standing::Fair;
    }
    let missing: Vec<_> = tokens(name)
        .filter(|range| {
            let token = &name[range.clone()];
            presence.is_loosely_before(token, here) == Some(false)
        })
        .collect();
    for range in &missing {
        let token = &name[range.clone()];
        if let Some(near) = near_token(case, item, token) {
            return Standing::Nearly(near, (range.start, range.end));
        }
    }
    let path = class == Class::Path.name();
    let telling = |range: &std::ops::Range<usize>| {
        let token = &name[range.clone()];
        token.len() >= 4 || token.len() == 3 && (path || token.bytes().all(|b| b.is_ascii_digit()))
    };
    if clock || missing.iter().any(telling) || is_exact(class) {
        return Standing::Nowhere;
    }
    if missing.is_empty() { Standing::Fair } else { Standing::Unknown }
}

/// So many digits are the same number wherever they stand: `4407` of `pull/4407`.
const TELLING: usize = 4;

/// `412` of `issue #412`: the digits alone stand anywhere.
fn is_short_number(item: &Item) -> bool {
    let digits = item.text.trim_start_matches('#');
    matches!(class(item), "id" | "number") && digits.len() < 5 && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Whether it stands there as the number of the same thing.
fn numbered<'a>(case: &Case<'a>, item: &Item) -> Standing<'a> {
    let here = case.compaction.place.offset;
    let labelled = labelled(case.record, item);
    let mut asked = labelled
        .iter()
        .filter_map(|form| {
            // The sign has no token of its own.
            let exact = form.starts_with('#');
            if exact { case.presence.is_before(form, here) } else { case.presence.is_loosely_before(form, here) }
        })
        .peekable();
    if asked.peek().is_none() {
        return Standing::Unknown;
    }
    let digits = item.text.trim_start_matches('#');
    if asked.any(|there| there) {
        Standing::There
    } else if digits.len() >= TELLING && case.presence.is_before(digits, here) == Some(true) {
        Standing::Fair
    } else {
        Standing::Nowhere
    }
}

fn class(item: &Item) -> &str {
    match &item.detail {
        Detail::Entity { class } => class,
        Detail::Plain | Detail::Figure { .. } | Detail::Action { .. } | Detail::RuledOut { .. } => "",
    }
}

/// Of these every byte counts: their parts stand anywhere.
fn is_exact(class: &str) -> bool {
    [Class::Uuid, Class::Ip, Class::Version, Class::Hash, Class::Number, Class::Email, Class::Id]
        .iter()
        .any(|one| one.name() == class)
}

fn is_plural_of(case: &Case, name: &str) -> bool {
    let here = case.compaction.place.offset;
    ["s", "es", "'s", "’s"]
        .iter()
        .filter_map(|ending| bare(name).strip_suffix(ending))
        .any(|one| case.presence.is_loosely_before(one, here) == Some(true))
}

/// `*_test.go`, `<name>`, `a/{b,c}`, `src/…`: it stands for others.
fn is_pattern(name: &str) -> bool {
    name.contains(['*', '<', '>', '{', '}', '…', '|', '[', ']']) || name.contains("...") || name.contains("XXX")
}

/// `step-5`: one of a row, which a summary may count through.
fn is_member(item: &Item) -> bool {
    let digits = item.text.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let counted = (1..3).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    class(item) == Class::Id.name() && counted && digits.len() < item.text.len() && item.text.len() < 6
}

/// A name of the originals with one token changed, for the whole or for one of its words; with the word of this name.
fn near_compound<'a>(case: &Case<'a>, item: &Item) -> Option<(&'a Near, String)> {
    let (name, here) = (item.text.as_str(), case.compaction.place.offset);
    let missing = |word: &&str| case.presence.is_loosely_before(word, here) == Some(false);
    let words = std::iter::once(name).chain(name.split_whitespace().filter(|word| *word != name)).filter(missing);
    for word in words {
        for near in case.presence.near(word, here) {
            let fits = if class(item) == Class::Date.name() {
                is_same_time(case, item, near)
            } else {
                !is_of_a_row(word, &near.text)
            };
            if fits && is_about(case, name, near) {
                return Some((near, word.to_owned()));
            }
        }
    }
    None
}

/// A date or a time a slip away, said with the same words: many times may be meant.
fn is_same_time(case: &Case, item: &Item, near: &Near) -> bool {
    let language = Language::english();
    let (line, _) = line_of(case.record, item);
    let content = |text: &str| -> HashSet<String> {
        words(text).into_iter().map(|word| word.lower.into_owned()).filter(|word| language.is_content(word)).collect()
    };
    let shared = content(line).intersection(&content(near.citation.quote())).filter(|word| word.len() > 3).count();
    shared > 1 && is_slip(&near.text, &item.text)
}

/// `step-3` and `step-4`: members of a row, both may be meant. One that says a version is none.
fn is_of_a_row(one: &str, other: &str) -> bool {
    let ones: Vec<&str> = tokens(one).map(|range| &one[range]).collect();
    let others: Vec<&str> = tokens(other).map(|range| &other[range]).collect();
    let number = |token: &&str| token.bytes().any(|b| b.is_ascii_digit());
    let version = |token: &&str| token.starts_with('v') && token[1..].bytes().all(|b| b.is_ascii_digit());
    let dotted = ones.len() >= 3 && ones.iter().all(|token| token.bytes().all(|b| b.is_ascii_digit()));
    !dotted
        && ones
            .iter()
            .zip(&others)
            .any(|(a, b)| !a.eq_ignore_ascii_case(b) && number(a) && number(b) && !(version(a) && version(b)))
}

/// The best name of the originals that is a slip away from this token.
fn near_token<'a>(case: &Case<'a>, item: &Item, token: &str) -> Option<&'a Near> {
    let here = case.compaction.place.offset;
    let shared = |near: &&Near| {
        let whole = near.whole.to_lowercase();
        tokens(&item.text).filter(|range| whole.contains(&item.text[range.clone()].to_lowercase())).count()
    };
    let other = |near: &&Near| !near.text.eq_ignore_ascii_case(token) && is_same_kind(token, &near.text);
    // A short word is near to others that have nothing to do with it: a neighbour must be the same.
    let alone = tokens(&item.text).count() == 1;
    let telling = token.len() > 6 || token.bytes().any(|b| b.is_ascii_digit()) || token.contains('_');
    let fits = |near: &&Near| telling || if alone { token.len() > 5 } else { shared(near) > 0 };
    let found = case.presence.near(token, here).into_iter().filter(other).filter(fits);
    found
        .filter(|near| is_about(case, &item.text, near))
        .max_by_key(|near| (shared(near), near.text.len() == token.len()))
}

/// Where the beginning is missing, the other name may have stood there: then only a long one that looks random, or one
/// with the same words around it, contradicts.
fn is_about(case: &Case, name: &str, near: &Near) -> bool {
    let digits = near.text.bytes().filter(u8::is_ascii_digit).count();
    let random = near.text.len() >= 7 && digits >= 3;
    case.is_whole() || random || tokens(name).count() > 2 && near.whole.len() + 1 >= name.len()
}

/// A short word is near to many others; a number of few digits to more.
fn is_same_kind(token: &str, near: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let begun = near.get(..token.len()).is_some_and(|begun| is_slip(begun, token));
    digits(token) == digits(near)
        && (token.len() >= 4)
        && (is_slip(&near.to_lowercase(), &token.to_lowercase()) || begun)
}

fn finding(
    (case, read, holders): (&Case, &Read, &Holders),
    at: usize,
    item: &Item,
    standing: &Standing,
) -> Option<Finding> {
    if matches!(standing, Standing::There | Standing::Fair | Standing::Unknown) {
        return None;
    }
    let setting = holders.setting(item);
    let made = |kind, why| Finding {
        decisive: vec![(0, item.text.len())],
        ..Finding::of((case.compaction.no, at, item), kind, severity(item, setting), why)
    };
    match standing {
        Standing::There | Standing::Fair | Standing::Unknown => None,
        Standing::Nowhere => {
            let sure = case.is_whole() && class(item) != Class::Date.name() && !setting.heading;
            if !sure || is_formula(case.record, item) || is_coined(case.record, item, Language::english()) {
                return None;
            }
            let claim = holders.of_item(item);
            let other = claim.and_then(|claim| other_name(case, read, claim, item));
            let other = other.map(|rival| (rival.source, rival.at, rival.said));
            let Some((source, there, name)) = other.or_else(|| rival(case, at, claim)) else {
                // The digits of a number may stand anywhere, as those of something else.
                let stands = case.presence.is_before(&item.text, case.compaction.place.offset) == Some(true);
                let why = if stands {
                    format!("The originals hold {}, but not beside what the summary says it of", item.text)
                } else {
                    format!("{} stands nowhere before this compaction", item.text)
                };
                return Some(made(FindingKind::Invented, why));
            };
            let why = format!("The originals say {name} (turn {}); the summary says {}", source.turn, item.text);
            Some(Finding { sources: vec![source], decisive_there: vec![there], ..made(FindingKind::Altered, why) })
        }
        Standing::Nearly(near, differs) => Some(Finding {
            sources: vec![near.citation.source()],
            decisive: vec![*differs],
            decisive_there: vec![near.at],
            ..made(
                FindingKind::Altered,
                format!(
                    "The originals say {} (turn {}); the summary says {}",
                    near.whole,
                    near.citation.turn(),
                    item.text
                ),
            )
        }),
    }
}

/// Another name of the same kind and family in words that say the same otherwise, and that the summary does not hold.
fn rival(case: &Case, at: usize, claim: Option<usize>) -> Option<(SourceRef, (usize, usize), String)> {
    /// So much of the claim the words must hold.
    const MOST: f32 = 0.35;
    let item = &case.record.items[at];
    let family = |name: &str| name.trim_start_matches(['/', '.']).split(['/', '.']).next().map(str::to_lowercase);
    let passages = [Some(at), claim].into_iter().flatten().flat_map(|at| &case.passages[at]);
    for passage in passages.filter(|passage| passage.share >= MOST) {
        let quote = passage.quote();
        for one in identifiers(quote, Language::english()) {
            let name = &quote[one.range.clone()];
            let same = one.class.name() == class(item) && family(name) == family(&item.text);
            if same && name != item.text && !case.record.summary.contains(name) {
                return Some((passage.source(), (one.range.start, one.range.end), name.to_owned()));
            }
        }
    }
    None
}

fn severity(item: &Item, setting: Setting) -> Severity {
    let acted_on = [
        Class::Path,
        Class::Url,
        Class::Email,
        Class::Uuid,
        Class::Ip,
        Class::Version,
        Class::Hash,
        Class::Ticket,
        Class::Env,
        Class::Id,
        Class::Number,
        Class::Flag,
        Class::Command,
    ];
    let binding = matches!(setting.field, Some(Field::Decisions | Field::Constraints | Field::Actions));
    let acted_on = acted_on.iter().any(|one| one.name() == class(item));
    if binding || acted_on { Severity::High } else { Severity::Medium }
}

/// A command, and a name that is a part of it: one thing is wrong, and the smaller says which.
fn leave_parts(case: &Case, findings: &mut Vec<Finding>) {
    let mut ranges: Vec<(usize, usize)> = findings.iter().filter_map(|finding| finding.summary_range).collect();
    ranges.sort_unstable();
    findings.retain(|finding| {
        let Some(item) = finding.item.map(|at| &case.record.items[at]) else { return true };
        let Some((start, end)) = finding.summary_range.filter(|_| class(item) == Class::Command.name()) else {
            return true;
        };
        let first = ranges.partition_point(|(from, _)| *from < start);
        let inner = ranges[first..].iter().take_while(|(from, _)| *from <= end);
        !inner.into_iter().any(|(from, to)| *to <= end && (*from, *to) != (start, end))
    });
}
