-- Three kinds of tables stand here, in this order:
--   pinned   what was said, what was kept, what was entered. They only grow, triggers refuse the rest, and hashes tell
--            when somebody went around the triggers (`stet ledger verify`).
--   in use   titles, and where sub-agents' files lie. They change, and nothing else holds what they say.
--   derived  figures and the search index. They may be emptied at any time; whoever writes next makes them anew from
--            the pinned tables.

-- Pinned.

CREATE TABLE session (
  session INTEGER PRIMARY KEY,
  agent TEXT NOT NULL,
  id TEXT NOT NULL,
  sub TEXT,
  created INTEGER,
  -- 'retention': the originals of closed blocks are meant to go.
  mode TEXT NOT NULL DEFAULT 'keep' CHECK (mode IN ('keep', 'retention'))
) STRICT;
CREATE UNIQUE INDEX session_key ON session (agent, id, sub IS NULL, ifnull(sub, ''));

CREATE TABLE line (
  line INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES session,
  -- 0 is the session's own file, the others are its sub-agents'.
  file INTEGER NOT NULL,
  -- From 0 within its file.
  seq INTEGER NOT NULL,
  id TEXT,
  parent TEXT,
  logical_parent TEXT,
  at INTEGER,
  sidechain TEXT,
  started_agent TEXT,
  lossy TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('message', 'compaction', 'summary', 'note', 'noise', 'unread')),
  role TEXT CHECK (role IN ('user', 'assistant', 'system')),
  -- The turn key: lines of one role that share it are one turn.
  message TEXT,
  usage_input INTEGER,
  usage_output INTEGER,
  -- Of noise a short word, of an unread line why.
  what TEXT,
  title TEXT,
  -- The raw line is a line of the interchange format, written for this program.
  own INTEGER NOT NULL,
  raw_length INTEGER NOT NULL,
  raw_hash BLOB NOT NULL,
  -- Of the text in line_text, which may go in a session in retention mode. NULL where there is none.
  text_hash BLOB,
  -- Over everything the line says besides its parts, and the seal of the line before it in its file.
  seal BLOB NOT NULL,
  UNIQUE (session, file, seq),
  -- What a kind does not say is not there.
  CHECK (kind = 'message' OR (role IS NULL AND message IS NULL AND usage_input IS NULL AND usage_output IS NULL)),
  CHECK ((usage_input IS NULL) = (usage_output IS NULL)),
  CHECK (kind IN ('noise', 'unread') OR what IS NULL),
  CHECK (kind = 'noise' OR title IS NULL)
) STRICT;
CREATE INDEX line_id ON line (session, id) WHERE id IS NOT NULL AND kind <> 'message';

CREATE TABLE line_raw (
  line INTEGER PRIMARY KEY REFERENCES line,
  raw BLOB NOT NULL
) STRICT;

-- The text of a summary or of noise.
CREATE TABLE line_text (
  line INTEGER PRIMARY KEY REFERENCES line,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE part (
  part INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES session,
  -- From 0 within the session, in the order in which parts came.
  seq INTEGER NOT NULL,
  line INTEGER NOT NULL REFERENCES line,
  block INTEGER NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('text', 'thinking', 'tool_call', 'tool_result', 'opaque')),
  speaker TEXT NOT NULL CHECK (speaker IN ('user', 'assistant', 'tool', 'system')),
  call TEXT,
  tool TEXT,
  ok INTEGER,
  what TEXT,
  length INTEGER NOT NULL,
  hash BLOB NOT NULL,
  -- Over everything the part says, its place and the chain before it.
  chain BLOB NOT NULL,
  UNIQUE (session, seq),
  UNIQUE (line, block),
  UNIQUE (session, id)
) STRICT;

CREATE TABLE part_text (
  part INTEGER PRIMARY KEY REFERENCES part,
  text TEXT NOT NULL
) STRICT;

-- The boundary of a compaction.
CREATE TABLE compaction (
  line INTEGER PRIMARY KEY REFERENCES line,
  "trigger" TEXT,
  tokens_before INTEGER,
  tokens_after INTEGER,
  first_kept_id TEXT,
  first_kept_line INTEGER,
  last_covered TEXT,
  -- The first and the last line that were kept, where the agent names only those two.
  preserved_head TEXT,
  preserved_tail TEXT
) STRICT;

