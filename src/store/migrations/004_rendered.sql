-- Derived: the text that stands for a closed block or span in a window, so that no record is read item by item for every
-- request. It may be emptied at any time. Nothing of a session in retention mode is kept here.
CREATE TABLE rendered (
  record INTEGER PRIMARY KEY REFERENCES record,
  -- Which wording it is.
  rules INTEGER NOT NULL,
  text TEXT NOT NULL,
  -- Over the seal of the record, the rules and the text.
  hash BLOB NOT NULL
) STRICT;
