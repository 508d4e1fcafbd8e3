//! stet: what each compaction of a long agent session kept, checked against the originals, and corrected for good.

pub mod app;
pub mod record;
pub mod session;
pub mod text;
pub mod view;
pub mod workbench;
