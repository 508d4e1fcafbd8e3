//! Laying out: the rows of one entry.

use super::super::correct::becomes_never_said;
use super::super::findings::Subject;
use super::super::known::{Known, Selected, choice_words};
use super::super::node::Content;
use super::super::settings::Settings;
use super::Transcript;
use crate::record::Choice;
use crate::session::{Entry, Place};
use crate::view::{self, Evidence, Laid, Lens, Piece, Row, Run, Tone};

impl Transcript {
    pub(super) fn lay(&self, index: usize, known: &Known, settings: &Settings) -> Vec<Laid> {
        let node = &self.nodes[index];
        let id = node.id;
        let open = |piece: Piece| self.open.contains(&(id, piece));
        let mut lens = Lens {
            width: self.width,
            signs: settings.signs,
            zone: &settings.zone,
            open: &open,
            marked: None,
            dated: false,
            depth: node.depth,
        };
        match &node.content {
            Content::Entry(Entry::Turn(turn)) => {
                lens.dated = self.is_new_day(index, turn.at, settings);
                lens.marked = self.marked.and_then(|(place, range)| {
                    let part = turn.parts.iter().position(|said| said.place == place)?;
                    Some((part as u32, range))
                });
                view::turn(turn, &lens)
            }
            Content::Entry(Entry::Marker { place, .. }) => self.lay_marker(*place, known, settings, &lens),
            Content::Entry(Entry::Note { saved, at, .. }) => view::note(saved, *at, &lens),
            Content::Entry(Entry::Folded { fold, noise, .. }) => {
                let turns = self.nodes[index + 1..]
                    .iter()
                    .take_while(|inside| inside.ancestors.contains(&id))
                    .filter(|inside| inside.depth == node.depth + 1)
                    .count();
                view::folded(fold, turns, noise, &lens)
            }
            Content::Entry(Entry::Unread(trouble)) => {
                let place = Place { file: trouble.file, offset: trouble.offset, part: 0 };
                let known =
                    known.troubles.iter().find(|other| (other.file, other.offset) == (place.file, place.offset));
                view::unread(known.unwrap_or(trouble), &lens)
            }
            Content::More { .. } => {
                let text = format!("{}{} more of this file: Enter", " ".repeat(lens.indent()), settings.signs.folded);
                vec![Laid { row: Row::of([Run::new(&text, Tone::Accent)]), piece: Piece::Fold, at: 0 }, Laid::blank()]
            }
        }
    }

    fn is_new_day(&self, index: usize, at: Option<i64>, settings: &Settings) -> bool {
        let Some(at) = at else { return false };
        let before = self.nodes[..index].iter().rev().find_map(|node| match &node.content {
            Content::Entry(Entry::Turn(turn)) => turn.at,
            _ => None,
        });
        before.is_none_or(|before| settings.zone.day(before) != settings.zone.day(at))
    }

    fn lay_marker(&self, place: Place, known: &Known, settings: &Settings, lens: &Lens<'_>) -> Vec<Laid> {
        let mut rows = vec![view::marker(&known.line(place), lens)];
        if !(lens.open)(Piece::Marker) {
            rows.push(Laid::blank());
            return rows;
        }
        let wide = Settings::is_wide(self.width);
        let cells = Settings::record_cells(self.width);
        let loaded = known.marker_at(place).and_then(|(marker, _)| {
            let (record, effective) = known.effective(marker.no)?;
            Some((marker.no, record, effective))
        });
        let Some((no, record, effective)) = loaded else {
            let text = format!("   reading the record{}", settings.signs.more);
            rows.extend([
                Laid::blank(),
                Laid { row: Row::of([Run::dim(&text)]), piece: Piece::Blank, at: 1 },
                Laid::blank(),
            ]);
            return rows;
        };
        let seen = known.seen(no, &effective);
        let selected = self.selected.filter(|selected| selected.marker() == no && !wide);
        let evidence = selected.and_then(|selected| {
            let of = evidence_of(selected, known, false)?;
            let below = match selected {
                Subject::Item(selected) => view::Below::Item(selected.item),
                Subject::Finding(_, at) => view::Below::Finding(seen.iter().position(|(other, _)| *other == at)?),
            };
            Some((below, view::evidence_below(&of, cells, settings.signs, &settings.zone)))
        });
        let at_least = if wide { 24 } else { 0 };
        let seen: Vec<view::Seen<'_>> = seen.into_iter().map(|(_, seen)| seen).collect();
        let of = view::RecordRows { record, effective: &effective, cells, seen: &seen, evidence, at_least };
        rows.extend(view::record(&of, lens));
        rows
    }
}

/// What is known of an item or a finding, for its evidence.
pub(in crate::app) fn evidence_of(subject: Subject, known: &Known, preview: bool) -> Option<Evidence<'_>> {
    let record = known.records.get(&subject.marker())?;
    let beginning_missing = known.is_beginning_missing(subject.marker());
    let seen = known.finding_of(subject).map(|(_, seen)| seen);
    let source = known.source_of(subject);
    let original = source.and_then(|source| known.originals.get(&(source.place, source.range))?.as_ref());
    let Subject::Item(selected) = subject else {
        return Some(Evidence {
            name: format!("m{}", subject.marker()),
            item: None,
            seen: Some(seen?),
            corrected_by: None,
            reviewed: false,
            original,
            partial: false,
            fix: "",
            beginning_missing,
            preview,
            listed: false,
        });
    };
    let item = record.record.items.get(selected.item)?;
    let fix = if beginning_missing && becomes_never_said(item) {
        "wrong: choose how"
    } else {
        choice_words(item.field, Choice::Fix, !item.sources.is_empty())
    };
    Some(Evidence {
        name: known.name(selected),
        item: Some(item),
        seen,
        corrected_by: known.entered(selected),
        reviewed: record.reviewed.contains(&selected.item),
        original,
        partial: record.partial,
        fix,
        beginning_missing,
        preview,
        listed: false,
    })
}

/// The next claim after this one that nobody checked or corrected, coming round at the end.
pub(in crate::app) fn next_unchecked(selected: Selected, known: &Known) -> Option<usize> {
    let (record, effective) = known.effective(selected.marker)?;
    let shown: Vec<usize> = view::FIELDS
        .iter()
        .flat_map(|field| (0..record.record.items.len()).filter(|at| record.record.items[*at].field == *field))
        .collect();
    let here = shown.iter().position(|at| *at == selected.item)?;
    let open = |at: &usize| {
        record.record.items[*at].field.is_claim()
            && !record.reviewed.contains(at)
            && effective.items[*at].corrected_by.is_none()
    };
    shown[here + 1..].iter().chain(&shown[..here]).copied().find(open)
}
