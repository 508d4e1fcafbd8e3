-- Items of a span that records before it hold already, word for word: where each of them stands and where each of its
-- sources stands, as a JSON list. What a span adds of its own is in item and item_source.
CREATE TABLE borrowed (
  record INTEGER PRIMARY KEY REFERENCES record,
  items TEXT NOT NULL
) STRICT;

CREATE TRIGGER borrowed_update BEFORE UPDATE ON borrowed BEGIN SELECT RAISE(ABORT, 'borrowed items never change'); END;
CREATE TRIGGER borrowed_delete BEFORE DELETE ON borrowed BEGIN SELECT RAISE(ABORT, 'borrowed items are never deleted'); END;
CREATE TRIGGER borrowed_insert BEFORE INSERT ON borrowed WHEN EXISTS (SELECT 1 FROM borrowed WHERE record = NEW.record)
  OR NOT EXISTS (SELECT 1 FROM record WHERE record = NEW.record)
BEGIN SELECT RAISE(ABORT, 'borrowed items are never replaced'); END;
