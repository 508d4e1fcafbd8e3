//! Tables: originals, one line of a summary, and the finding that is expected of it.
