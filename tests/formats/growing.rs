//! Files that other programs still write, or wrote anew.

use std::io::Write as _;
use std::path::Path;

use stet::formats;
use stet::session::{Depth, FileNo, LogError, Outline};
use tempfile::TempDir;

use super::{CLAUDE, show, write};

#[test]
fn a_line_that_is_still_written_waits_and_then_shows_once() {
    let folder = TempDir::new().unwrap();
    let second = CLAUDE.replace("first", "sécond").replace("u0", "u1");
    let path = write(&folder, "live", format!("{CLAUDE}\n"));
    let mut log = formats::open(&path).unwrap();
    let (mut from, mut shown) = (0, Vec::new());
    let mut outline = Outline::default();
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    let blank = " \r\n\n";
    for piece in format!("{second}\n{blank}{CLAUDE}\n{blank}{{broken\n").as_bytes().chunks(3) {
        file.write_all(piece).unwrap();
        loop {
            let stretch = log.forward(FileNo(0), from, 1 << 20, Depth::Full).unwrap();
            shown.extend(stretch.lines.iter().map(show));
            stretch.lines.iter().for_each(|line| outline.push(line));
            from = stretch.end;
            if stretch.at_end {
                assert_eq!(from + stretch.pending, log.size(FileNo(0)).unwrap());
                break;
            }
        }
    }
    assert_eq!(
        shown,
        [
            "user | user: text \"first\"",
            "user | user: text \"sécond\"",
            "user | user: text \"first\"",
            "unread: not JSON: key must be a string (column 2)",
        ]
    );
    assert_eq!(outline.troubles[0].line, Some(8), "blank lines are counted, whenever they came");
}

#[test]
fn a_file_that_was_rewritten_is_not_read_on() {
    let folder = TempDir::new().unwrap();
    let text = format!("{CLAUDE}\n{CLAUDE}\n");
    let rewrites: [fn(&Path, &str); 3] = [
        |path, text| std::fs::write(path, &text[..text.len() / 2]).unwrap(),
        |path, text| std::fs::write(path, text.replace("first", "other") + text).unwrap(),
        |path, text| {
            std::fs::write(path.with_extension("new"), text).unwrap();
            std::fs::rename(path.with_extension("new"), path).unwrap();
        },
    ];
    for rewrite in rewrites {
        let path = write(&folder, "live", &text);
        let mut log = formats::open(&path).unwrap();
        assert!(log.forward(FileNo(0), 0, 10, Depth::Full).is_ok());
        std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{}\n").unwrap();
        assert!(log.size(FileNo(0)).is_ok(), "growing is no rewriting");
        rewrite(&path, &text);
        assert!(matches!(log.forward(FileNo(0), 0, 10, Depth::Full), Err(LogError::Rewritten { .. })));
        assert!(log.again().is_err());
    }
}

#[test]
fn a_raw_line_is_given_as_it_was_read_or_not_at_all() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "live", format!("{CLAUDE}\r\n\n{CLAUDE}\n"));
    let mut log = formats::open(&path).unwrap();
    let lines = log.forward(FileNo(0), 0, 1 << 20, Depth::Full).unwrap().lines;
    assert_eq!(lines.iter().map(|line| line.blanks).collect::<Vec<_>>(), [0, 1]);
    log.forward(FileNo(0), lines[1].offset, 1, Depth::Outline).unwrap();
    for (line, want) in lines.iter().zip([format!("{CLAUDE}\r"), CLAUDE.to_owned()]) {
        assert_eq!(log.raw_of(line).unwrap(), want.as_bytes(), "read last or not");
        let raw = log.raw(FileNo(0), line.offset).unwrap();
        assert!(raw == want.as_bytes() && raw.capacity() < 2 * raw.len(), "as large as it is");
    }
    std::fs::write(&path, format!("{}\n", CLAUDE.replace("first", "other"))).unwrap();
    assert_eq!(log.raw_of(&lines[1]).unwrap(), CLAUDE.as_bytes());
    assert!(matches!(log.raw_of(&lines[0]), Err(LogError::Rewritten { .. })));
}
