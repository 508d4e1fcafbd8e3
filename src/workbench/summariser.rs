//! The summariser that the settings name.

use anyhow::anyhow;

use super::Problem;
use crate::compile::{Summariser, SummariserSettings};

/// The summariser that these settings name. Nothing is run and nobody is asked before it is used; what could never work is
/// refused here.
pub fn summariser(settings: &SummariserSettings) -> Result<Box<dyn Summariser>, Problem> {
    settings.summariser().map_err(|why| anyhow!("cannot use the summariser {}: {why}", settings.kind.name()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::SummariserKind;

    #[test]
    fn the_default_is_extractive_and_what_cannot_work_says_so() {
        assert_eq!(
            summariser(&SummariserSettings::default()).map(|one| one.name()).ok().as_deref(),
            Some("extractive")
        );
        let none = SummariserSettings { kind: SummariserKind::Command, ..SummariserSettings::default() };
        let error = summariser(&none).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.starts_with("cannot use the summariser command: ") && error.contains("set command"), "{error}");
    }
}
