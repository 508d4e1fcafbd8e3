//! stet: what each compaction of a long agent session kept, checked against the originals, and corrected for good.
//!
//! # The map
//!
//! One crate; its rooms use only rooms above them in this list, and rooms of the same number do not use each other
//! (`tests/architecture.rs` holds the table). Each room says in its `mod.rs` what is in it and what is kept out.
//!
//! | | room | what it holds |
//! |---|---|---|
//! | 0 | [`text`] | strings only: width, wrapping, search, and the one door for foreign text to a screen |
//! | 1 | [`session`] | what happened: lines, parts, turns, places, and the outline that grows over them |
//! | 2 | [`record`] | what was kept, and what was said about it: items, anchors, corrections, the ledger |
//! | 3 | [`extract`] | text to items with byte ranges: identifiers, figures, quoted words |
//! | 3 | [`formats`] | the agents' own files, one file each: read only, forgiving |
//! | 3 | [`store`] | our database: parts, records, ledger, search index |
//! | 4 | [`compile`] | turns and summaries to records |
//! | 4 | [`audit`] | records held against the originals: verdicts, findings, retention, lineage |
//! | 4 | [`handback`] | what an agent is told |
//! | 5 | [`simulate`] | experiments with compaction, seeded: what survives, what drifts, what it costs |
//! | 5 | [`workbench`] | the use cases: where the rooms 3 and 4 meet, and all that a screen or a command asks for |
//! | 6 | [`view`] | what a screen shows: rows of runs with a tone, no colour |
//! | 7 | [`app`] | state and change: keys and results in, effects out |
//! | 8 | [`tui`] | the terminal: loop, worker, drawing, restoring |
//! | 8 | [`cli`] | arguments, settings, plain printing and JSON |
//!
//! # Start reading here
//!
//! 1. [`session`]: a file is read as lines in file order; `group` makes turns and markers of them, `Outline` knows what
//!    only the whole file can tell.
//! 2. [`record`]: what a record is, and how the ledger is replayed and laid over it.
//! 3. [`workbench`]: `Desk` is one open session with its ledger. Whatever a command or a screen can do is one of its
//!    functions.
//! 4. [`app`]: `update` turns a key into a changed state and effects; [`tui`] draws the one and carries out the others.
//!
//! A new agent is one file in `formats`, one line in its list, and a sample under `sample-sessions/`.
//!
//! # For who builds an agent
//!
//! [`workbench::Engine`] is a session in a database: what is appended is on the disk before anything is made of it, what
//! binds in a person's words is pinned as it arrives, blocks close behind it with records of their own, and a window holds
//! every turn in exactly one way. What is compacted passes the gate: a summary is never read to make another one.
//!
//! ```
//! use stet::session::Trigger;
//! use stet::workbench::{Engine, EngineRules, Next, NotCompacted, Rules, Utterance};
//!
//! # fn main() -> anyhow::Result<()> {
//! # let folder = tempfile::tempdir()?;
//! # let db = folder.path().join("stet.db");
//! let blocks = Rules { target: 2, cap: 4, ..Rules::default() };
//! let mut engine = Engine::with(&db, "night-shift", EngineRules { blocks, ..EngineRules::by(|| 1_772_460_420_000) })?;
//! for no in 1..=3 {
//!     engine.append(&[
//!         Utterance::user(&format!("u{no}"), "Never lock orders between 08:00 and 20:00."),
//!         Utterance::agent(&format!("a{no}"), "I read /srv/db/orders.sql: the retry ceiling is 7."),
//!     ])?;
//! }
//! engine.compile()?; // or close() now, and work() whenever the agent waits for something else
//! let context = engine.window("You look after the order database.", 8_000)?;
//! assert_eq!(context.window.over(), None);
//! assert!(context.window.text().contains("Never lock orders between 08:00 and 20:00."));
//!
//! let (tokens, reads) = (7_000, 8_000); // of the next request, and of the model
//! if let Next::Compact(trigger) = engine.turn_ended(tokens, reads)? {
//!     match engine.compact(trigger, tokens) {
//!         Ok(done) => assert_eq!((done.markers, done.trigger), (1, Trigger::Pressure)),
//!         Err(NotCompacted::Refused(refused)) => println!("{refused}: {:?}", refused.ways_out()),
//!         Err(other) => println!("{other}"), // handed over after six, or something did not work
//!     }
//! }
//! # assert_eq!(engine.markers(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! # What never bends
//!
//! | | |
//! |---|---|
//! | A1 | a room never uses a room below it |
//! | A2 | `session` and `record` know no file, clock, database, serde or screen |
//! | A3 | SQL only in `store` and `formats`, the terminal only in `tui`, the command line only in `cli` |
//! | A4 | `view` and `app` hold no colour and no terminal type |
//! | A5 | `app`, `view` and `tui/draw` do no IO, read no clock, take no lock |
//! | A6 | `formats` never opens anything for writing, and leaves nothing beside the file it reads |
//! | A7 | no reader fails on one bad line; every unread thing is a trouble with its place |
//! | A8 | nothing updates or deletes a part, an own record or a ledger entry, in code or in SQL (closed texts in retention mode apart) |
//! | A9 | a summariser's words are a draft; one function turns a draft into an item and says whether a source was found |
//! | A10 | a person's correction is never dropped silently: without its item it is shown as an orphan |
//! | A11 | text from a session reaches a cell, a file or the clipboard only through [`text`]; the type enforces it |
//! | A12 | the cost of a frame or a key does not depend on the session's length |
//!
//! # Three decisions that everything stands on
//!
//! - **Places.** A place is (file, byte offset, part). The outline grows and may be incomplete; the transcript is a window
//!   of entries around an anchor. Nothing waits for a whole file to be read.
//! - **Identity.** A part is stored once and never changes; turns are derived. What refers to an item is an anchor.
//!   Turn numbers and names such as `m2.r3` are for display.
//! - **Pinned against derived.** Parts, own records and the ledger only grow, and SQLite itself refuses edits. Lifted
//!   records, findings and indexes are caches with a rules version and may be dropped.

pub mod app;
pub mod audit;
pub mod cli;
pub mod compile;
pub mod extract;
pub mod formats;
pub mod handback;
pub mod record;
pub mod session;
pub mod simulate;
pub mod store;
pub mod text;
pub mod tui;
pub mod view;
pub mod workbench;
