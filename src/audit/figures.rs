//! Figures: a value that the originals give otherwise, or that they do not hold at all.

use std::cell::RefCell;

use foldhash::HashMap;

use crate::extract::Language;
use crate::record::{Detail, Field, Finding, FindingKind, Item, Judgement, Severity, Verdict};
use crate::session::Place;

use super::Case;
use super::asked::Other;
use super::beside::{Beside, Need, Read, Rival};
use super::context::{Holders, line_of};
use super::forms::amounts;
use super::numbers::{Numbered, plain};
use super::quantities::is_measure;
use super::readings::Reading;
use super::sums::Worked;
use super::tokens::{LIMIT, is_swap};
use super::vocabulary::Vocabulary;

/// The verdicts of the figures, each with its item, and what is wrong with them.
pub(super) fn judge(case: &Case, read: &Read) -> (Vec<(usize, Judgement)>, Vec<Finding>) {
    let (mut judged, mut findings) = (Vec::new(), Vec::new());
    let (holders, lines) = (Holders::of(case.record), Lines::default());
    for (at, item) in case.record.items.iter().enumerate().filter(|(_, item)| item.field == Field::Figures) {
        let Detail::Figure { value, unit, .. } = &item.detail else { continue };
        let reading = case.presence.reading(case.compaction.place.offset, at);
        let figure = Figure { case, at, item, value, unit, reading, lines: &lines };
        let standing = figure.standing(read, &holders);
        let standing = if figure.is_worked_out(&standing, read, &holders) { Standing::Derived } else { standing };
        let (verdict, why) = match &standing {
            Standing::There => {
                let exact = item.verdict == Verdict::Verified;
                (if exact { Verdict::Verified } else { Verdict::Weak }, None)
            }
            Standing::Otherwise(_) | Standing::Instead(_) => (Verdict::Contested, None),
            Standing::Elsewhere => {
                (Verdict::Weak, Some("the originals hold this number, but not beside these words".into()))
            }
            Standing::Derived => (Verdict::Weak, Some("no turn says this number; it may be counted or rounded".into())),
            Standing::Nowhere if case.is_whole() => {
                (Verdict::Unsupported, Some("no turn before it holds this number".into()))
            }
            Standing::Nowhere => {
                (Verdict::Unchecked, Some("the beginning of the session is not there to look at".into()))
            }
        };
        judged.push((at, Judgement { verdict, why, better: None }));
        findings.extend(figure.finding(at, &standing, &holders));
    }
    (judged, findings)
}

/// The numbers of lines, of the record and of what the originals say: many figures are held against one.
#[derive(Default)]
struct Lines<'a>(RefCell<HashMap<&'a str, Vec<String>>>);

impl<'a> Lines<'a> {
    /// Whether this value stands among the numbers of a line.
    fn hold(&self, line: &'a str, value: &str) -> bool {
        let numbers = || {
            let mut words = Vocabulary::default();
            Numbered::of(line, Language::english(), &mut words)
                .numbers()
                .map(|number| number.value.to_owned())
                .collect()
        };
        self.0.borrow_mut().entry(line).or_insert_with(numbers).iter().any(|number| number == value)
    }
}

/// So many lines below a figure may be what it counts.
const BELOW: usize = 200;

enum Standing<'a> {
    There,
    Otherwise(&'a Other),
    /// The originals that the claim is tied to have another value in its place.
    Instead(Box<Rival>),
    /// The number stands in the originals, but not in those that speak of this, and not beside its words.
    Elsewhere,
    Derived,
    Nowhere,
}

struct Figure<'a, 'l> {
    case: &'a Case<'a>,
    /// The number of the item.
    at: usize,
    item: &'a Item,
    value: &'a str,
    unit: &'a str,
    reading: Option<Reading<'a>>,
    lines: &'l Lines<'a>,
}

