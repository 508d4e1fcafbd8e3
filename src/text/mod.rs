//! Strings only: what a text looks like on a screen, where it breaks, what is found in it.

mod find;
mod sanitize;
mod secrets;
mod sentences;
mod visible;
mod width;
mod wrap;

pub use find::find;
pub use sanitize::Shown;
pub use secrets::{HIDDEN, without_secrets};
pub use sentences::sentences;
pub use width::{cut, width};
pub use wrap::wrap;
