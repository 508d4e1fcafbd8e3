-- Derived: how long the blocks of a session were closed to be last, so that what is due can be told as whoever closes them
-- would. A session without a row has the usual lengths; a row may go at any time.
CREATE TABLE lengths (
  session INTEGER PRIMARY KEY REFERENCES session,
  target INTEGER NOT NULL,
  cap INTEGER NOT NULL
) STRICT;
