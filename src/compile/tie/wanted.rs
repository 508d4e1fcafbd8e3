//! What of an item is looked for: its words, identifiers, figures, quoted spans and whole text.

use crate::extract::{Class, Language, Word, figures, identifiers, quotes, stem, words};
use crate::record::{Detail, Field, Item, Record};

use super::features::{Features, Group, Kind};

/// So far around an entity or a figure its neighbours are looked at.
const AROUND: usize = 100;
/// So many pieces of one quoted span are looked for.
const PIECES: usize = 12;

/// The groups of a record's items, in the order of the items. Records that share `reach` share groups.
pub fn of_record(
    record: &Record,
    reach: u32,
    end: u64,
    language: &Language,
    features: &mut Features,
    groups: &mut Vec<Group>,
) -> Vec<usize> {
    let mut claims: Vec<(usize, usize)> =
        record.items.iter().filter(|item| item.field.is_claim()).filter_map(|item| item.range).collect();
    claims.sort_unstable();
    let mut own: Vec<usize> = Vec::with_capacity(record.items.len());
    for item in record.checked() {
        let mut around = surrounding(record, item, &claims);
        let label = match &item.detail {
            Detail::Figure { label, .. } => label.as_str(),
            Detail::Plain | Detail::Entity { .. } | Detail::Action { .. } | Detail::RuledOut { .. } => "",
        };
        let at = groups.len();
        if let Some(group) = features.group(item.field, reach, &item.text, label, &mut around, at) {
            own.push(group);
            continue;
        }
        let mut ids = of_item(item, label, around, language, features);
        ids.sort_unstable();
        ids.dedup();
        groups.push(Group {
            field: item.field,
            of_person: is_of_person(item, language),
            features: ids,
            reach,
            records: 0,
            until: 0,
            most: 0.0,
            capped: false,
        });
        own.push(at);
    }
    let mut once = own.clone();
    once.sort_unstable();
    once.dedup();
    for group in once {
        groups[group].records += 1;
        groups[group].until = groups[group].until.max(end);
    }
    own
}

/// What stands around an entity or a figure in its claim, not far off; nothing for a claim.
fn surrounding<'a>(record: &'a Record, item: &Item, claims: &[(usize, usize)]) -> &'a str {
    let (false, Some((start, end))) = (item.field.is_claim(), item.range) else { return "" };
    let at = claims.partition_point(|(from, _)| *from <= start);
    let Some((from, to)) = at.checked_sub(1).map(|at| claims[at]).filter(|(_, to)| start < *to) else { return "" };
    let summary = record.summary.as_str();
    let near = summary.floor_char_boundary(start.saturating_sub(AROUND).max(from));
    let far = summary.floor_char_boundary(end.saturating_add(AROUND).min(to));
    summary.get(near..far).unwrap_or_default()
}

fn is_of_person(item: &Item, language: &Language) -> bool {
    let person = |word: &Word| {
        let bare = word.lower.strip_suffix("'s").unwrap_or(&word.lower);
        language.people.at(&[Word { lower: bare.into(), ..word.clone() }], 0).is_some()
    };
    matches!(item.field, Field::Constraints | Field::Decisions) || words(&item.text).iter().take(6).any(person)
}

fn of_item(item: &Item, label: &str, around: &str, language: &Language, features: &mut Features) -> Vec<u32> {
    let mut ids = Vec::new();
    match item.field {
        Field::Entities => {
            let class = match &item.detail {
                Detail::Entity { class } => class.as_str(),
                Detail::Plain | Detail::Figure { .. } | Detail::Action { .. } | Detail::RuledOut { .. } => "",
            };
            name(&item.text, class == Class::Hash.name(), features, &mut ids);
            stems(around, Kind::Beside, language, features, &mut ids);
        }
        Field::Figures => {
            let value = match &item.detail {
                Detail::Figure { value, .. } => value.as_str(),
                Detail::Plain | Detail::Entity { .. } | Detail::Action { .. } | Detail::RuledOut { .. } => {
                    item.text.as_str()
                }
            };
            figure(value, language, features, &mut ids);
            stems(label, Kind::Word, language, features, &mut ids);
            stems(around, Kind::Beside, language, features, &mut ids);
        }
        Field::Narrative | Field::Constraints | Field::Decisions | Field::Actions | Field::RuledOut | Field::Open => {
            claim(&item.text, language, features, &mut ids);
        }
    }
    ids
}

