//! Sessions whose sub-agents' files are damaged, closed, odd or entangled. Each session itself is whole.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::{Act, Corpus};
use crate::random::Chance;

/// A line of the session itself, or of one of its agents.
fn said(code: &str, n: u64, agent: Option<&str>) -> String {
    let side = agent.map_or(String::new(), |agent| format!("\"isSidechain\":true,\"agentId\":\"{agent}\","));
    format!(
        "{{\"type\":\"user\",{side}\"uuid\":\"u{n}\",\"sessionId\":\"s1\",\"timestamp\":\"2026-09-21T14:13:2{n}.000Z\",\
         \"message\":{{\"role\":\"user\",\"content\":\"GOOD-{code}-{n}\"}}}}\n"
    )
}

/// A call and its result, which names the agent that it started.
fn starts(by: &str, agent: &str) -> String {
    format!(
        "{{\"type\":\"assistant\",\"isSidechain\":true,\"agentId\":\"{by}\",\"uuid\":\"c{by}\",\"sessionId\":\"s1\",\
         \"message\":{{\"id\":\"m{by}\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"t{by}\",\"name\":\"Task\",\"input\":{{}}}}]}}}}\n\
         {{\"type\":\"user\",\"isSidechain\":true,\"agentId\":\"{by}\",\"uuid\":\"r{by}\",\"sessionId\":\"s1\",\
         \"toolUseResult\":{{\"agentId\":\"{agent}\"}},\"message\":{{\"content\":[{{\"type\":\"tool_result\",\
         \"tool_use_id\":\"t{by}\",\"content\":\"done\"}}]}}}}\n"
    )
}

impl Corpus {
    /// The session, and where its agents' files belong.
    fn session(&mut self, name: &'static str) -> (PathBuf, PathBuf) {
        let folder = self.folder(name);
        let path = folder.join("session.jsonl");
        fs::write(&path, said(&name[..3], 1, None)).unwrap();
        let agents = folder.join("session/subagents");
        fs::create_dir_all(&agents).unwrap();
        (path, agents)
    }

    /// A session with one agent's file that cannot be opened.
    fn closed(&mut self, name: &'static str, make: impl FnOnce(&Path)) {
        let (path, agents) = self.session(name);
        make(&agents.join("agent-a.jsonl"));
        self.add(name, path, Act::Skips).good(1).bad(1, &[]);
    }
}

/// Writes them all.
pub fn sides(c: &mut Corpus) {
    c.closed("s01-agent-is-a-folder", |file| fs::create_dir(file).unwrap());
    c.closed("s02-agent-is-a-loop", |file| symlink(file.file_name().unwrap(), file).unwrap());
    c.closed("s03-agent-without-end", |file| symlink("/dev/zero", file).unwrap());
    c.closed("s04-agent-that-makes-wait", |file| {
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, file, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    });
    let (path, agents) = c.session("s05-agent-without-permission");
    let file = agents.join("agent-a.jsonl");
    fs::write(&file, said("s05", 2, Some("a"))).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    // Root may read everything.
    match fs::File::open(&file) {
        Ok(_) => c.add("s05-agent-without-permission", path, Act::Opens).good(2),
        Err(_) => c.add("s05-agent-without-permission", path, Act::Skips).good(1).bad(1, &[]),
    };

    let (path, agents) = c.session("s06-agent-of-garbage");
    let mut chance = Chance::new(6);
    let mut garbage: Vec<u8> = (0..20_000).map(|_| chance.next() as u8).map(|b| b & !u8::from(b == b'\n')).collect();
    garbage.push(b'\n');
    let bytes = [garbage.as_slice(), said("s06", 2, Some("a")).as_bytes(), b"{\"type\":\n\0\0\0\n"].concat();
    fs::write(agents.join("agent-a.jsonl"), bytes).unwrap();
    c.add("s06-agent-of-garbage", path, Act::Skips).good(2).bad(3, &[]);

    let (path, agents) = c.session("s07-agents-that-start-each-other");
    for (n, by, other) in [(2, "a", "b"), (3, "b", "a")] {
        let text = said("s07", n, Some(by)) + &starts(by, other);
        fs::write(agents.join(format!("agent-{by}.jsonl")), text).unwrap();
    }
    c.add("s07-agents-that-start-each-other", path, Act::Opens).good(3);

    let (path, agents) = c.session("s10-agents-of-agents");
    let main = said("s10", 1, None) + &starts("", "a").replace("\"isSidechain\":true,\"agentId\":\"\",", "");
    fs::write(&path, main).unwrap();
    for (n, by, next) in [(2, "a", "b"), (3, "b", "c"), (4, "c", "d")] {
        let text = said("s10", n, Some(by)) + &starts(by, next);
        fs::write(agents.join(format!("agent-{by}.jsonl")), text).unwrap();
    }
    c.add("s10-agents-of-agents", path, Act::Opens).good(4);

    let (path, agents) = c.session("s08-agents-folder-is-its-own");
    fs::remove_dir(&agents).unwrap();
    symlink("..", &agents).unwrap();
    fs::write(path.with_file_name("agent-a.jsonl"), said("s08", 2, Some("a"))).unwrap();
    c.add("s08-agents-folder-is-its-own", path, Act::Opens).good(2);

    let (path, agents) = c.session("s09-agent-that-says-it-is-another");
    fs::write(agents.join("agent-a.jsonl"), said("s09", 2, Some("../../b\\u001b[2J"))).unwrap();
    c.add("s09-agent-that-says-it-is-another", path, Act::Opens).good(2);
}
