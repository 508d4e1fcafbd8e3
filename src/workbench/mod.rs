//! The use cases, and the only place where reading, storing, lifting and checking meet. The command line and the
//! terminal screen are thin clients of what is here.

mod desk;

pub use desk::{Cancel, Desk, Found, MarkerRecord, Problem, RawLine, Saved, Spot, Told, Window};
