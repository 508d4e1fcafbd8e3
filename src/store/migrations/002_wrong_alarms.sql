-- Findings that a person said to be wrong alarms. They belong to the text at the marker, not to a finding's number, which
-- changes with the rules. The newest word on one counts. The guards are those of the other pinned tables.
CREATE TABLE alarm (
  session INTEGER NOT NULL REFERENCES session,
  no INTEGER NOT NULL,
  at INTEGER NOT NULL,
  author TEXT NOT NULL,
  wrong INTEGER NOT NULL,
  marker TEXT NOT NULL,
  summary BLOB NOT NULL,
  kind TEXT NOT NULL,
  field TEXT NOT NULL,
  text TEXT NOT NULL,
  hash BLOB NOT NULL,
  -- Where in the summary; both NULL where it is about the originals.
  start INTEGER,
  "end" INTEGER,
  PRIMARY KEY (session, no)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER alarm_update BEFORE UPDATE ON alarm BEGIN SELECT RAISE(ABORT, 'wrong alarms never change'); END;
CREATE TRIGGER alarm_delete BEFORE DELETE ON alarm BEGIN SELECT RAISE(ABORT, 'wrong alarms are never deleted'); END;
CREATE TRIGGER alarm_insert BEFORE INSERT ON alarm WHEN EXISTS (SELECT 1 FROM alarm WHERE session = NEW.session AND no = NEW.no)
  OR NOT EXISTS (SELECT 1 FROM session WHERE session = NEW.session)
BEGIN SELECT RAISE(ABORT, 'wrong alarms are never replaced'); END;
