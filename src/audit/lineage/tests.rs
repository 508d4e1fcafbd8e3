//! Claims over a few records.

use super::super::world::{compaction, item, record, source};
use super::*;
use crate::record::Severity;

/// The claim that starts at this record, over one record a marker, `-` being one without it; the original words stand
/// before m1 and m1's claim rests on them. The check found these at their first marker, and says whether later ones
/// repeat them. Then for each row: marker, certainty, changed, pairwise.
fn check(
    original: &str,
    claims: &[(Field, &str)],
    found: &[(FindingKind, &[u32])],
    from: usize,
    want: &[(u32, Option<u8>, &str, &str)],
) {
    let other = "The export job runs at night.";
    let mut records: Vec<Record> = Vec::new();
    for (no, claim) in claims.iter().enumerate() {
        let mut kept = vec![(Field::Narrative, other)];
        kept.extend(Some(*claim).filter(|(_, text)| *text != "-"));
        let mut made = record(&kept);
        if no == 0
            && let Some(item) = made.items.get_mut(1)
        {
            item.sources = vec![source(original, 7)];
        }
        records.push(made);
    }
    let markers: Vec<Compaction> = (1..=claims.len() as u32)
        .map(|no| {
            let mut marker = compaction(no);
            marker.reaches.add(0..50);
            marker
        })
        .collect();
    let raised = |marker: &Compaction, record: &Record| -> Vec<Finding> {
        let here = found.iter().filter(|(_, markers)| markers[0] == marker.no);
        here.map(|(kind, markers)| Finding {
            markers: markers.to_vec(),
            ..Finding::of((marker.no, 1, &record.items[1]), *kind, Severity::High, String::new())
        })
        .collect()
    };
    let findings: Vec<Vec<Finding>> = markers.iter().zip(&records).map(|(one, record)| raised(one, record)).collect();
    let renderings: Vec<Rendering> = markers
        .iter()
        .zip(&records)
        .zip(&findings)
        .map(|((compaction, record), findings)| Rendering { compaction, record, findings })
        .collect();
    let got = lineage(&renderings, Followed::Item(from, 1));
    let name = |change: Option<Change>| change.map_or("", Change::name);
    let rows: Vec<_> = got
        .generations
        .iter()
        .map(|one| (one.marker.unwrap_or(0), one.certainty, name(one.changed), name(one.pairwise)))
        .collect();
    assert_eq!(rows, want, "{original}");
}

#[test]
fn a_question_that_hardens_is_told_where_it_is_first_surer() {
    check(
        "Should `invoices.state` be an enum? I have doubts.",
        &[
            (Field::Open, "The user asked whether invoices.state should be an enum."),
            (Field::Open, "Whether invoices.state becomes an enum."),
            (Field::Open, "The user proposed invoices.state as an enum."),
            (Field::Decisions, "The user wants invoices.state as an enum."),
            (Field::Decisions, "Decided: make invoices.state an enum."),
        ],
        &[(FindingKind::Inverted, &[4, 5])],
        3,
        &[
            (0, Some(0), "", ""),
            (1, Some(0), "", ""),
            (2, Some(0), "", ""),
            (3, Some(4), "certainty", "certainty"),
            (4, Some(5), "certainty", ""),
            (5, Some(6), "", ""),
        ],
    );
}

#[test]
fn a_value_that_goes_and_comes_back_as_another_is_seen_only_against_the_original() {
    let claims = [
        (Field::Narrative, "The queue ceiling is 40 (`max_items = 40`)"),
        (Field::Narrative, "Queue items are bounded, then the oldest item is dropped"),
        (Field::Narrative, "Queue items are bounded at 25, then the oldest item is dropped"),
        (Field::Narrative, "The queue ceiling is 25 items"),
    ];
    let want = [
        (0, Some(6), "", ""),
        (1, Some(6), "", ""),
        (2, Some(6), "lost", ""),
        (3, Some(6), "value", ""),
        (4, Some(6), "", ""),
    ];
    for from in [0, 2, 3] {
        check("The queue ceiling is 40.", &claims, &[(FindingKind::Altered, &[3, 4])], from, &want);
    }
}

#[test]
fn a_value_that_comes_back_as_it_was_is_not_changed_any_more() {
    let claims = [
        (Field::Narrative, "The queue ceiling is 40"),
        (Field::Narrative, "There is a ceiling for the queue"),
        (Field::Narrative, "The queue ceiling is 40"),
        (Field::Narrative, "There is a ceiling for the queue"),
    ];
    let want = [
        (0, Some(6), "", ""),
        (1, Some(6), "", ""),
        (2, Some(6), "lost", ""),
        (3, Some(6), "", ""),
        (4, Some(6), "lost", ""),
    ];
    check("The queue ceiling is 40.", &claims, &[], 0, &want);
}

