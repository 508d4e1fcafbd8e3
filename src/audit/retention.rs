//! How much of what the originals held a record kept: by field, by the stretch that it was first said in, and over the
//! generations. What the originals held is compiled elsewhere; here it is only looked for.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use foldhash::{HashMap, HashMapExt, HashSet};

use super::likeness::{Brief, certainty_of, common, digits, stems, stems_of, values_of};
use crate::extract::{Language, identifiers, words};
use crate::record::{Detail, Field, Item, Record, Retention};
use crate::session::Compaction;

/// A marker whose record is measured.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'a> {
    /// The marker.
    pub compaction: &'a Compaction,
    /// What it kept.
    pub record: &'a Record,
    /// What is compiled mechanically from the turns that it reaches.
    pub compiled: &'a Record,
}

/// What was measured at one marker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measure {
    /// Of everything.
    pub all: Retention,
    /// See [`crate::record::Checked::stretches`].
    pub stretches: Vec<(u32, Retention)>,
    /// See [`crate::record::Checked::first`].
    pub first: Retention,
}

/// So much of a statement's stems one item of the record must hold, in hundredths.
const HELD: usize = 60;
/// A statement that is no surer has a hedge.
const HEDGED: u8 = 4;
/// So many stretches are told apart; what was said before them counts with the first.
const STRETCHES: usize = 12;
/// So many things of each field are followed from the first marker through all others.
const FOLLOWED: usize = 40;
/// So many gists of a field are kept; more of them are made anew.
const KNOWN: usize = 20_000;

/// All markers, in their order.
pub fn retention(markers: &[Measured]) -> Vec<Measure> {
    let mut gists = Gists::default();
    let early: Vec<Asked> = markers.first().map(|first| first_of_each(first.compiled, &mut gists)).unwrap_or_default();
    let places: Vec<(u64, u32)> = markers.iter().map(|one| (one.compaction.place.offset, one.compaction.no)).collect();
    let mut all = Vec::with_capacity(markers.len());
    for marker in markers {
        let holding = Holding::of(marker.record, &mut gists);
        let mut measure = Measure::default();
        let mut stretches: BTreeMap<u32, Retention> = BTreeMap::new();
        for item in counted(marker.compiled) {
            let one = Asked::of(item, &mut gists);
            let found = holding.find(&one);
            one.count(found, &holding, &mut measure.all);
            if let Some(no) = one.stretch(&places) {
                one.count(found, &holding, stretches.entry(no).or_default());
            }
        }
        for one in &early {
            one.count(holding.find(one), &holding, &mut measure.first);
        }
        measure.stretches = joined(stretches.into_iter().collect());
        all.push(measure);
    }
    all
}

/// What is counted: everything but prose.
fn counted(compiled: &Record) -> impl Iterator<Item = &Item> {
    compiled.items.iter().filter(|item| item.field != Field::Narrative)
}

/// Of each field the first ones, which matter most: so many are followed through all markers.
fn first_of_each<'a>(compiled: &'a Record, gists: &mut Gists<'a>) -> Vec<Asked<'a>> {
    let mut taken: HashMap<Field, usize> = HashMap::new();
    let mut take = |item: &&Item| {
        let taken = taken.entry(item.field).or_default();
        *taken += 1;
        *taken <= FOLLOWED
    };
    counted(compiled).filter(|item| take(item)).map(|item| Asked::of(item, gists)).collect()
}

/// What is looked at of an item.
struct Gist<'a> {
    item: &'a Item,
    stems: Vec<String>,
    values: OnceCell<Vec<String>>,
    hedged: OnceCell<bool>,
}

impl<'a> Gist<'a> {
    fn of(item: &'a Item) -> Self {
        Self { item, stems: stems_of(item), values: OnceCell::new(), hedged: OnceCell::new() }
    }

    fn values(&self) -> &[String] {
        self.values.get_or_init(|| values_of(self.item))
    }

    fn is_hedged(&self) -> bool {
        *self.hedged.get_or_init(|| certainty_of(self.item) <= HEDGED)
    }
}

/// Gists and names of texts that were met before: records repeat themselves from marker to marker.
#[derive(Default)]
struct Gists<'a> {
    known: HashMap<Field, HashMap<String, Rc<Gist<'a>>>>,
    names: HashMap<String, Rc<[String]>>,
}

