//! What `--help` teaches beside the arguments, where it is longer than a few lines.

/// The program.
pub const EXAMPLES: &str = "\
Examples:
  stet demo                                  look round in a sample
  stet ls                                    which sessions are on this machine
  stet ~/.claude/projects/shop/0a1b.jsonl    open one
  stet show SESSION -m 2 --format json       what the second compaction kept
  stet ledger correct SESSION m2.r3 --as reopened --reason 'nobody ruled it out'

SESSION is a path, a session id, or path#id where one file holds several. An agent's own files are only ever \
read.";

/// `stet audit`.
pub const AUDIT_HELP: &str = "\
What is found at each compaction, worst first: its name (in JSON), and the words that are printed.
  inverted        turned round: a question, a no or a maybe became its opposite
  invented        never said: no turn before the compaction holds it
  altered         changed: the same thing with another value
  firmed          made firmer: surer than it was said
  misattributed   someone else said it: the agent's caution as the user's rule
  overruled       said again after it was corrected: it contradicts the ledger
  laundered       only a summary says so: its originals are gone
  lost            forgotten: said, needed afterwards, and not kept

Folders stand for all sessions in them. With --format json every session is one object on one line, printed as \
soon as it and those before it are done (see: stet schema audit). A session that cannot be read keeps no other \
from being checked; the exit code is then 2.

Examples:
  stet audit session.jsonl
  stet audit session.jsonl --kind inverted --kind altered
  stet audit ~/.claude/projects --fail-on high
  stet audit ~/.claude/projects --format json > findings.jsonl";

/// `stet lineage`.
pub const LINEAGE_HELP: &str = "\
The original words come first, then how each compaction renders them. Each is compared with the original, and \
beside it with the summary before alone: that one often sees nothing.

Examples:
  stet lineage orders.db m5.d2
  stet lineage session.jsonl 'retry ceiling'";

/// `stet extract`.
pub const EXTRACT: &str = "\
What it sees, by field:
  entities      identifiers, with a class: path, url, uuid, hash, version, …
  figures       values with label, unit and comparator
  constraints   sentences that bind: must, never, only, before
  decisions     sentences that decide, agree or turn down
  actions       sentences that tell of something done
  ruled_out     what is ruled out, with the evidence where it is given
  open          questions, proposals, things to be done
  hedge         words that leave something uncertain
  negation      what is negated; the cue are the words that do it

Code, logs, diffs, quoted lines and what a harness put into the text hold identifiers and figures, and nothing \
else. Certainty: 0 asked, 1 conditional, 2 possible, 3 weak belief, 4 proposed or probable, 5 wanted, 6 \
decided or done. A range counts bytes of the text from 0, its end not included; with --lines, of the line. A \
field that the language has no words for is told as not analysed, which does not mean that there is nothing.

Examples:
  stet extract notes.md
  pbpaste | stet extract
  stet extract --lines --format json claims.txt | jq 'select(.field == \"negation\")'";

/// `stet simulate`.
pub const SIMULATE: &str = "\
Each prints a table (the published figure, ours, the difference), a plot, and what was assumed. Nothing is \
read and no model is asked; the same seed gives the same bytes on every machine. `published` are figures that \
others gave: measured with real summarisers, or (`survival`) in a simulation of theirs. Where the assumption \
lies, each experiment says; `stet simulate NAME --help` says what it shows.

Examples:
  stet simulate survival
  stet simulate survival --loss 0.4 --window 3000 --runs 200
  stet simulate arms --svg arms.svg
  stet simulate hedges --format json | jq '.tables[0].rows'";

/// `stet simulate survival`.
pub const SIMULATE_SURVIVAL: &str = "\
What it shows: an agent looks up 36 facts, six in each of six articles. When the window is full it truncates, \
or summarises without loss, or summarises and loses each line with probability L, or does that and searches \
again. A fact that went through n compactions is there with (1-L)^n, so the first ones asked for are gone \
first. The curve is measured as survival is (Kaplan-Meier, 95 % band).
Where the assumption lies: the sizes of questions, searches, pages and notes. They were searched for until the \
published figures came out as nearly as they do. `s3` and `s3b` bracket them.

Examples:
  stet simulate survival
  stet simulate survival --loss 0.1 --window 1500 --window 3000
  stet simulate survival --profile s3b --runs 200 --svg survival.svg";

