-- What told that the talk turned, of a block that was closed for that; NULL of one that was closed before this was stored.
ALTER TABLE block ADD COLUMN turned TEXT CHECK (turned IN ('words', 'cue', 'things', 'pause'));