CREATE TABLE compaction_kept (
  line INTEGER NOT NULL REFERENCES compaction,
  nth INTEGER NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (line, nth)
) STRICT, WITHOUT ROWID;

-- What a micro-compaction cleared.
CREATE TABLE note (
  line INTEGER PRIMARY KEY REFERENCES line,
  before INTEGER,
  saved INTEGER,
  cleared INTEGER NOT NULL
) STRICT;

-- A record in structured form. A block's record has no compaction line.
CREATE TABLE record (
  record INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES session,
  id TEXT NOT NULL,
  line INTEGER REFERENCES compaction,
  -- Over the items with their sources, the place of the line, and the seal of the session's record before it.
  seal BLOB NOT NULL,
  UNIQUE (session, id)
) STRICT;
CREATE UNIQUE INDEX record_line ON record (line) WHERE line IS NOT NULL;

CREATE TABLE item (
  record INTEGER NOT NULL REFERENCES record,
  ordinal INTEGER NOT NULL,
  field TEXT NOT NULL,
  text TEXT NOT NULL,
  class TEXT,
  label TEXT,
  value TEXT,
  unit TEXT,
  tool TEXT,
  args TEXT,
  ok INTEGER,
  claim TEXT,
  evidence TEXT,
  PRIMARY KEY (record, ordinal)
) STRICT, WITHOUT ROWID;

-- The words an item rests on: a byte range of a part, and the bytes, which stay when the part's text may not.
CREATE TABLE item_source (
  record INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  nth INTEGER NOT NULL,
  part INTEGER NOT NULL REFERENCES part,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  quote TEXT NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (record, ordinal, nth),
  FOREIGN KEY (record, ordinal) REFERENCES item
) STRICT, WITHOUT ROWID;

-- One b-tree, so that an entry is one page and one sync. The anchor and the quote stand in the row.
CREATE TABLE ledger (
  session INTEGER NOT NULL REFERENCES session,
  no INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  act TEXT NOT NULL,
  outcome TEXT,
  text TEXT NOT NULL,
  via TEXT NOT NULL,
  author TEXT NOT NULL,
  reason TEXT,
  proposed INTEGER NOT NULL,
  target BLOB,
  origin BLOB,
  anchor_agent TEXT,
  anchor_session TEXT,
  anchor_sub TEXT,
  anchor_marker TEXT,
  anchor_summary BLOB,
  anchor_field TEXT,
  anchor_text TEXT,
  anchor_hash BLOB,
  anchor_start INTEGER,
  anchor_end INTEGER,
  anchor_record TEXT,
  anchor_ordinal INTEGER,
  source_turn TEXT,
  source_turn_id TEXT,
  source_line_id TEXT,
  source_part INTEGER,
  source_start INTEGER,
  source_end INTEGER,
  source_quote TEXT,
  source_hash BLOB,
  source_speaker TEXT,
  prev BLOB NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (session, no)
) STRICT, WITHOUT ROWID;

-- Where each ledger ends, so that its last entries cannot go unnoticed. It moves on with each entry, and never back.
CREATE TABLE ledger_end (
  session INTEGER PRIMARY KEY REFERENCES session,
  no INTEGER NOT NULL,
  hash BLOB NOT NULL
) STRICT;

-- The newest mark on an item counts.
CREATE TABLE review (
  session INTEGER NOT NULL REFERENCES session,
  no INTEGER NOT NULL,
  at INTEGER NOT NULL,
  author TEXT NOT NULL,
  checked INTEGER NOT NULL,
  anchor_agent TEXT NOT NULL,
  anchor_session TEXT NOT NULL,
  anchor_sub TEXT,
  anchor_marker TEXT NOT NULL,
  anchor_summary BLOB NOT NULL,
  anchor_field TEXT NOT NULL,
  anchor_text TEXT NOT NULL,
  anchor_hash BLOB NOT NULL,
  anchor_start INTEGER,
  anchor_end INTEGER,
  anchor_record TEXT,
  anchor_ordinal INTEGER,
  PRIMARY KEY (session, no)
) STRICT, WITHOUT ROWID;