impl<'a> Gists<'a> {
    fn of(&mut self, item: &'a Item) -> Rc<Gist<'a>> {
        let known = self.known.entry(item.field).or_default();
        if known.len() > KNOWN {
            known.clear();
        }
        // A figure is more than its text: its label and value stand beside it.
        let figure = match &item.detail {
            Detail::Figure { label, value, .. } => Some([item.text.as_str(), label, value].join("\n")),
            Detail::Plain | Detail::Entity { .. } | Detail::Action { .. } | Detail::RuledOut { .. } => None,
        };
        let key = figure.as_ref().unwrap_or(&item.text);
        if let Some(gist) = known.get(key) {
            return Rc::clone(gist);
        }
        let gist = Rc::new(Gist::of(item));
        known.insert(key.clone(), Rc::clone(&gist));
        gist
    }

    fn names(&mut self, text: &str) -> Rc<[String]> {
        if self.names.len() > KNOWN {
            self.names.clear();
        }
        if let Some(names) = self.names.get(text) {
            return Rc::clone(names);
        }
        let names: Rc<[String]> = names(text).into();
        self.names.insert(text.to_owned(), Rc::clone(&names));
        names
    }
}

/// The last stretches; those before them as one with the first of these.
fn joined(mut stretches: Vec<(u32, Retention)>) -> Vec<(u32, Retention)> {
    let old = stretches.len().saturating_sub(STRETCHES);
    let sum = stretches.drain(..old).fold(Retention::default(), |sum, (_, one)| sum.plus(&one));
    if let Some((_, first)) = stretches.first_mut() {
        *first = first.plus(&sum);
    }
    stretches
}

/// Something that the originals held.
struct Asked<'a> {
    item: &'a Item,
    form: Form<'a>,
}

/// What it is looked for by. Names and figures are many, and looked for by their bytes alone.
enum Form<'a> {
    Name,
    Figure { value: String, label: Vec<String> },
    Call(Rc<Gist<'a>>, Rc<[String]>),
    Statement(Rc<Gist<'a>>),
}

impl<'a> Asked<'a> {
    fn of(item: &'a Item, gists: &mut Gists<'a>) -> Self {
        let form = match (item.field, &item.detail) {
            (Field::Entities, _) => Form::Name,
            (Field::Figures, Detail::Figure { value, label, .. }) => {
                Form::Figure { value: digits(value), label: stems(label) }
            }
            (Field::Actions, _) => Form::Call(gists.of(item), gists.names(&item.text)),
            (
                Field::Narrative
                | Field::Figures
                | Field::Constraints
                | Field::Decisions
                | Field::RuledOut
                | Field::Open,
                _,
            ) => Form::Statement(gists.of(item)),
        };
        Self { item, form }
    }

    fn count(&self, found: Option<usize>, holding: &Holding, retention: &mut Retention) {
        if let Some(count) = retention.of_mut(self.item.field) {
            count.held += 1;
            count.kept += u32::from(found.is_some());
        }
        if let Form::Statement(gist) = &self.form
            && gist.is_hedged()
        {
            retention.hedges.held += 1;
            let still = found.and_then(|at| holding.gists.get(at)).is_some_and(|gist| gist.is_hedged());
            retention.hedges.kept += u32::from(still);
        }
    }

    /// The marker that came next after it was first said.
    fn stretch(&self, places: &[(u64, u32)]) -> Option<u32> {
        let said = self.item.sources.iter().map(|source| source.place.offset).min()?;
        places.get(places.partition_point(|(at, _)| *at <= said)).map(|(_, no)| *no)
    }
}

/// The identifiers of a text, and what follows the last slash of each.
fn names(text: &str) -> Vec<String> {
    let language = Language::english();
    let found = identifiers(text, language).into_iter().map(|one| text[one.range].to_owned());
    found.collect()
}

fn basename(name: &str) -> &str {
    name.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or(name)
}

/// What a record holds, ready to be asked.
#[derive(Default)]
struct Holding<'a> {
    names: HashSet<String>,
    by_value: HashMap<String, Vec<usize>>,
    by_stem: HashMap<String, Vec<usize>>,
    gists: Vec<Rc<Gist<'a>>>,
    brief: Brief,
}

/// Held by the record's words, not by one item.
const SOMEWHERE: usize = usize::MAX;

impl<'a> Holding<'a> {
    fn of(record: &'a Record, gists: &mut Gists<'a>) -> Self {
        let mut holding = Self::default();
        holding.name_all(&record.summary);
        for (at, item) in record.items.iter().enumerate() {
            if record.summary.is_empty() {
                holding.name_all(&item.text);
            }
            holding.name(&item.text);
            let gist = gists.of(item);
            for value in gist.values() {
                holding.by_value.entry(value.clone()).or_default().push(at);
            }
            for stem in &gist.stems {
                holding.by_stem.entry(stem.clone()).or_default().push(at);
            }
            holding.brief.add(at, item.field, &gist.stems);
            holding.gists.push(gist);
        }
        holding
    }

    fn name_all(&mut self, text: &str) {
        for name in names(text) {
            self.name(&name);
        }
        self.names.extend(words(text).into_iter().map(|word| text[word.range].to_owned()));
    }

    fn name(&mut self, name: &str) {
        self.names.insert(name.to_owned());
        self.names.insert(basename(name).to_owned());
    }

    fn names(&self, name: &str) -> bool {
        self.names.contains(name) || self.names.contains(basename(name))
    }

