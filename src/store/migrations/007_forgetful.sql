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