-- In use.

CREATE TABLE title (
  session INTEGER PRIMARY KEY REFERENCES session,
  title TEXT NOT NULL
) STRICT;

CREATE TABLE side (
  session INTEGER NOT NULL REFERENCES session,
  file INTEGER NOT NULL,
  agent_id TEXT NOT NULL,
  path TEXT NOT NULL,
  PRIMARY KEY (session, file)
) STRICT, WITHOUT ROWID;

-- Derived.

-- Where a session ends, and what a list of sessions shows.
CREATE TABLE tally (
  session INTEGER PRIMARY KEY REFERENCES session,
  parts INTEGER NOT NULL,
  chain BLOB NOT NULL,
  lines INTEGER NOT NULL,
  records INTEGER NOT NULL,
  modified INTEGER,
  -- As of so many lines; NULL where nobody counted.
  counted_lines INTEGER,
  turns INTEGER,
  compactions INTEGER
) STRICT;

CREATE VIRTUAL TABLE part_fts USING fts5 (text, content = 'part_text', content_rowid = 'part');

-- REPLACE passes the first two, so an insert on a key that exists is refused by a third; so is one that belongs to nothing,
-- which would stand in the way of the row that comes next. Closed text of a session in retention mode is the one
-- exception: it may be deleted.

CREATE TRIGGER session_update BEFORE UPDATE ON session BEGIN SELECT RAISE(ABORT, 'sessions never change'); END;
CREATE TRIGGER session_delete BEFORE DELETE ON session BEGIN SELECT RAISE(ABORT, 'sessions are never deleted'); END;
CREATE TRIGGER session_insert BEFORE INSERT ON session WHEN EXISTS (SELECT 1 FROM session WHERE session = NEW.session)
  OR EXISTS (SELECT 1 FROM session WHERE agent = NEW.agent AND id = NEW.id AND sub IS NEW.sub)
BEGIN SELECT RAISE(ABORT, 'sessions are never replaced'); END;

CREATE TRIGGER line_update BEFORE UPDATE ON line BEGIN SELECT RAISE(ABORT, 'lines never change'); END;
CREATE TRIGGER line_delete BEFORE DELETE ON line BEGIN SELECT RAISE(ABORT, 'lines are never deleted'); END;
CREATE TRIGGER line_insert BEFORE INSERT ON line WHEN EXISTS (SELECT 1 FROM line WHERE line = NEW.line)
  OR EXISTS (SELECT 1 FROM line WHERE session = NEW.session AND file = NEW.file AND seq = NEW.seq)
  OR NOT EXISTS (SELECT 1 FROM session WHERE session = NEW.session)
BEGIN SELECT RAISE(ABORT, 'lines are never replaced'); END;

CREATE TRIGGER line_raw_update BEFORE UPDATE ON line_raw BEGIN SELECT RAISE(ABORT, 'raw lines never change'); END;
CREATE TRIGGER line_raw_delete BEFORE DELETE ON line_raw WHEN (SELECT session.mode FROM line JOIN session USING (session) WHERE line.line = OLD.line) IS NOT 'retention' BEGIN SELECT RAISE(ABORT, 'raw lines are never deleted'); END;
CREATE TRIGGER line_raw_insert BEFORE INSERT ON line_raw WHEN EXISTS (SELECT 1 FROM line_raw WHERE line = NEW.line)
  OR NOT EXISTS (SELECT 1 FROM line WHERE line = NEW.line)
BEGIN SELECT RAISE(ABORT, 'raw lines are never replaced'); END;

CREATE TRIGGER line_text_update BEFORE UPDATE ON line_text BEGIN SELECT RAISE(ABORT, 'texts of lines never change'); END;
CREATE TRIGGER line_text_delete BEFORE DELETE ON line_text WHEN (SELECT session.mode FROM line JOIN session USING (session) WHERE line.line = OLD.line) IS NOT 'retention' BEGIN SELECT RAISE(ABORT, 'texts of lines are never deleted'); END;
CREATE TRIGGER line_text_insert BEFORE INSERT ON line_text WHEN EXISTS (SELECT 1 FROM line_text WHERE line = NEW.line)
  OR NOT EXISTS (SELECT 1 FROM line WHERE line = NEW.line)