fn claim(text: &str, language: &Language, features: &mut Features, ids: &mut Vec<u32>) {
    let whole = text.trim_end_matches(['.', ':']);
    if whole.len() >= 8 && whole.len() <= 2000 {
        ids.push(features.add(Kind::Exact, whole, false));
    }
    for range in quotes(text) {
        let quoted = text[range].trim_end_matches(['.', ',', '…']).trim();
        if quoted.len() >= 12 || (quoted.len() >= 5 && quoted.contains(' ')) {
            ids.push(features.add(Kind::Quote, quoted, false));
            pieces(quoted, features, ids);
        }
    }
    let named = identifiers(text, language);
    for one in &named {
        let bytes = &text[one.range.clone()];
        if one.class == Class::Code && bytes.bytes().all(|b| b.is_ascii_lowercase()) {
            // A plain word between back ticks stands in much that has nothing to do with it.
            ids.push(features.add(Kind::Base, bytes, false));
        } else {
            name(bytes, one.class == Class::Hash, features, ids);
        }
    }
    // The parts of a path are in every path beside it.
    let mut rest = text.to_owned();
    for one in named.iter().filter(|one| matches!(one.class, Class::Path | Class::Url)) {
        rest.replace_range(one.range.clone(), &" ".repeat(one.range.len()));
    }
    let taken: Vec<_> = named
        .into_iter()
        .filter(|one| !matches!(one.class, Class::Command | Class::Code))
        .map(|one| one.range)
        .collect();
    for one in figures(text, &taken, language) {
        figure(&one.value, language, features, ids);
        stems(&one.label, Kind::Label, language, features, ids);
    }
    stems(&rest, Kind::Word, language, features, ids);
}

fn pieces(quoted: &str, features: &mut Features, ids: &mut Vec<u32>) {
    let heard = words(quoted);
    for three in heard.windows(3).take(PIECES) {
        let piece = &quoted[three[0].range.start..three[2].range.end];
        if piece.len() >= 10 && heard.len() >= 4 {
            ids.push(features.add(Kind::Piece, piece, false));
        }
    }
}

fn name(text: &str, open_end: bool, features: &mut Features, ids: &mut Vec<u32>) {
    let bare = text.trim_end_matches("()").trim_end_matches('/');
    if bare.len() < 2 {
        return;
    }
    ids.push(features.add(Kind::Name, bare, open_end));
    if let Some((_, base)) = bare.rsplit_once(['/', '\\'])
        && base.len() >= 4
    {
        ids.push(features.add(Kind::Base, base, false));
    }
}

fn figure(value: &str, language: &Language, features: &mut Features, ids: &mut Vec<u32>) {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let telling = digits >= 3 || (digits >= 2 && value.contains(['.', ',', '-', '/', '$', '€', '£']));
    if telling {
        return ids.push(features.add(Kind::Figure, value, false));
    }
    let lower = value.to_lowercase();
    for form in std::iter::once(lower.as_str()).chain(language.other_forms(value)) {
        ids.push(features.add(Kind::Small, form, false));
        // At the start of a sentence.
        let mut letters = form.chars();
        if let Some(first) = letters.next().filter(char::is_ascii_lowercase) {
            let capital = first.to_ascii_uppercase().to_string() + letters.as_str();
            ids.push(features.add(Kind::Small, &capital, false));
        }
    }
}

fn stems(text: &str, kind: Kind, language: &Language, features: &mut Features, ids: &mut Vec<u32>) {
    for word in words(text) {
        for piece in word.lower.split(['-', '\'']).filter(|piece| language.is_content(piece)) {
            // Names and numbers are looked for as such.
            if piece.bytes().all(|b| b.is_ascii_digit()) || piece.contains('_') {
                continue;
            }
            if let Ok(stem) = std::str::from_utf8(stem(piece.as_bytes())) {
                ids.push(features.add(kind, stem, false));
            }
        }
    }
}
