-- Texts that may go stand in no index any more: words stay between its pages when they are taken out. What there is of them
-- goes with the whole of it, and the other texts are put in anew.
INSERT INTO part_fts (part_fts)
SELECT 'delete-all'
WHERE EXISTS (SELECT 1 FROM session WHERE mode = 'retention');

INSERT INTO part_fts (rowid, text)
SELECT part, text
FROM session JOIN part USING (session) JOIN part_text USING (part)
WHERE mode = 'keep'
  AND EXISTS (SELECT 1 FROM session WHERE mode = 'retention')
ORDER BY part;

-- Over whose session it is and what is kept of it. Where it is there, every chain of the session begins with it; a session
-- that was made before has none.
ALTER TABLE retention ADD COLUMN seal BLOB;

-- A source names a part that is there, whoever writes it.
DROP TRIGGER item_source_insert;
CREATE TRIGGER item_source_insert BEFORE INSERT ON item_source WHEN EXISTS (SELECT 1 FROM item_source WHERE record = NEW.record AND ordinal = NEW.ordinal AND nth = NEW.nth)
  OR NOT EXISTS (SELECT 1 FROM item WHERE record = NEW.record AND ordinal = NEW.ordinal)
  OR NOT EXISTS (SELECT 1 FROM part WHERE part = NEW.part)
BEGIN SELECT RAISE(ABORT, 'sources are never replaced'); END;

-- A record names a marker that is there, and a block a last part.
DROP TRIGGER record_insert;
CREATE TRIGGER record_insert BEFORE INSERT ON record WHEN EXISTS (SELECT 1 FROM record WHERE record = NEW.record)
  OR EXISTS (SELECT 1 FROM record WHERE session = NEW.session AND id = NEW.id)
  OR EXISTS (SELECT 1 FROM record WHERE line = NEW.line)
  OR NOT EXISTS (SELECT 1 FROM session WHERE session = NEW.session)
  OR (NEW.line IS NOT NULL AND NOT EXISTS (SELECT 1 FROM compaction WHERE line = NEW.line))
BEGIN SELECT RAISE(ABORT, 'records are never replaced'); END;

DROP TRIGGER block_insert;
CREATE TRIGGER block_insert BEFORE INSERT ON block WHEN EXISTS (SELECT 1 FROM block WHERE session = NEW.session AND no = NEW.no)
  OR NOT EXISTS (SELECT 1 FROM record WHERE record = NEW.record AND session = NEW.session)
  OR NOT EXISTS (SELECT 1 FROM part WHERE part = NEW.last AND session = NEW.session)
BEGIN SELECT RAISE(ABORT, 'blocks are never replaced'); END;
