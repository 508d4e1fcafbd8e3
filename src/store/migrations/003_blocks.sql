-- Blocks of turns and spans over several blocks, each with the record that was made when it closed. They are pinned: the
-- guards are those of the other pinned tables, and each seal is over the one before it.
CREATE TABLE block (
  session INTEGER NOT NULL REFERENCES session,
  -- From 1, without a gap.
  no INTEGER NOT NULL,
  record INTEGER NOT NULL REFERENCES record,
  -- Its parts, half-open: by their sequence among those of the session's own file.
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  -- The last of them; the next block begins behind it.
  last INTEGER NOT NULL REFERENCES part,
  first_turn INTEGER NOT NULL,
  last_turn INTEGER NOT NULL,
  from_id TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  -- Over the hashes of the parts.
  originals BLOB NOT NULL,
  closed_by TEXT NOT NULL CHECK (closed_by IN ('step', 'tool-loop', 'topic', 'hard-cap')),
  -- The ids of calls whose results come behind it, as a JSON list.
  cut TEXT NOT NULL,
  generation INTEGER NOT NULL,
  seal BLOB NOT NULL,
  PRIMARY KEY (session, no)
) STRICT, WITHOUT ROWID;

CREATE TABLE span (
  session INTEGER NOT NULL REFERENCES session,
  -- From 1, in the order in which they were made.
  no INTEGER NOT NULL,
  record INTEGER NOT NULL REFERENCES record,
  first_block INTEGER NOT NULL,
  last_block INTEGER NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  first_turn INTEGER NOT NULL,
  last_turn INTEGER NOT NULL,
  from_id TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  originals BLOB NOT NULL,
  generation INTEGER NOT NULL,
  seal BLOB NOT NULL,
  PRIMARY KEY (session, no)
) STRICT, WITHOUT ROWID;

-- Items that nobody found in the originals yet, and why. They are in the seal of their block or span.
CREATE TABLE draft (
  record INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  why TEXT NOT NULL,
  PRIMARY KEY (record, ordinal),
  FOREIGN KEY (record, ordinal) REFERENCES item
) STRICT, WITHOUT ROWID;

-- Of a session in retention mode: whether the words that its records quote stay.
CREATE TABLE retention (
  session INTEGER PRIMARY KEY REFERENCES session,
  quotes TEXT NOT NULL CHECK (quotes IN ('keep', 'drop'))
) STRICT;

-- The sequence of a block's part among those of the session's own file. NULL in the record of a compaction.
ALTER TABLE item_source ADD COLUMN seq INTEGER;

-- In use: how often a marker was opened here.
CREATE TABLE opened (
  session INTEGER NOT NULL REFERENCES session,
  marker TEXT NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (session, marker)
) STRICT, WITHOUT ROWID;

-- Messages are looked for by their ids as well.
DROP INDEX line_id;
CREATE INDEX line_id ON line (session, id) WHERE id IS NOT NULL;

CREATE TRIGGER block_update BEFORE UPDATE ON block BEGIN SELECT RAISE(ABORT, 'blocks never change'); END;
CREATE TRIGGER block_delete BEFORE DELETE ON block BEGIN SELECT RAISE(ABORT, 'blocks are never deleted'); END;
CREATE TRIGGER block_insert BEFORE INSERT ON block WHEN EXISTS (SELECT 1 FROM block WHERE session = NEW.session AND no = NEW.no)
  OR NOT EXISTS (SELECT 1 FROM record WHERE record = NEW.record AND session = NEW.session)
BEGIN SELECT RAISE(ABORT, 'blocks are never replaced'); END;

CREATE TRIGGER span_update BEFORE UPDATE ON span BEGIN SELECT RAISE(ABORT, 'spans never change'); END;
CREATE TRIGGER span_delete BEFORE DELETE ON span BEGIN SELECT RAISE(ABORT, 'spans are never deleted'); END;
CREATE TRIGGER span_insert BEFORE INSERT ON span WHEN EXISTS (SELECT 1 FROM span WHERE session = NEW.session AND no = NEW.no)
  OR NOT EXISTS (SELECT 1 FROM record WHERE record = NEW.record AND session = NEW.session)
BEGIN SELECT RAISE(ABORT, 'spans are never replaced'); END;

CREATE TRIGGER draft_update BEFORE UPDATE ON draft BEGIN SELECT RAISE(ABORT, 'drafts never change'); END;
CREATE TRIGGER draft_delete BEFORE DELETE ON draft BEGIN SELECT RAISE(ABORT, 'drafts are never deleted'); END;
CREATE TRIGGER draft_insert BEFORE INSERT ON draft WHEN EXISTS (SELECT 1 FROM draft WHERE record = NEW.record AND ordinal = NEW.ordinal)
  OR NOT EXISTS (SELECT 1 FROM item WHERE record = NEW.record AND ordinal = NEW.ordinal)
BEGIN SELECT RAISE(ABORT, 'drafts are never replaced'); END;

CREATE TRIGGER retention_update BEFORE UPDATE ON retention BEGIN SELECT RAISE(ABORT, 'what is kept never changes'); END;
CREATE TRIGGER retention_delete BEFORE DELETE ON retention BEGIN SELECT RAISE(ABORT, 'what is kept is never deleted'); END;
CREATE TRIGGER retention_insert BEFORE INSERT ON retention WHEN EXISTS (SELECT 1 FROM retention WHERE session = NEW.session)
  OR NOT EXISTS (SELECT 1 FROM session WHERE session = NEW.session AND mode = 'retention')
BEGIN SELECT RAISE(ABORT, 'what is kept is never replaced'); END;
