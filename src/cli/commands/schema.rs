//! `stet schema`: the JSON Schemas of what is printed and read.

use anyhow::{Context, Result};

use crate::cli::Outcome;
use crate::cli::print::{Out, Text};

macro_rules! schemas {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../../assets/schema/", $name, ".json")))),+]
    };
}

/// Name and text, in the order of the names.
const SCHEMAS: &[(&str, &str)] = schemas!(
    "ack",
    "audit",
    "blocks",
    "cost",
    "doctor",
    "extract",
    "interchange",
    "ledger",
    "ledger-verify",
    "lineage",
    "part",
    "record",
    "sessions",
    "simulation",
    "told",
    "transcript",
    "window",
);

pub(super) fn schema(name: Option<&str>) -> Result<Outcome> {
    let mut out = Out::new(Text::Safe);
    match name {
        None => SCHEMAS.iter().try_for_each(|(name, _)| out.line(name))?,
        Some(wanted) => {
            let names: Vec<&str> = SCHEMAS.iter().map(|(name, _)| *name).collect();
            let (_, text) = SCHEMAS.iter().find(|(name, _)| *name == wanted).with_context(|| {
                format!("cannot find the schema {wanted}: it is none of {} (name one of them)", names.join(", "))
            })?;
            out.exact(text)?;
        }
    }
    out.flush()?;
    Ok(Outcome::Fine)
}
