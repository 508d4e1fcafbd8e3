//! A hand-labelled summary in the two usual shapes: each claim goes into the field that a reader would put it into.
#![expect(clippy::print_stderr, reason = "the score is told")]

use stet::compile::lift;
use stet::record::Field;

/// A heading, and under it each claim with the letter of its field.
type Section = (&'static str, &'static [(char, &'static str)]);

const NUMBERED: &[Section] = &[
    (
        "1. Primary Request and Intent:",
        &[
            ('n', "Make the nightly export of invoices finish before six in the morning"),
            ('n', "User reported that the export ran into the backup twice last week"),
            ('c', "User insists that no invoice is ever written twice"),
        ],
    ),
    (
        "2. Key Technical Concepts:",
        &[
            ('n', "The export reads `invoices` in pages of 500 rows"),
            ('n', "Every page opens its own connection to the archive"),
        ],
    ),
    (
        "3. Files and Code Sections:",
        &[
            ('a', "`export/pages.py`: Replaced the loop over pages by a cursor"),
            ('a', "`export/archive.py`: Added a pool of four connections"),
            ('n', "`export/README.md` describes the file format"),
        ],
    ),
    (
        "4. Errors and fixes:",
        &[
            ('n', "**Error**: the cursor was closed by the first commit"),
            ('a', "**Fix**: Moved the commit behind the last page"),
            ('r', "A slow disk was ruled out because the same export takes two minutes on staging"),
            ('r', "The backup itself is not the cause, it only waits for the same lock"),
        ],
    ),
    (
        "6. All user messages:",
        &[
            ('n', "\"the export was still running when I came in\""),
            ('o', "\"is the lock taken by the backup or by us?\""),
            ('c', "\"never touch the archive from a test, please\""),
            ('d', "\"ok, go ahead with the cursor\""),
            ('r', "\"no, a second worker is too risky\""),
            ('n', "\"let's look at the timings once more\""),
            ('o', "\"maybe we should ask the people in Utrecht first\""),
            ('o', "\"ok, can you tell me how long it takes now?\""),
        ],
    ),
    (
        "7. Pending Tasks:",
        &[
            ('o', "Run the export against last year's data"),
            ('o', "Write down the new order of the nightly jobs"),
            ('a', "✅ Measure the export on staging"),
        ],
    ),
    (
        "8. Current Work:",
        &[
            ('a', "I raised the page size to 2,000 rows and reran the export on staging."),
            ('o', "It is unclear whether the archive keeps the connection open over midnight."),
        ],
    ),
];

const MARKDOWN: &[Section] = &[
    ("## Goal", &[('n', "Let the importer accept files with a byte order mark.")]),
    (
        "## Constraints & Preferences",
        &[('c', "Keep the old importer for the partners in the south"), ('c', "No new dependency in the reader")],
    ),
    (
        "## Progress\n### Done",
        &[('a', "[x] Read the first three bytes in `reader.go`"), ('a', "[x] Covered the empty file with a test")],
    ),
    ("### In Progress", &[('o', "[ ] The same for the files in UTF-16")]),
    ("### Blocked", &[('o', "Waiting for a sample file of the partner")]),
    (
        "## Key Decisions",
        &[
            ('d', "**Skip the mark, keep the rest**: nothing else in the file changes"),
            ('d', "**One reader for both**: the importer picks the decoder"),
            ('r', "Not a separate tool, nobody would run it"),
        ],
    ),
    ("## Next Steps", &[('o', "Ask the partner for a file with carriage returns")]),
    ("## Critical Context", &[('n', "The partner sends at four in the morning, in one file.")]),
];

fn summary(sections: &[Section], bullet: &str) -> String {
    let section = |(heading, claims): &Section| {
        let lines: Vec<String> = claims.iter().map(|(_, claim)| format!("{bullet}{claim}\n")).collect();
        format!("{heading}\n{}\n", lines.concat())
    };
    sections.iter().map(section).collect()
}

/// The claims whose field is not the labelled one.
fn missed(sections: &[Section], bullet: &str) -> (usize, Vec<String>) {
    let text = summary(sections, bullet);
    let record = lift(&text);
    let mut missed = Vec::new();
    let mut count = 0;
    for (letter, claim) in sections.iter().flat_map(|(_, claims)| *claims) {
        count += 1;
        let start = text.find(claim).expect("the summary is made of the claims");
        let end = start + claim.len();
        let item = record.items.iter().filter(|item| item.field.is_claim()).find(|item| {
            item.range.is_some_and(|(from, to)| start <= from && to <= end && (to - from) * 2 > claim.len())
        });
        let got = item.map(|item| item.field);
        if got.map(Field::letter) != Some(*letter) {
            missed.push(format!("{claim}: {letter}, not {}", got.map_or("lifted", Field::name)));
        }
    }
    (count, missed)
}

#[test]
fn claims_go_into_the_field_that_a_reader_would_choose() {
    let (numbered, mut wrong) = missed(NUMBERED, "   - ");
    let (markdown, also) = missed(MARKDOWN, "- ");
    wrong.extend(also);
    let all = numbered + markdown;
    eprintln!("{} of {all} right; not: {wrong:#?}", all - wrong.len());
    assert!(all >= 30, "{all}");
    assert!((all - wrong.len()) * 10 >= all * 9, "{wrong:#?}");
}
