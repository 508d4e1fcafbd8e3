//! Names and figures, in a small notation: what was said, what the summary makes of it, and what is wrong with that.

use super::*;
use crate::extract::{Class, Language, figures, identifiers};
use crate::record::{Detail, Field, Item, Record, Verdict};
use crate::session::{
    Compaction, FileNo, Hash, MarkerKey, Originals, PartSeq, Place, Ranges, Speaker, Trigger, TurnNo,
};

/// A record as it is lifted, plainly: each line a claim, with what it holds of names and figures.
fn record(summary: &str) -> Record {
    let language = Language::english();
    let item = |field, range: std::ops::Range<usize>, detail| Item {
        field,
        text: summary[range.clone()].to_owned(),
        range: Some((range.start, range.end)),
        detail,
        sources: Vec::new(),
        verdict: Verdict::Unchecked,
        why: None,
        better: None,
        own: None,
    };
    let mut items = Vec::new();
    let mut start = 0;
    for line in summary.split('\n') {
        items.push(item(Field::Narrative, start..start + line.len(), Detail::Plain));
        start += line.len() + 1;
    }
    let named = identifiers(summary, language);
    for one in &named {
        items.push(item(Field::Entities, one.range.clone(), Detail::Entity { class: one.class.name().to_owned() }));
    }
    let taken: Vec<_> = named
        .into_iter()
        .filter(|one| !matches!(one.class, Class::Command | Class::Code))
        .map(|one| one.range)
        .collect();
    for one in figures(summary, &taken, language) {
        let detail = Detail::Figure { label: one.label, value: one.value, unit: one.unit };
        items.push(item(Field::Figures, one.range, detail));
    }
    Record { items, summary: summary.to_owned(), rules: 1 }
}

/// The findings as `kind text`, joined, after these lines were said.
fn found(said: &[&str], summary: &str, originals: Originals) -> String {
    let record = record(summary);
    let here = 1000;
    let mut presence = Presence::asking([(&record, here)]);
    for (at, text) in said.iter().enumerate() {
        let turn = TurnNo::main(at as u32 + 1);
        presence.see(text, at as u64);
        presence.hear(
            text,
            text.len(),
            &[],
            &Voice {
                turn: &turn,
                turn_id: "t",
                line_id: None,
                place: Place { file: FileNo(0), offset: at as u64, part: 0 },
                seq: PartSeq(at as u64),
                speaker: Speaker::Assistant,
            },
        );
    }
    let heard = presence.overheard();
    presence.add(heard, 0);
    let compaction = Compaction {
        no: 1,
        key: MarkerKey { id: "k".into(), summary: Hash::ZERO },
        place: Place { file: FileNo(0), offset: here, part: 0 },
        summary: None,
        after_turn: None,
        at: None,
        trigger: Trigger::Auto,
        tokens_before: None,
        tokens_after: None,
        covers: Ranges::default(),
        reaches: Ranges::default(),
        generation: Some(1),
        originals,
        own_record: false,
    };
    let passages = vec![Vec::new(); record.items.len()];
    let case = Case {
        compaction: &compaction,
        record: &record,
        passages: &passages,
        presence: &presence,
        compiled: &Record::default(),
        consents: &Consents::default(),
    };
    let (judgements, findings) = check(&case);
    assert_eq!(judgements.len(), record.items.len());
    let said: Vec<String> =
        findings.iter().map(|finding| format!("{} {}", finding.kind.name(), finding.text)).collect();
    said.join("; ")
}

fn check_whole(said: &[&str], summary: &str, want: &str) {
    assert_eq!(found(said, summary, Originals::Present), want, "{said:?}\n== {summary}");
}

#[test]
fn a_name_that_nobody_said_is_found_and_a_fair_form_is_not() {
    let said = ["see src/core/agent.rs and calculate_total(), at 803390c7da6f78ad", "the order_book, WP9, WP10"];
    for (summary, want) in [
        ("Reads `agent.rs`.", ""),
        ("Reads `core/agent.rs` and `src/core/`.", ""),
        ("Calls `calculate_total`.", ""),
        ("It is `./src/core/agent.rs:12`.", ""),
        ("The `Order_Book` of `WP9/WP10`.", ""),
        ("All of `src/**/*.rs` and `<name>.rs`.", ""),
        ("Calls `get_token_budget()`.", "invented get_token_budget()"),
        ("Reads `budget.rs`.", "invented budget.rs"),
        ("Create `budget.rs` next.", ""),
        ("Reads `src/core/agemt.rs`.", "altered src/core/agemt.rs"),
        ("At `803930c7da6f`.", "altered 803930c7da6f"),
        ("Calls `calculate_totla()`.", "altered calculate_totla()"),
    ] {
        check_whole(&said, summary, want);
    }
}

