//! Strings only: what a text looks like on a screen, where it breaks, what is found in it.

mod sanitize;
mod sentences;
mod width;
mod wrap;

pub use sanitize::Shown;
pub use sentences::sentences;
pub use width::{cut, width};
pub use wrap::wrap;
