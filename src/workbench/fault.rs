//! A fault in this program, told as a problem like any other: it ends what it happened in and nothing beside that.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Problem;

/// What a panic said.
#[derive(Debug, thiserror::Error)]
#[error("a fault in this program ({0}); nothing that was saved is lost")]
pub struct Fault(String);

/// Runs something that may panic; a panic is a [`Fault`].
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(Fault::of(panic.as_ref()).into()))
}

impl Fault {
    fn of(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        Self(text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default())
    }
}
