//! Text to items with byte ranges, without a model: zones, identifiers, figures, quoted spans, words and their cues.
//! Everything here looks at one text and knows neither sessions nor records. Word lists are data under `assets/lexicon/`.

mod figures;
mod identifiers;
mod language;
mod lexicon;
mod quotes;
pub mod tokens;
mod words;
mod zones;

pub use figures::{Figure, figures};
pub use identifiers::{Class, Identifier, identifiers};
pub use language::Language;
pub use lexicon::Lexicon;
pub use quotes::quotes;
pub use words::{Word, stem, words};
pub use zones::{Zone, Zones};