BEGIN SELECT RAISE(ABORT, 'texts of lines are never replaced'); END;

CREATE TRIGGER part_update BEFORE UPDATE ON part BEGIN SELECT RAISE(ABORT, 'parts never change'); END;
CREATE TRIGGER part_delete BEFORE DELETE ON part BEGIN SELECT RAISE(ABORT, 'parts are never deleted'); END;
CREATE TRIGGER part_insert BEFORE INSERT ON part WHEN EXISTS (SELECT 1 FROM part WHERE part = NEW.part)
  OR EXISTS (SELECT 1 FROM part WHERE line = NEW.line AND block = NEW.block)
  OR EXISTS (SELECT 1 FROM part WHERE session = NEW.session AND id = NEW.id)
  OR EXISTS (SELECT 1 FROM part WHERE session = NEW.session AND seq = NEW.seq)
  OR NOT EXISTS (SELECT 1 FROM line WHERE line = NEW.line AND session = NEW.session)
BEGIN SELECT RAISE(ABORT, 'parts are never replaced'); END;

CREATE TRIGGER part_text_update BEFORE UPDATE ON part_text BEGIN SELECT RAISE(ABORT, 'texts of parts never change'); END;
CREATE TRIGGER part_text_delete BEFORE DELETE ON part_text WHEN (SELECT session.mode FROM part JOIN session USING (session) WHERE part.part = OLD.part) IS NOT 'retention' BEGIN SELECT RAISE(ABORT, 'texts of parts are never deleted'); END;
CREATE TRIGGER part_text_insert BEFORE INSERT ON part_text WHEN EXISTS (SELECT 1 FROM part_text WHERE part = NEW.part)
  OR NOT EXISTS (SELECT 1 FROM part WHERE part = NEW.part)
BEGIN SELECT RAISE(ABORT, 'texts of parts are never replaced'); END;

CREATE TRIGGER compaction_update BEFORE UPDATE ON compaction BEGIN SELECT RAISE(ABORT, 'compactions never change'); END;
CREATE TRIGGER compaction_delete BEFORE DELETE ON compaction BEGIN SELECT RAISE(ABORT, 'compactions are never deleted'); END;
CREATE TRIGGER compaction_insert BEFORE INSERT ON compaction WHEN EXISTS (SELECT 1 FROM compaction WHERE line = NEW.line)
  OR NOT EXISTS (SELECT 1 FROM line WHERE line = NEW.line)
BEGIN SELECT RAISE(ABORT, 'compactions are never replaced'); END;

CREATE TRIGGER compaction_kept_update BEFORE UPDATE ON compaction_kept BEGIN SELECT RAISE(ABORT, 'compactions never change'); END;
CREATE TRIGGER compaction_kept_delete BEFORE DELETE ON compaction_kept BEGIN SELECT RAISE(ABORT, 'compactions are never deleted'); END;
CREATE TRIGGER compaction_kept_insert BEFORE INSERT ON compaction_kept WHEN EXISTS (SELECT 1 FROM compaction_kept WHERE line = NEW.line AND nth = NEW.nth)
  OR NOT EXISTS (SELECT 1 FROM compaction WHERE line = NEW.line)
BEGIN SELECT RAISE(ABORT, 'compactions are never replaced'); END;

CREATE TRIGGER note_update BEFORE UPDATE ON note BEGIN SELECT RAISE(ABORT, 'notes never change'); END;
CREATE TRIGGER note_delete BEFORE DELETE ON note BEGIN SELECT RAISE(ABORT, 'notes are never deleted'); END;
CREATE TRIGGER note_insert BEFORE INSERT ON note WHEN EXISTS (SELECT 1 FROM note WHERE line = NEW.line)
  OR NOT EXISTS (SELECT 1 FROM line WHERE line = NEW.line)
BEGIN SELECT RAISE(ABORT, 'notes are never replaced'); END;

