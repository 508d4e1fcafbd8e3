//! What a correction or a review mark holds on to: never a display name.

use super::{Field, Item, Record};
use crate::session::{Hash, MarkerKey, SessionKey};

/// Which item of which compaction of which session.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Anchor {
    /// The session that the item is in.
    pub session: SessionKey,
    /// The marker that the item was kept at.
    pub marker: MarkerKey,
    /// The field that the item was in when it was referred to.
    pub field: Field,
    /// Its text, as it stood then.
    pub text: String,
    /// See [`Item::hash`].
    pub hash: Hash,
    /// Where it stands in its record.
    pub at: AnchorAt,
}

/// Where in its record the item stood.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnchorAt {
    /// A byte range in the summary.
    Summary(usize, usize),
    /// An own record's id and the item's place in it, from 0.
    Own {
        /// The record's id.
        record: String,
        /// Which of its items, from 0.
        ordinal: u32,
    },
}

impl Anchor {
    /// The anchor of an item.
    pub fn to(item: &Item, session: &SessionKey, marker: &MarkerKey) -> Self {
        let at = match (&item.own, item.range) {
            (Some((record, ordinal)), _) => AnchorAt::Own { record: record.clone(), ordinal: *ordinal },
            (None, range) => {
                let (start, end) = range.unwrap_or_default();
                AnchorAt::Summary(start, end)
            }
        };
        Self {
            session: session.clone(),
            marker: marker.clone(),
            field: item.field,
            text: item.text.clone(),
            hash: item.hash(),
            at,
        }
    }

    /// Whether this anchor belongs to the item: the same text and an overlapping range, whatever its field.
    pub fn holds(&self, item: &Item, session: &SessionKey, marker: &MarkerKey) -> bool {
        self.session == *session && self.marker == *marker && self.hash == item.hash() && self.overlaps(item)
    }

    /// Whether two anchors are on the same item.
    pub fn same(&self, other: &Anchor) -> bool {
        let overlapping = match (&self.at, &other.at) {
            (AnchorAt::Summary(a, b), AnchorAt::Summary(c, d)) => a < d && c < b || (a, b) == (c, d),
            (own, other) => own == other,
        };
        self.session == other.session && self.marker == other.marker && self.hash == other.hash && overlapping
    }

    /// Whether a newer entry on this anchor takes the place of one on the other: on the same item, or where the same claim
    /// is said again at another marker. Names and figures are no claims: each stands for its own place.
    pub fn overtakes(&self, older: &Anchor) -> bool {
        let again = self.session == older.session
            && self.marker != older.marker
            && self.hash == older.hash
            && self.field.is_claim()
            && older.field.is_claim();
        again || self.same(older)
    }

    fn overlaps(&self, item: &Item) -> bool {
        match (&self.at, &item.own, item.range) {
            (AnchorAt::Own { record, ordinal }, Some((own, at)), _) => record == own && ordinal == at,
            (AnchorAt::Summary(start, end), None, Some((from, to))) => {
                *start < to && from < *end || (*start, *end) == (from, to)
            }
            (AnchorAt::Own { .. }, None, _)
            | (AnchorAt::Summary(..), Some(_), _)
            | (AnchorAt::Summary(..), None, None) => false,
        }
    }

    /// The item of the record that this anchor belongs to; entities and figures that share a range with a claim are
    /// told apart by their text. The same field wins.
    pub fn find(&self, record: &Record, session: &SessionKey, marker: &MarkerKey) -> Option<usize> {
        let held = |index: &usize| self.holds(&record.items[*index], session, marker);
        (0..record.items.len())
            .filter(held)
            .max_by_key(|index| (record.items[*index].field == self.field, std::cmp::Reverse(*index)))
    }
}