#[test]
fn one_token_of_a_name_that_differs_is_a_change_and_a_row_is_none() {
    let said = ["run checkpoint agent-v1 with serde 1.3.2", "WP1-WP6 are done, on 10.0.0.7:8080, issue #27; 412"];
    for (summary, want) in [
        ("It is the `checkpoint agent-v1` command.", ""),
        ("It is the `checkpoint agent-v2` command.", "altered checkpoint agent-v2"),
        ("With serde 1.3.2 on 10.0.0.7:8080.", ""),
        ("With serde 1.2.2.", "altered 1.2.2"),
        ("On 10.0.0.7:8081.", "altered 10.0.0.7:8081"),
        ("WP1-WP5 are done.", ""),
        ("As in issue #27 said.", ""),
        ("Post it in issue #412.", "invented #412"),
    ] {
        check_whole(&said, summary, want);
    }
}

#[test]
fn where_the_beginning_is_missing_nothing_is_invented() {
    let said = ["base_commit is 803390c7da6f"];
    for (summary, want) in
        [("Calls `get_budget()` 4711 times.", ""), ("The `base_commit` is 803930c7da6f.", "altered 803930c7da6f")]
    {
        assert_eq!(found(&said, summary, Originals::Partly), want, "{summary}");
    }
}

#[test]
fn a_figure_is_held_against_the_values_of_its_label() {
    let said = [
        "\"checkpoint_count\": 0, \"human_added\": 12",
        "see committed.go (line 338) and 885 packages/src/agent-session.ts",
        "The retry ceiling is 7, from config",
        "wc: 177 packages/core/bash-executor.ts",
        "1. **bash-executor** (177 lines) - unified bash execution",
        "**3 Proposed Solutions**: with pros and cons for each",
        "waited 1500 ms, sent 21 mails in 2 batches, on line 383 of main.go; 5 pigs",
    ];
    for (summary, want) in [
        ("`checkpoint_count = 0` and \"human_added\": 12", ""),
        ("All have `checkpoint_count = 2`.", "altered 2"),
        ("- \"human_added\": 21", "altered 21"),
        ("`committed.go` (line 338)", ""),
        ("`committed.go` (line 383)", "altered 383"),
        ("`agent-session.ts` (885 lines)", ""),
        ("`agent-session.ts` (858 lines)", "altered 858 lines"),
        ("`packages/core/bash-executor.ts` (117 lines), for all modes", "altered 117 lines"),
        ("The retry ceiling is 7.", ""),
        ("Retries are capped at seven.", ""),
        ("Retries are capped at 5.", "altered 5"),
        ("Described 3 solution options with pros and cons.", ""),
        ("Described 5 solution options with pros and cons.", "altered 5"),
        ("It waited 1.5 s.", ""),
        ("It waited 1500 milliseconds.", ""),
        ("It waited 41 s for the mails.", "invented 41 s"),
        ("It waited 21 s for the mails.", "invented 21 s"),
        ("About 900 mails.", ""),
        ("Sent 912 mails.", "invented 912"),
    ] {
        check_whole(&said, summary, want);
    }
}

#[test]
fn what_the_summary_counts_itself_is_no_figure_of_the_originals() {
    let said = ["edit a.rs, then b.rs, then c.rs", "one file"];
    check_whole(&said, "Changed 3 files: a.rs, b.rs, c.rs", "");
    check_whole(&said, "Changed 3 files:\n- a.rs\n- b.rs\n- c.rs", "");
}

#[test]
fn a_capital_that_nobody_said_is_a_name_only_inside_a_sentence() {
    let said = ["anna: shall we ask Tom?", "tom: yes, at the lake, not in LA"];
    for (summary, want) in [
        ("They want to ask Tom at the Lake.", ""),
        ("Later they want to ask Peter.", "invented Later they want to ask Peter."),
        ("Later they fly to Los Angeles.", ""),
        ("Nobody minds.", ""),
        ("**Key Points Made**: they ask.", ""),
        ("They meet Tom's friends on Friday.", ""),
    ] {
        check_whole(&said, summary, want);
    }
}

#[test]
fn a_record_of_many_names_with_one_token_stays_fast() {
    let names: Vec<String> = (0..800).map(|no| format!("`aaaaaaaaaaaaaaaa/b{no}` 77 line")).collect();
    let summary = names.join(" ");
    let said = "aaaaaaaaaaaaaaaa/c 78 line ".repeat(5_000);
    let start = std::time::Instant::now();
    let _ = found(&[&said], &summary, Originals::Present);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