CREATE TRIGGER record_update BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'records never change'); END;
CREATE TRIGGER record_delete BEFORE DELETE ON record BEGIN SELECT RAISE(ABORT, 'records are never deleted'); END;
CREATE TRIGGER record_insert BEFORE INSERT ON record WHEN EXISTS (SELECT 1 FROM record WHERE record = NEW.record)
  OR EXISTS (SELECT 1 FROM record WHERE session = NEW.session AND id = NEW.id)
  OR EXISTS (SELECT 1 FROM record WHERE line = NEW.line)
  OR NOT EXISTS (SELECT 1 FROM session WHERE session = NEW.session)
BEGIN SELECT RAISE(ABORT, 'records are never replaced'); END;

CREATE TRIGGER item_update BEFORE UPDATE ON item BEGIN SELECT RAISE(ABORT, 'items never change'); END;
CREATE TRIGGER item_delete BEFORE DELETE ON item BEGIN SELECT RAISE(ABORT, 'items are never deleted'); END;
CREATE TRIGGER item_insert BEFORE INSERT ON item WHEN EXISTS (SELECT 1 FROM item WHERE record = NEW.record AND ordinal = NEW.ordinal)
  OR NOT EXISTS (SELECT 1 FROM record WHERE record = NEW.record)
BEGIN SELECT RAISE(ABORT, 'items are never replaced'); END;

CREATE TRIGGER item_source_update BEFORE UPDATE ON item_source BEGIN SELECT RAISE(ABORT, 'sources never change'); END;
CREATE TRIGGER item_source_delete BEFORE DELETE ON item_source BEGIN SELECT RAISE(ABORT, 'sources are never deleted'); END;
CREATE TRIGGER item_source_insert BEFORE INSERT ON item_source WHEN EXISTS (SELECT 1 FROM item_source WHERE record = NEW.record AND ordinal = NEW.ordinal AND nth = NEW.nth)
  OR NOT EXISTS (SELECT 1 FROM item WHERE record = NEW.record AND ordinal = NEW.ordinal)
BEGIN SELECT RAISE(ABORT, 'sources are never replaced'); END;

CREATE TRIGGER ledger_update BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'ledger entries never change'); END;
CREATE TRIGGER ledger_delete BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'ledger entries are never deleted'); END;
CREATE TRIGGER ledger_insert BEFORE INSERT ON ledger WHEN EXISTS (SELECT 1 FROM ledger WHERE session = NEW.session AND no = NEW.no)
  OR NOT EXISTS (SELECT 1 FROM session WHERE session = NEW.session)
BEGIN SELECT RAISE(ABORT, 'ledger entries are never replaced'); END;

CREATE TRIGGER ledger_end_update BEFORE UPDATE ON ledger_end WHEN NEW.session <> OLD.session OR NEW.no <> OLD.no + 1
  OR NOT EXISTS (SELECT 1 FROM ledger WHERE session = NEW.session AND no = NEW.no AND hash = NEW.hash)
BEGIN SELECT RAISE(ABORT, 'the end of a ledger never moves back'); END;
CREATE TRIGGER ledger_end_delete BEFORE DELETE ON ledger_end BEGIN SELECT RAISE(ABORT, 'the end of a ledger is never deleted'); END;
CREATE TRIGGER ledger_end_insert BEFORE INSERT ON ledger_end WHEN EXISTS (SELECT 1 FROM ledger_end WHERE session = NEW.session)
  OR NOT EXISTS (SELECT 1 FROM ledger WHERE session = NEW.session AND no = NEW.no AND hash = NEW.hash)
BEGIN SELECT RAISE(ABORT, 'the end of a ledger is never replaced'); END;

CREATE TRIGGER review_update BEFORE UPDATE ON review BEGIN SELECT RAISE(ABORT, 'review marks never change'); END;
CREATE TRIGGER review_delete BEFORE DELETE ON review BEGIN SELECT RAISE(ABORT, 'review marks are never deleted'); END;
CREATE TRIGGER review_insert BEFORE INSERT ON review WHEN EXISTS (SELECT 1 FROM review WHERE session = NEW.session AND no = NEW.no)
  OR NOT EXISTS (SELECT 1 FROM session WHERE session = NEW.session)
BEGIN SELECT RAISE(ABORT, 'review marks are never replaced'); END;
