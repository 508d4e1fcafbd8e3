//! Text to items with byte ranges, without a model: zones, identifiers, figures, quoted spans, words and their cues,
//! what is negated and how certain it is. Everything here looks at one text and knows neither sessions nor records. Word
//! lists are data under `assets/lexicon/`.

mod certainty;
mod claims;
mod cues;
mod figures;
mod gist;
mod identifiers;
mod items;
mod language;
mod lexicon;
mod listed;
mod negation;
mod number;
mod pasted;
mod pieces;
mod prose;
mod quotes;
pub mod runs;
mod statements;
mod tokens;
mod told;
mod voice;
mod windows;
mod words;
pub(crate) mod work;
mod zones;

pub use certainty::{Certainty, Hedge, certainty, hedges};
pub use figures::{Change, Figure, figures};
pub use gist::gist;
pub use identifiers::{Class, Identifier, identifiers};
pub use items::{Extracted, Kind, Read, Value, extract, read};
pub use language::{CueLists, Detected, Language};
pub use lexicon::Lexicon;
pub use listed::{Listed, Words};
pub use negation::{Negation, negations};
pub use pasted::pasted;
pub use pieces::pieces;
pub use quotes::quotes;
pub use statements::{Reply, proposal};
pub use told::{Told, told};
pub use words::{Met, Word, each_word, lower, stem, words};
pub use zones::{Zone, Zones};
