//! The use cases, and the only place where reading, storing, lifting and checking meet. The command line and the
//! terminal screen are thin clients of what is here.

mod desk;
mod lay;
mod reading;
mod search;
mod values;
mod window;

pub use desk::Desk;
use reading::Reading;
pub use values::{Cancel, Found, MarkerRecord, Problem, RawLine, Saved, Spot, Told, Window};
