//! Findings that a person said to be wrong alarms: said, taken back, listed, counted.

use super::{Desk, Problem, Workbench};
use crate::record::{Alarm, FindingKind};
use crate::store::{Access, Store};

impl Desk {
    /// Says that a finding is a wrong alarm, or takes that back, and returns once it is committed. The same finding is not
    /// raised again.
    pub fn wrong_alarm(&mut self, alarm: &Alarm, wrong: bool) -> Result<(), Problem> {
        self.pins().wrong_alarm(alarm, wrong)
    }

    /// What is said to be a wrong alarm now.
    pub fn wrong_alarms(&mut self) -> Result<Vec<Alarm>, Problem> {
        self.pins().wrong_alarms()
    }
}

impl Workbench {
    /// How many findings of each kind are said to be wrong alarms in the database; none where it cannot be read.
    pub(super) fn count_wrong_alarms(&self) -> Vec<(FindingKind, usize)> {
        let store = Store::open(&self.settings.db, Access::ReadOnly);
        store.and_then(|store| store.count_wrong_alarms()).unwrap_or_default()
    }
}
