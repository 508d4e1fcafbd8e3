//! Paths that are no plain files, or whose names act on a terminal.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use super::{Act, Corpus};

/// What each readable file holds.
const LINE: &str = "{\"type\":\"user\",\"uuid\":\"u1\",\"sessionId\":\"s1\",\"timestamp\":\"2026-09-21T14:13:20.000Z\",\
    \"message\":{\"role\":\"user\",\"content\":\"GOOD-CODE-1\"}}\n";

fn put(path: &Path, code: &str) {
    fs::write(path, LINE.replace("CODE", code)).unwrap();
}

/// Writes them all.
pub fn odd_paths(c: &mut Corpus) {
    let path = c.folder("x01-fifo").join("fifo.jsonl");
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    c.add("x01-fifo", path, Act::Refuses);
    let folder = c.folder("x02-loop");
    symlink("b.jsonl", folder.join("a.jsonl")).unwrap();
    symlink("a.jsonl", folder.join("b.jsonl")).unwrap();
    c.add("x02-loop", folder.join("a.jsonl"), Act::Refuses);
    for (name, target) in [("x04-dev-zero", "/dev/zero"), ("x05-dangling", "nowhere")] {
        let path = c.folder(name).join("link.jsonl");
        symlink(target, &path).unwrap();
        c.add(name, path, Act::Refuses);
    }
    let path = c.folder("x06-directory").join("folder.jsonl");
    fs::create_dir(&path).unwrap();
    c.add("x06-directory", path, Act::Refuses);
    let path = c.folder("x07-no-permission").join("closed.jsonl");
    put(&path, "x07");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    // Root may read everything; then it opens.
    let open = fs::File::open(&path).is_ok();
    c.add("x07-no-permission", path, if open { Act::Opens } else { Act::Refuses }).good(usize::from(open));
    let names: [(&str, &[u8]); 4] = [
        ("x08-name-with-escapes", b"esc\x1b[2J\x1b]0;t\x07.jsonl"),
        ("x09-name-with-a-newline", b"new\nline.jsonl"),
        ("x10-name-not-utf-8", b"not-utf8-\xff\xfe.jsonl"),
        ("x11-leading-dash", b"-dash.jsonl"),
    ];
    for (name, file) in names {
        let path = c.folder(name).join(OsString::from_vec(file.to_vec()));
        put(&path, &name[..3]);
        c.add(name, path, Act::Opens).good(1);
    }
    let path = c.folder("x08-missing").join("no\x1b[2Jsuch\u{202e}file.jsonl");
    c.add("x08-missing", path, Act::Refuses);
    let folder = c.folder("x12-folder-in-itself").join("folder");
    fs::create_dir(&folder).unwrap();
    symlink(".", folder.join("self")).unwrap();
    put(&folder.join("x12.jsonl"), "x12");
    c.add("x12-folder-in-itself", folder.join("x12.jsonl"), Act::Opens).good(1);
    let deep = c.folder("x13-deep").join("d/".repeat(200));
    fs::create_dir_all(&deep).unwrap();
    put(&deep.join("x13.jsonl"), "x13");
    c.add("x13-deep", deep.join("x13.jsonl"), Act::Opens).good(1);
}
