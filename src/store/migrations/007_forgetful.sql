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
