//! What is counted on this machine alone: findings that a person said to be wrong alarms, and markers that were opened.

use super::{Desk, Problem, Workbench};
use crate::record::{Alarm, FindingKind};
use crate::store::{Access, Opened, Store};

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

impl Desk {
    /// Counts that marker `no` was opened, for `doctor` to tell. Where the database cannot be written, or is not there,
    /// nothing is counted.
    pub fn opened(&mut self, no: u32) -> Result<(), Problem> {
        let marker = self.outline().compactions.iter().find(|marker| marker.no == no).map(|marker| marker.key.clone());
        marker.map_or(Ok(()), |marker| self.pins().opened(&marker))
    }
}

impl Workbench {
    /// How often markers were opened on this machine; nothing where the database cannot be read.
    pub(super) fn count_opened(&self) -> Opened {
        let store = Store::open(&self.settings.db, Access::ReadOnly);
        store.and_then(|store| store.count_opened()).unwrap_or_default()
    }

    /// How many findings of each kind are said to be wrong alarms in the database; none where it cannot be read.
    pub(super) fn count_wrong_alarms(&self) -> Vec<(FindingKind, usize)> {
        let store = Store::open(&self.settings.db, Access::ReadOnly);
        store.and_then(|store| store.count_wrong_alarms()).unwrap_or_default()
    }
}
