//! The figures that are listened for, by what stands around them, their values and their names, all of it as numbers.

use std::collections::{BTreeMap, BTreeSet};

use foldhash::{HashMap, HashSet};

use crate::extract::runs::key_of;

use super::super::asked::Asked;
use super::super::tokens::LIMIT;
use super::super::vocabulary::Labels;

/// So many figures may wait at one label.
pub(super) const WAITING: usize = 64;
/// By how much an amount differs in another unit of time or size.
pub(super) const OTHER_UNITS: [f64; 5] = [1000.0, 60.0, 0.001, 1.0 / 60.0, 1024.0];

/// Texts by number, from 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers(HashMap<String, u32>);

impl Numbers {
    fn put(&mut self, text: &str) -> u32 {
        let next = self.0.len() as u32 + 1;
        *self.0.entry(text.to_owned()).or_insert(next)
    }

    /// 0 for a text that is none of them.
    pub(super) fn of(&self, text: &str) -> u32 {
        self.0.get(text).copied().unwrap_or(0)
    }
}

/// A figure as a number of a text is compared with it.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    /// The last place until which somebody listens.
    pub until: u64,
    pub value: u32,
    pub amount: Option<f64>,
    /// The name that it is assigned to; 0 for none.
    pub name: u32,
    /// 0 for none.
    pub units: [u32; 2],
    pub limit: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// By the place of a marker and the number of its item.
    pub places: HashMap<(u64, usize), usize>,
    /// The places of markers, and the figures that listen until there.
    pub ends: BTreeMap<u64, BTreeSet<usize>>,
    /// Each figure once, and what a number is compared with of it.
    pub asked: Vec<Asked>,
    pub figures: Vec<Figure>,
    same: HashMap<Asked, usize>,
    pub labels: Labels,
    /// By label: the figures, and whether it is a name for them.
    pub rows: Vec<Vec<(u32, bool)>>,
    /// The label of limits.
    pub limit: Option<u32>,
    pub values: Numbers,
    pub units: Numbers,
    pub names: Numbers,
    /// The runs that may be a value.
    pub runs: HashSet<u64>,
    /// The values as amounts, in order.
    by_amount: Vec<(f64, u32)>,
    /// The figures of each value, and those that are assigned to each name.
    pub of_value: Vec<Vec<u32>>,
    of_name: Vec<Vec<u32>>,
}

impl Index {
    /// A figure of the record of the marker at this place, by the number of its item there.
    pub(super) fn ask(&mut self, place: (u64, usize), asked: Asked) {
        let no = self.put(asked);
        let until = &mut self.figures[no].until;
        *until = place.0.max(*until);
        self.places.insert(place, no);
        self.ends.entry(place.0).or_default().insert(no);
    }

    fn put(&mut self, asked: Asked) -> usize {
        if let Some(no) = self.same.get(&asked) {
            return *no;
        }
        let no = self.asked.len();
        for about in &asked.about {
            let next = self.labels.len() as u32;
            let label = *self.labels.entry(about.key.clone()).or_insert(next);
            self.rows.resize_with(self.labels.len(), Vec::new);
            let row = &mut self.rows[label as usize];
            if row.len() < WAITING {
                row.push((no as u32, about.name));
            }
        }
        let value = &asked.value;
        self.runs.insert(key_of(value));
        // `2,400` is two runs, and `41s` is one.
        if let Some(last) = value.len().checked_sub(3).filter(|at| *at > 0).and_then(|at| value.get(at..)) {
            self.runs.insert(key_of(last));
        }
        self.runs.extend(asked.units.iter().map(|unit| key_of(&format!("{value}{unit}"))));
        let mut units = asked.units.iter().map(|unit| self.units.put(unit));
        let figure = Figure {
            until: 0,
            value: self.values.put(value),
            amount: value.parse().ok(),
            name: asked.assigned.as_ref().map_or(0, |name| self.names.put(name)),
            units: [units.next().unwrap_or(0), units.next().unwrap_or(0)],
            limit: asked.about.iter().any(|one| one.key == LIMIT),
        };
        for (rows, at) in [(&mut self.of_value, figure.value), (&mut self.of_name, figure.name)] {
            rows.resize_with(rows.len().max(at as usize + 1), Vec::new);
            rows[at as usize].push(no as u32);
        }
        self.same.insert(asked.clone(), no);
        self.asked.push(asked);
        self.figures.push(figure);
        no
    }

    /// Gets ready to be looked at: those that somebody listens for longest get the first numbers, so that the ones that
    /// nobody listens for any more are the last of every row.
    pub(super) fn close(&mut self) {
        self.same = HashMap::default();
        let mut order: Vec<u32> = (0..self.figures.len() as u32).collect();
        order.sort_by_key(|no| std::cmp::Reverse(self.figures[*no as usize].until));
        let mut new = vec![0; order.len()];
        for (no, old) in (0..).zip(&order) {
            new[*old as usize] = no;
        }
        let of = |no: usize| new[no] as usize;
        self.asked = order.iter().map(|old| self.asked[*old as usize].clone()).collect();
        self.figures = order.iter().map(|old| self.figures[*old as usize].clone()).collect();
        self.places.values_mut().for_each(|no| *no = of(*no));
        self.ends.values_mut().for_each(|numbers| *numbers = numbers.iter().map(|no| of(*no)).collect());
        for row in self.of_value.iter_mut().chain(&mut self.of_name) {
            for no in row.iter_mut() {
                *no = new[*no as usize];
            }
            row.sort_unstable();
        }
        for row in &mut self.rows {
            for (no, _) in row.iter_mut() {
                *no = new[*no as usize];
            }
            row.sort_unstable();
        }
        let amounts = self.figures.iter().filter_map(|figure| Some((figure.amount?, figure.value)));
        self.by_amount = amounts.collect();
        self.by_amount.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        self.by_amount.dedup_by_key(|one| one.1);
        self.limit = self.labels.get(LIMIT).copied();
    }

    /// The figures with a number below this one are listened for behind this place.
    pub(super) fn listening(&self, place: u64) -> u32 {
        self.figures.partition_point(|figure| figure.until > place) as u32
    }

    /// The figures of this value or of the same in another unit, and those that are assigned to this name.
    pub(super) fn related(&self, value: u32, amount: Option<f64>, name: u32, found: &mut Vec<u32>) {
        for (rows, at) in [(&self.of_value, value), (&self.of_name, name)] {
            found.extend(rows.get(at as usize).filter(|_| at > 0).into_iter().flatten());
        }
        let Some(amount) = amount else { return };
        for by in OTHER_UNITS {
            // A little wider than [`is_converted`], which says it exactly.
            let (least, most) = (amount * (1.0 - 2e-6) / by, amount * (1.0 + 2e-6) / by);
            let from = self.by_amount.partition_point(|(other, _)| *other < least);
            let near = self.by_amount[from..].iter().take_while(|(other, _)| *other <= most);
            found.extend(near.flat_map(|(_, no)| &self.of_value[*no as usize]));
        }
    }
}
