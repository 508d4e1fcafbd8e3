//! What `--help` teaches beside the arguments, where it is longer than a few lines.

/// The program.
pub const EXAMPLES: &str = "\
Examples:
  stet demo                                  look round in a sample
  stet ls                                    which sessions are on this machine
  stet ~/.claude/projects/shop/0a1b.jsonl    open one
  stet show SESSION -m 2 --format json       what the second compaction kept
  stet ledger correct SESSION m2.r3 --as reopened --reason 'nobody ruled it out'

SESSION is a path, a session id, or path#id where one file holds several.
An agent's own files are only ever read.";

/// `stet audit`.
pub const AUDIT_HELP: &str = "\
What is found at each compaction, worst first:
  inverted        turned round: a question, a no or a maybe came out as its opposite
  invented        never said: no turn before the compaction holds it
  altered         changed: the same thing with another value
  firmed          made firmer: surer than it was said
  misattributed   someone else said it: the agent's own caution became the user's rule
  overruled       said again after it was corrected: it contradicts the ledger
  laundered       only a summary says so: its originals are gone
  lost            forgotten: said, needed afterwards, and not kept

Folders stand for all sessions in them. With --format json every session is one object on
one line, printed as soon as it and those before it are done (see: stet schema audit).
A session that cannot be read keeps no other from being checked; the exit code is then 2.

Examples:
  stet audit session.jsonl
  stet audit session.jsonl --kind inverted --kind altered
  stet audit ~/.claude/projects --fail-on high
  stet audit ~/.claude/projects --format json > findings.jsonl";

/// `stet lineage`.
pub const LINEAGE_HELP: &str = "\
The original words come first, then how each compaction renders them. Each is compared with
the original, and beside it with the summary before alone: that one often sees nothing.

Examples:
  stet lineage orders.db m5.d2
  stet lineage session.jsonl 'retry ceiling'";

/// `stet extract`.
pub const EXTRACT: &str = "\
What it sees, by field:
  entities      identifiers, with their class: path, url, uuid, hash, version, id, symbol, …
  figures       values with label, unit and comparator
  constraints   sentences that bind: must, never, only, before
  decisions     sentences that decide, agree or turn down
  actions       sentences that tell of something done
  ruled_out     what is ruled out, with the evidence where it is given
  open          questions, proposals, things to be done
  hedge         words that leave something uncertain
  negation      what is negated; the cue are the words that do it

Code, logs, diffs, quoted lines and what a harness put into the text hold identifiers and figures, and nothing else.
Certainty: 0 asked, 1 conditional, 2 possible, 3 weak belief, 4 proposed or probable, 5 wanted, 6 decided or done.
A range counts bytes of the text from 0, its end not included; with --lines, of the line.
A field that the language has no words for is told as not analysed, which does not mean that there is nothing.

Examples:
  stet extract notes.md
  pbpaste | stet extract
  stet extract --lines --format json claims.txt | jq 'select(.field == \"negation\")'";

/// `stet window`.
pub const WINDOW_HELP: &str = "\
In this order: the system text, the ledger word for word, spans and blocks, the turns since the last block closed.
Blocks are made by `stet compile`; without any, all turns stand as they were said.
What is too much is told in numbers and never left out silently.

Examples:
  stet window night-shift --budget 32000
  stet window orders.jsonl --budget 8000 --brief --text
  stet window night-shift --budget 32000 --format json";

/// `stet cost`.
pub const COST_HELP: &str = "\
recursive:     each compaction reads the summary before it and what was said since
hierarchical:  each block is read once when it closes; spans are made from the same originals

Examples:
  stet cost --profile paper
  stet cost night-shift
  stet cost orders.jsonl --price 3.00 --format json";
/// Under `stet compile --help`.
pub(super) const COMPILE_HELP: &str = "\
A block is a closed run of turns. Its record is made once, from the turns themselves, and never again. A block closes at
the first turn from --target on at which no call waits for its result and
  step        the agent has just reported a piece of work as done
  tool-loop   a run of calls has come to its answer, and a person speaks
  topic       the talk turned to something else (words, a long pause; may be seen some turns late)
and at --cap in any case (hard-cap), which names the calls that it cuts from their results.
The turns behind the last block stay open until something stands behind them.

A session in an agent's own file is first copied verbatim into the database (--db). Run again, only what is new is
copied, and only blocks that closed since are added.

Examples:
  stet compile ~/.claude/projects/shop
  stet compile 0a1b2c3d --target 20 --cap 30
  stet compile orders.db --records --format json | jq .blocks[0].record.constraints";
