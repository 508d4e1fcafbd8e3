//! How much was kept, as numbers with a small bar, and as a curve over compactions.

use super::{Run, Signs};
use crate::record::{Field, Kept, Retention};

/// Cells of a bar.
const BAR: usize = 5;

/// What was kept of a field; `None` for prose, of which nobody counts how much there was.
pub fn kept_of(retention: &Retention, field: Field) -> Option<Kept> {
    let kept = match field {
        Field::Narrative => return None,
        Field::Entities => retention.entities,
        Field::Figures => retention.figures,
        Field::Constraints => retention.constraints,
        Field::Decisions => retention.decisions,
        Field::Actions => retention.actions,
        Field::RuledOut => retention.ruled_out,
        Field::Open => retention.open,
    };
    Some(kept).filter(|kept| kept.held > 0)
}

/// All that was kept, over every field.
pub fn kept_in_all(retention: &Retention) -> Kept {
    let all = Field::ALL.into_iter().filter_map(|field| kept_of(retention, field));
    all.fold(Kept::default(), |sum, kept| Kept { held: sum.held + kept.held, kept: sum.kept + kept.kept })
}

/// `41 of 95 kept ▆▆▅▁▁`.
pub(super) fn bar(kept: Kept, signs: &Signs) -> [Run; 2] {
    let numbers = format!("{} of {} kept ", kept.kept.min(kept.held), kept.held);
    [Run::dim(&numbers), Run::text(&gauge(kept, BAR, signs))]
}

/// A bar of this many cells, each from empty to full.
fn gauge(kept: Kept, cells: usize, signs: &Signs) -> String {
    let (empty, full) = (0, 5);
    let held = u64::from(kept.held.max(1));
    let steps = cells as u64 * full;
    let mut filled = u64::from(kept.kept.min(kept.held)) * steps / held;
    if filled == 0 && kept.kept > 0 {
        filled = 1;
    }
    (0..cells)
        .map(|_| {
            let here = filled.min(full);
            filled -= here;
            signs.levels[if here == 0 { empty } else { here as usize }]
        })
        .collect()
}

/// A curve: one sign for each share, in order. A share of nothing is a gap.
pub(super) fn curve(shares: &[Option<Kept>], signs: &Signs) -> String {
    let top = signs.levels.len() - 1;
    let level = |kept: &Kept| {
        let at = u64::from(kept.kept.min(kept.held)) * top as u64 / u64::from(kept.held.max(1));
        signs.levels[at as usize]
    };
    shares.iter().map(|share| share.as_ref().filter(|kept| kept.held > 0).map_or(' ', level)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_full_as_its_numbers() {
        for (kept, held, want) in
            [(0, 4, "▁▁▁▁▁"), (4, 4, "▆▆▆▆▆"), (2, 4, "▆▆▃▁▁"), (1, 900, "▂▁▁▁▁"), (9, 4, "▆▆▆▆▆")]
        {
            assert_eq!(gauge(Kept { held, kept }, 5, &Signs::UNICODE), want, "{kept} of {held}");
        }
    }

    #[test]
    fn a_curve_falls_with_what_is_kept_and_has_gaps_where_there_was_nothing() {
        let at = |kept, held| Some(Kept { held, kept });
        assert_eq!(curve(&[at(4, 4), at(2, 4), at(0, 4), at(0, 0), None], &Signs::UNICODE), "█▄▁  ");
    }
}