#[test]
fn a_claim_that_is_gone_is_lost_once_and_one_turned_round_is_told() {
    let hold = "It is not a credit hold, the flag was never set.";
    check(
        hold,
        &[(Field::RuledOut, "a credit hold"), (Field::Open, "-"), (Field::Open, "-")],
        &[],
        0,
        &[(0, Some(6), "", ""), (1, Some(6), "", ""), (2, None, "lost", ""), (3, None, "", "")],
    );
    check(
        hold,
        &[(Field::RuledOut, "a credit hold"), (Field::Decisions, "It is a credit hold")],
        &[(FindingKind::Inverted, &[2])],
        1,
        &[(0, Some(6), "", ""), (1, Some(6), "", ""), (2, Some(6), "polarity", "polarity")],
    );
}

#[test]
fn words_accuse_nobody_whom_the_check_let_pass() {
    for (original, field, said) in [
        ("The trigger is ruled out as the blocker", Field::RuledOut, "our own trigger as the blocker of the switch"),
        ("I think by file is too much", Field::RuledOut, "I think by file is too much"),
        (
            "The one failing test requires the silent removal.",
            Field::Narrative,
            "The test requires the silent removal.",
        ),
        ("can you analyze the repo and compare it to ours?", Field::Narrative, "User asked to analyze the repo"),
        ("Create an index for the table", Field::Open, "Create an index for the table"),
        ("4 min 38 s for 21,240,811 rows", Field::Narrative, "4 min 38 s for the rows, in place"),
    ] {
        let want = [(0, ""), (1, ""), (2, "lost")];
        let claims = [(field, said), (Field::Open, "-")];
        let got = told(original, &claims);
        assert_eq!(got, want, "{original}");
    }
}

/// The changes of each marker, where the check found nothing.
fn told(original: &str, claims: &[(Field, &str)]) -> Vec<(u32, &'static str)> {
    let mut first = record(&claims[..1]);
    first.items[0].sources = vec![source(original, 7)];
    let records = [first, record(&[(Field::Narrative, "The export job runs at night.")])];
    let mut markers = [compaction(1), compaction(2)];
    for marker in &mut markers {
        marker.reaches.add(0..50);
    }
    let renderings: Vec<Rendering> = markers
        .iter()
        .zip(&records)
        .map(|(compaction, record)| Rendering { compaction, record, findings: &[] })
        .collect();
    let got = lineage(&renderings, Followed::Item(0, 0)).generations;
    got.iter().map(|one| (one.marker.unwrap_or(0), one.changed.map_or("", Change::name))).collect()
}

#[test]
fn what_another_item_says_word_for_word_renders_no_other_claim() {
    let runs = (Field::Narrative, "The ids run out in August; migrations 0142 to 0146 are ready");
    let rule = (Field::Constraints, "0146 must not run before two weeks have passed");
    let records = [record(&[runs, rule]), record(&[rule])];
    let markers = [compaction(1), compaction(2)];
    let renderings: Vec<Rendering> = markers
        .iter()
        .zip(&records)
        .map(|(compaction, record)| Rendering { compaction, record, findings: &[] })
        .collect();
    let items = |from: usize| -> Vec<Option<usize>> {
        lineage(&renderings, Followed::Item(0, from)).generations.iter().map(|one| one.item).collect()
    };
    assert_eq!(items(0), [Some(0), None]);
    assert_eq!(items(1), [Some(1), Some(0)]);
}

#[test]
fn a_figure_is_followed_as_the_claim_that_it_stands_in() {
    let claims = ["The retry ceiling is 7", "The retry ceiling is 5"];
    let records = claims.map(|claim| {
        let mut made = record(&[(Field::Narrative, claim)]);
        let mut figure = item(Field::Figures, &claim[21..]);
        figure.range = Some((21, 22));
        made.items.push(figure);
        made
    });
    let markers = [compaction(1), compaction(2)];
    let altered = Finding::of((2, 1, &records[1].items[1]), FindingKind::Altered, Severity::High, String::new());
    let findings = [Vec::new(), vec![altered]];
    let renderings: Vec<Rendering> = (0..2)
        .map(|no| Rendering { compaction: &markers[no], record: &records[no], findings: &findings[no] })
        .collect();
    for from in [(0, 1), (1, 1), (1, 0)] {
        let got = lineage(&renderings, Followed::Item(from.0, from.1));
        let rows: Vec<_> = got.generations.iter().map(|one| (one.item, one.changed)).collect();
        assert_eq!(rows, [(Some(0), None), (Some(0), Some(Change::Value))], "{from:?}");
    }
}