/// `stet simulate drift`.
pub const SIMULATE_DRIFT: &str = "\
What it shows: with nothing new said, ten passes lose 11 of 20 facts, and state seven things that nobody said. \
The losses fit one constant rate; what is made up starts late, because a gap has to be there before it is \
filled.
Where the assumption lies: that a lost fact leaves a gap which later passes fill, at a fitted rate.

Example:
  stet simulate drift --svg drift.svg";

/// `stet simulate hedges`.
pub const SIMULATE_HEDGES: &str = "\
What it shows: 88 % of the hedges are still expressed after one pass, 51 % after three, 22 % after six. At the \
rate of the first pass it would be 68 % after three: later passes destroy more.
Where the assumption lies: in the rates, which are worked out from these shares. The finding is that no \
constant rate gives them.

Example:
  stet simulate hedges --items 100000 --seed 7";

/// `stet simulate inversion`.
pub const SIMULATE_INVERSION: &str = "\
What it shows: a small rate is multiplied by items and passes. 40 items in 6 passes are 240 trials: at 0.6 % \
each, 76.4 % of the sessions end with something turned round; at 0.06 %, 13.4 %. Formula and drawn sessions \
stand side by side, and what the published share of sessions would ask for.
Where the assumption lies: that items are turned round independently of each other.

Example:
  stet simulate inversion --items 100 --passes 3";

/// `stet simulate triggers`.
pub const SIMULATE_TRIGGERS: &str = "\
What it shows: a compaction at a change of subject cuts no thread. One under pressure falls between a \
suspicion and the turn that rules it out, and what was ruled out is lost. A change is found as `stet compile` \
finds it, some turns late; what it would be at once stands beside it.
Rules: the published one (over 0.6 of the window, or more than 15 turns, or at a seam), a patient one (waits \
for a seam up to 0.85), and pressure alone.
Where the assumption lies: in the made sessions, above all in how many turns a ruling out takes (--thread); \
the plot shows the gap for each.

Example:
  stet simulate triggers --thread 6";

/// `stet simulate arms`.
pub const SIMULATE_ARMS: &str = "\
What it shows: the first block's items under four policies.
  recursive      each summary from the one before: losses multiply, (1-L)^n
  hierarchical   a block once from the originals, spans too: (1-L), however long
                 (with spans made from summaries: (1-L)^2)
  ledger         a share Q is pinned, the rest as recursive: Q + (1-Q)(1-L)^n
  none           what leaves the window is gone
Where the assumption lies: every rewriting has the same loss, and a rebuild draws independently.

Example:
  stet simulate arms --loss 0.12 --pinned 0.6 --passes 6";
/// `stet window`.
pub const WINDOW_HELP: &str = "\
In this order: the system text, the ledger word for word, spans and blocks, the turns since the last block \
closed. Blocks are made by `stet compile`; without any, all turns stand as they were said. What is too much is \
told in numbers and never left out silently.

Examples:
  stet window night-shift --budget 32000
  stet window orders.jsonl --budget 8000 --brief --text
  stet window night-shift --budget 32000 --format json";

/// `stet cost`.
pub const COST_HELP: &str = "\
  recursive     each compaction reads the summary before it and what is new
  hierarchical  each block is read once as it closes, spans the originals again

Examples:
  stet cost --profile paper
  stet cost night-shift
  stet cost orders.jsonl --price 3.00 --format json";
/// Under `stet compile --help`.
pub(super) const COMPILE_HELP: &str = "\
A block is a closed run of turns. Its record is made once, from the turns themselves, and never again. A block \
closes at the first turn from --target on at which no call waits for its result and
  a step done      the agent just reported a piece of work as done (step)
  calls answered   calls came to their answer, and a person speaks (tool-loop)
  another topic    other words, other files, a cue, a pause (topic)
and at --cap in any case, `grown long` (hard-cap), which names the calls that it cuts from their results. The \
words in brackets are those in JSON. Another topic may be seen some turns late, and by which sign is told too. The \
turns behind the last block stay open until something stands behind them. What is closed stays as it is: \
another --target or --cap cuts only what follows.

A session in an agent's own file is first copied verbatim into the database (--db). Run again, only what is \
new is copied, and only blocks that closed since are added.
A summariser that fails keeps no block from being made: its prose is then sentences of the originals, which is \
said, and the exit code is 1.

Examples:
  stet compile ~/.claude/projects/shop
  stet compile 0a1b2c3d --target 20 --cap 30
  stet compile orders.db --records --format json | jq .blocks[0].record.constraints";