    /// The item that holds this, or [`SOMEWHERE`] where only the bytes matter; `None` where nothing does.
    fn find(&self, asked: &Asked) -> Option<usize> {
        match &asked.form {
            Form::Name => self.names(&asked.item.text).then_some(SOMEWHERE),
            Form::Figure { value, label } => self.value(value, label),
            Form::Call(_, names) if names.iter().any(|name| self.names(name)) => Some(SOMEWHERE),
            Form::Call(gist, _) => self.statement(gist),
            Form::Statement(gist) => self.statement(gist).or_else(|| self.brief.find(asked.item.field, &gist.stems)),
        }
    }

    /// The value with its label, or with none where one of the two says none.
    fn value(&self, value: &str, label: &[String]) -> Option<usize> {
        let named = |at: &usize| label.is_empty() || common(label, &self.gists[*at].stems).next().is_some();
        self.by_value.get(value)?.iter().copied().find(named)
    }

    fn statement(&self, gist: &Gist) -> Option<usize> {
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for at in gist.stems.iter().filter_map(|stem| self.by_stem.get(stem)).flatten() {
            *shared.entry(*at).or_default() += 1;
        }
        let best = shared.into_iter().max_by_key(|(at, count)| (*count, std::cmp::Reverse(*at)))?;
        (best.1 * 100 >= gist.stems.len() * HELD).then_some(best.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::world::{compaction, item, record};
    use super::*;

    /// What was compiled and what was kept; then held and kept of the field, and of hedges.
    fn check(field: Field, compiled: &str, kept: (Field, &str), want: (u32, u32), hedges: (u32, u32)) {
        let compiled = record(&[(field, compiled)]);
        let kept = record(&[kept]);
        let marker = compaction(1);
        let measured = Measured { compaction: &marker, record: &kept, compiled: &compiled };
        let got = retention(&[measured]).remove(0).all;
        let of = got.of(field).unwrap_or_default();
        assert_eq!(
            (of.held, of.kept, got.hedges.held, got.hedges.kept),
            (want.0, want.1, hedges.0, hedges.1),
            "{field:?}"
        );
    }

    #[test]
    fn an_item_is_kept_in_any_form() {
        let prose = Field::Narrative;
        check(Field::Entities, "src/db/orders.rs", (prose, "It changed orders.rs."), (1, 1), (0, 0));
        check(Field::Entities, "src/db/orders.rs", (prose, "It changed the orders."), (1, 0), (0, 0));
        check(
            Field::Constraints,
            "Never delete a payload.",
            (Field::Constraints, "never delete payloads"),
            (1, 1),
            (0, 0),
        );
        check(Field::Constraints, "Never delete a payload.", (prose, "The table is full."), (1, 0), (0, 0));
        check(Field::RuledOut, "the address check", (Field::RuledOut, "address check"), (1, 1), (0, 0));
        let long = "Negative ids are ruled out: the scanner accepts ten digits and nothing else.";
        check(Field::RuledOut, long, (Field::RuledOut, "negative ids"), (1, 1), (0, 0));
        check(Field::RuledOut, long, (Field::Open, "negative ids"), (1, 0), (0, 0));
    }

    #[test]
    fn a_hedge_is_kept_only_where_the_statement_still_has_one() {
        let asked = "Should orders.status become an enum?";
        check(Field::Open, asked, (Field::Open, "Whether orders.status becomes an enum"), (1, 1), (1, 1));
        check(Field::Open, asked, (Field::Decisions, "orders.status becomes an enum"), (1, 1), (1, 0));
        check(Field::Open, asked, (Field::Decisions, "ids are widened"), (1, 0), (1, 0));
    }

    #[test]
    fn what_is_kept_is_told_by_the_stretch_that_it_was_said_in() {
        let mut compiled = record(&[(Field::Entities, "config/a.toml"), (Field::Entities, "config/b.toml")]);
        for (at, item) in compiled.items.iter_mut().enumerate() {
            item.sources = vec![super::super::world::source("x", 10 + 100 * at as u64)];
        }
        let first = record(&[(Field::Narrative, "It reads config/a.toml.")]);
        let second = record(&[(Field::Narrative, "It reads config/b.toml.")]);
        let early = Record { items: compiled.items[..1].to_vec(), ..Record::default() };
        let (m1, m2) = (compaction(1), compaction(2));
        let got = retention(&[
            Measured { compaction: &m1, record: &first, compiled: &early },
            Measured { compaction: &m2, record: &second, compiled: &compiled },
        ]);
        let of = |retention: &Retention| (retention.entities.held, retention.entities.kept);
        let told: Vec<_> = got[1].stretches.iter().map(|(no, one)| (*no, of(one))).collect();
        assert_eq!(told, [(1, (1, 0)), (2, (1, 1))], "the older stretch was forgotten");
        assert_eq!((of(&got[0].first), of(&got[1].first)), ((1, 1), (1, 0)), "the curve over the generations");
        assert_eq!(item(Field::Open, "x").field, Field::Open);
    }
}