#[test]
fn a_sentence_is_followed_from_the_claim_that_holds_most_of_it() {
    let kept =
        record(&[(Field::Narrative, "The export job runs at night."), (Field::Open, "Whether to move the export")]);
    let marker = compaction(1);
    let one = [Rendering { compaction: &marker, record: &kept, findings: &[] }];
    for (text, item) in [("export runs at night", Some(0)), ("move the export", Some(1)), ("gift cards", None)] {
        let got = lineage(&one, Followed::Text(text));
        assert_eq!(got.generations.first().and_then(|one| one.item), item, "{text}");
    }
}

#[test]
fn what_shares_no_word_with_the_claim_does_not_render_it() {
    let records = [
        record(&[(Field::Narrative, "The user reported nine lost webhooks")]),
        record(&[(Field::Narrative, "Nine webhooks were lost; given-up deliveries must be visible")]),
        record(&[(Field::Narrative, "Given-up deliveries must be visible; dead letters can be put back")]),
    ];
    let markers = [compaction(1), compaction(2), compaction(3)];
    let renderings: Vec<Rendering> = markers
        .iter()
        .zip(&records)
        .map(|(compaction, record)| Rendering { compaction, record, findings: &[] })
        .collect();
    let got = lineage(&renderings, Followed::Item(0, 0)).generations;
    let items: Vec<_> = got.iter().map(|one| one.item).collect();
    assert_eq!(items, [Some(0), Some(0), None]);
}

/// Records of one claim each, of which the first so many rest on these words, with what the check found: the kind, the
/// marker that it is told at and those that say it. Then for each marker what stands in its row.
fn rows(
    original: &str,
    (claims, resting): (&[(Field, &str)], usize),
    found: &[(FindingKind, u32, &[u32])],
    from: usize,
) -> Vec<(u32, Option<usize>, Option<&'static str>)> {
    let mut records: Vec<Record> = claims.iter().map(|claim| record(&[*claim])).collect();
    for record in &mut records[..resting] {
        record.items[0].sources = vec![source(original, 7)];
    }
    let markers: Vec<Compaction> = (1..=claims.len() as u32).map(compaction).collect();
    let raised = |no: u32| -> Vec<Finding> {
        let here = found.iter().filter(|(_, at, _)| *at == no);
        let item = &records[no as usize - 1].items[0];
        here.map(|(kind, _, markers)| Finding {
            markers: markers.to_vec(),
            sources: vec![source(original, 7)],
            ..Finding::of((no, 0, item), *kind, Severity::High, String::new())
        })
        .collect()
    };
    let findings: Vec<Vec<Finding>> = markers.iter().map(|one| raised(one.no)).collect();
    let renderings: Vec<Rendering> = (0..claims.len())
        .map(|no| Rendering { compaction: &markers[no], record: &records[no], findings: &findings[no] })
        .collect();
    let got = lineage(&renderings, Followed::Item(from, 0)).generations;
    got.iter().filter_map(|one| Some((one.marker?, one.item, one.told(None)))).collect()
}

#[test]
fn what_holds_the_original_words_in_another_field_is_not_forgotten() {
    for (original, claims) in [
        (
            "For the worktop I've ruled out marble, it stains.",
            [
                (Field::Narrative, "Worktop: marble was chosen."),
                (Field::RuledOut, "Marble ruled out because it stains. Candidates: granite, oak, quartz."),
            ],
        ),
        (
            "But I'd prefer induction over gas, if the electrician can pull a 400 V line.",
            [(Field::Decisions, "The user has decided on induction."), (Field::Narrative, "Induction preferred")],
        ),
    ] {
        let other = (Field::Narrative, "The export job runs at night.");
        let told = rows(original, (&[claims[0], claims[1], other], 1), &[], 0);
        assert_eq!(told, [(1, Some(0), None), (2, Some(0), None), (3, None, Some("forgotten"))], "{original}");
    }
}

#[test]
fn the_row_of_an_item_tells_whatever_was_found_about_it() {
    let asked = "Should the state be an enum?";
    let wants = (Field::Constraints, "The user wants the state as an enum.");
    let is = (Field::Decisions, "An enum it is");
    // Told at m1 of other words, and said again on the strength of the same originals.
    let converts = (Field::Decisions, "That column gets converted.");
    let told = rows(asked, (&[converts, is], 2), &[(FindingKind::Inverted, 1, &[1, 2])], 1);
    assert_eq!(told.last(), Some(&(2, Some(0), Some("turned round"))));
    let told = rows(asked, (&[wants, wants], 2), &[(FindingKind::Overruled, 2, &[2])], 0);
    assert_eq!(told, [(1, Some(0), None), (2, Some(0), Some("said again after it was corrected"))]);
    let told = rows(asked, (&[wants, wants], 2), &[(FindingKind::Lost, 2, &[2])], 0);
    assert_eq!(told.last(), Some(&(2, Some(0), None)));
}