impl<'a> Figure<'a, '_> {
    fn standing(&self, read: &Read, holders: &Holders) -> Standing<'a> {
        if let Some(other) = self.reading.and_then(|reading| self.otherwise(reading)) {
            // What stands beside a name in a program is changed where it is assigned, and not by a number alone.
            let given = self.reading.is_some_and(|reading| reading.heard.given);
            let later = (!other.with.assigned || given) && self.is_later(other.cited.citation.place());
            return if later { Standing::There } else { Standing::Otherwise(other) };
        }
        let there = self.is_there();
        if there && self.item.verdict == Verdict::Verified && !self.is_unsaid() {
            return Standing::There;
        }
        let beside = Beside::of((self.case, read), holders, self.at);
        let values = beside.values_of(self.item);
        if beside.holds(self.value) && !self.is_measure()
            || !values.is_empty() && values.iter().all(|one| beside.says(one))
        {
            return Standing::There;
        }
        let rival = |need| match values[..] {
            [only] if !self.is_counted() && !self.is_rough() => beside.rival(only, need),
            _ => None,
        };
        let derived = self.is_small() || self.is_rough() || self.is_counted() || self.is_converted();
        if !there && derived {
            return Standing::Derived;
        }
        let need = if there || !self.case.is_whole() { Need::Plain } else { Need::Likely };
        match rival(need) {
            Some(rival) if self.is_later(rival.source.place) => Standing::There,
            Some(rival) => Standing::Instead(Box::new(rival)),
            None if there && !self.is_unsaid() => Standing::There,
            None if there => Standing::Elsewhere,
            None => Standing::Nowhere,
        }
    }

    /// Whether it is a sum, a share or the like of what the originals say there, or rounds what stands in its place.
    fn is_worked_out(&self, standing: &Standing, read: &Read, holders: &Holders) -> bool {
        let said = match standing {
            Standing::Otherwise(other) => plain(&other.cited.value).parse().ok(),
            Standing::Instead(rival) => plain(rival.said.split(' ').next().unwrap_or_default()).parse().ok(),
            Standing::Nowhere => None,
            Standing::There | Standing::Elsewhere | Standing::Derived => return false,
        };
        let beside = Beside::of((self.case, read), holders, self.at);
        let [value] = beside.values_of(self.item)[..] else { return false };
        let Ok(number) = value.value.parse::<f64>() else { return false };
        let (before, behind) = beside.around(value);
        let worked = Worked { value: number, before, behind, joined: beside.joined(value) };
        said.is_some_and(|said: f64| worked.rounds(said)) || worked.comes_of(&beside.numbers())
    }

    /// Few enough to be counted by whoever sums up.
    fn is_small(&self) -> bool {
        let least = if self.value.starts_with(char::is_alphabetic) { 4 } else { 1 };
        let words = &Language::english().numbers;
        let value = words
            .get(self.value.to_lowercase().as_str())
            .map_or_else(|| plain(self.value), |digits| (*digits).to_owned());
        value.parse::<f64>().is_ok_and(|value| value < f64::from(least))
    }

    /// The number stands somewhere, but never near any word that it stands with here.
    fn is_unsaid(&self) -> bool {
        let two = plain(self.value).len() >= 2 && self.value.starts_with(|c: char| c.is_ascii_digit());
        let alone = self
            .reading
            .is_some_and(|Reading { asked, heard }| heard.shared == 0 && asked.about.len() >= 2 && !asked.placed);
        two && alone && !self.is_rough() && !self.is_counted() && !self.is_converted()
    }

    fn is_before(&self, text: &str) -> bool {
        self.case.presence.is_before(text, self.case.compaction.place.offset) == Some(true)
    }

    fn is_there(&self) -> bool {
        let mut parts = self.value.split(['-', '–', '/']).map(str::trim);
        if parts.clone().count() > 1 && parts.all(|part| self.is_before(part)) {
            return true;
        }
        let language = Language::english();
        let number = self.is_before(self.value)
            || self.is_before(&self.value.replace(',', ""))
            || language.other_forms(self.value).iter().any(|form| self.is_before(form));
        amounts(self.value, self.unit, language).iter().any(|text| self.is_before(text))
            || number
                && (!self.is_measure()
                    || self.reading.is_none_or(|reading| reading.heard.counted || reading.heard.given))
    }

    /// With a unit that a bare number elsewhere does not have: `41 s`, `80%`.
    fn is_measure(&self) -> bool {
        !self.unit.is_empty() && self.unit.len() <= 3 || is_measure(self.unit, Language::english())
    }

    /// The same in another unit: `1.5 s` of 1,500 ms.
    fn is_converted(&self) -> bool {
        let Ok(value) = plain(self.value).parse::<f64>() else { return false };
        let whole = |value: f64| (value.fract() == 0.0).then(|| format!("{value}"));
        self.is_measure()
            && [1000.0, 60.0, 0.001, 1.0 / 60.0, 1024.0].iter().filter_map(|by| whole(value * by)).any(|text| {
                self.is_before(&text)
                    || self
                        .reading
                        .is_some_and(|reading| reading.heard.others.iter().any(|one| one.cited.value == text))
            })
    }

    /// Another value that the originals give for what this one is of; never where they give this one as well.
    fn otherwise(&self, reading: Reading<'a>) -> Option<&'a Other> {
        // Where the summary says both, it knows both; where one original does, the other value is of something else.
        let (line, _) = line_of(self.case.record, self.item);
        let own = plain(self.value);
        let both = |other: &&'a Other| {
            self.lines.hold(line, &other.cited.value) || self.lines.hold(other.cited.citation.quote(), &own)
        };
        self.another(reading).filter(|other| !both(other))
    }

    /// Whether the originals give this value later than what stands at a place: what was said last holds.
    fn is_later(&self, place: Place) -> bool {
        self.reading.is_some_and(|reading| reading.heard.last > Some(place))
    }

    fn another(&self, Reading { asked, heard }: Reading<'a>) -> Option<&'a Other> {
        if asked.assigned.is_some()
            && !heard.given
            && let Some(other) = heard.others.iter().find(|other| other.with.assigned)
        {
            return Some(other);
        }
        if let Some(other) = self.recounted(Reading { asked, heard }) {
            return Some(other);
        }
        if heard.named {
            return None;
        }
        let slip = |other: &&Other| {
            other.is_near(&asked.value)
                && (other.with.same_unit || is_swap(&other.cited.value, &asked.value))
                && (other.with.named || other.with.shared > 1)
                && heard.shared < other.with.shared
        };
        heard.others.iter().find(slip)
    }

    /// The one value that stands with the same label, where this one never does: `4 plans`, of which a summary makes 6.
    fn recounted(&self, Reading { asked, heard }: Reading<'a>) -> Option<&'a Other> {
        // One and none count nothing.
        let small = |value: &str| value.parse::<u32>().is_ok_and(|value| (2..100).contains(&value));
        let limit = asked.about.iter().any(|about| about.key == LIMIT);
        let held = if limit { heard.limited } else { heard.named || heard.shared > 1 || heard.counted };
        if held || asked.placed || self.is_counted() || self.is_rough() || !small(&asked.value) {
            return None;
        }
        let same = |other: &&Other| {
            other.with.shared > 1
                && !other.with.placed
                && small(&other.cited.value)
                && if limit { other.with.limit } else { other.with.same_unit }
        };
        let mut found: Vec<&Other> = heard.others.iter().filter(same).collect();
        found.sort_by_key(|other| std::cmp::Reverse(other.with.shared));
        match found[..] {
            [only] => Some(only),
            [best, next, ..] if limit && best.with.shared > next.with.shared => Some(best),
            _ => None,
        }
    }

    /// `~2400`, `about 30`, `50+`: nobody says the number exactly.
    fn is_rough(&self) -> bool {
        let text = self.item.text.trim();
        !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '$' | '€' | '£'))
            && !text.starts_with(char::is_alphabetic)
            || text.ends_with('+')
            || text.starts_with(char::is_alphabetic) && text.contains(' ')
    }

    /// As many things stand in its line or below it.
    fn is_counted(&self) -> bool {
        let (line, _) = line_of(self.case.record, self.item);
        let Ok(value) = plain(self.value).parse::<usize>() else { return false };
        if !(2..=BELOW).contains(&value) {
            return value > 1 && line.matches(", ").count() + 1 == value;
        }
        if line.matches(", ").count() + 1 == value {
            return true;
        }
        let text = self.case.record.summary.as_str();
        let below = self.item.range.and_then(|(start, _)| text.get(start..)).map_or(0, |rest| {
            let indent = |line: &str| line.len() - line.trim_start().len();
            let own = indent(line);
            let bullet = |line: &&str| {
                line.trim_start().starts_with(['-', '*', '•', '+'])
                    || line.trim_start().starts_with(|c: char| c.is_ascii_digit())
            };
            let inside =
                rest.lines().skip(1).take(BELOW).take_while(|line| {
                    line.trim().is_empty() || indent(line) > own || bullet(line) && indent(line) >= own
                });
            let bullets: Vec<usize> = inside.filter(bullet).map(indent).collect();
            let least = bullets.iter().min().copied().unwrap_or(0);
            bullets.iter().filter(|indent| **indent == least).count()
        });
        below == value
    }

    fn finding(&self, at: usize, standing: &Standing, holders: &Holders) -> Option<Finding> {
        if matches!(standing, Standing::There | Standing::Derived) {
            return None;
        }
        let setting = holders.setting(self.item);
        let binding = matches!(setting.field, Some(Field::Decisions | Field::Constraints | Field::Actions));
        let made = |kind, severity, why| Finding {
            decisive: vec![(0, self.item.text.len())],
            ..Finding::of((self.case.compaction.no, at, self.item), kind, severity, why)
        };
        match standing {
            Standing::There | Standing::Derived => None,
            Standing::Instead(rival) => {
                let why = format!(
                    "The originals say {} (turn {}); the summary says {}",
                    rival.said, rival.source.turn, self.item.text
                );
                let severity = if binding { Severity::High } else { Severity::Medium };
                Some(Finding {
                    sources: vec![rival.source.clone()],
                    decisive_there: vec![rival.at],
                    ..made(FindingKind::Altered, severity, why)
                })
            }
            Standing::Elsewhere => self.case.is_whole().then(|| {
                let why = format!("The originals hold {}, but not beside what the summary says it of", self.value);
                // What it counts nobody gave a number near to this; a bare number, or a measure, may be said in other words.
                let counts = |reading: Reading| !reading.asked.units.is_empty() && !reading.heard.counted;
                let severity = if self.unit.is_empty() && self.reading.is_some_and(counts) {
                    Severity::Medium
                } else {
                    Severity::Low
                };
                made(FindingKind::Invented, severity, why)
            }),
            Standing::Otherwise(other) => {
                let severity = if other.with.named || other.with.limit || other.with.assigned || binding {
                    Severity::High
                } else {
                    Severity::Medium
                };
                let why = format!(
                    "The originals say {} (turn {}); the summary says {}",
                    other.cited.value,
                    other.cited.citation.turn(),
                    self.item.text
                );
                Some(Finding {
                    sources: vec![other.cited.citation.source()],
                    decisive_there: vec![other.cited.at],
                    ..made(FindingKind::Altered, severity, why)
                })
            }
            Standing::Nowhere => self.case.is_whole().then(|| {
                made(
                    FindingKind::Invented,
                    if binding { Severity::High } else { Severity::Medium },
                    format!("No turn before this compaction says {}", self.item.text),
                )
            }),
        }
    }
}
