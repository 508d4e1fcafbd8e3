-- Derived: what the last check of a session found. It holds for these bytes and these rules; a row may go at any time.
CREATE TABLE audit (
  session INTEGER PRIMARY KEY REFERENCES session,
  rules INTEGER NOT NULL,
  -- Of everything that was read.
  originals BLOB NOT NULL,
  found BLOB NOT NULL
) STRICT;
