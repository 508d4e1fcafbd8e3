//! How originals stand in a database, for the gate.

use std::collections::HashMap;

use crate::compile::{GateRegion, Liveness, liveness};
use crate::session::SessionKey;
use crate::store::{Store, StoreError};

/// Reads the originals of a region. A database that cannot be read is an error: nothing is gone for that.
pub(super) fn live(store: &Store, key: &SessionKey, region: &GateRegion) -> Result<Liveness, StoreError> {
    let mut now = HashMap::new();
    for origin in &region.origins {
        now.insert(origin.parts.clone(), store.originals(key, &origin.parts)?);
    }
    Ok(liveness(region, &|parts| now.get(parts).copied().flatten()))
}
