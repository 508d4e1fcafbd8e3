//! Experiments with compaction: what survives it, what drifts, what is made up, what it costs. Seeded: the same settings
//! give the same figures on every machine. Nothing here reads a session or prints; assumptions are told with the figures.
//!
//! | | experiment | shows |
//! |---|---|---|
//! | [`survival`] | 36 facts, a small window | the oldest go first, as (1−l)ⁿ; searching again costs twice as much |
//! | [`drift`] | 20 facts, 10 passes | facts go at a steady rate, statements that nobody made come |
//! | [`hedges`] | hedged statements, 6 passes | later passes destroy more than the first one: no constant rate fits |
//! | [`inversion`] | 40 items, 6 passes | what a small rate for each item and pass comes to for a session |
//! | [`triggers`] | sessions with topics | a compaction at a seam cuts no thread; one under pressure does |
//! | [`arms`] | recursive, hierarchical, ledger, none | a rewriting multiplies losses, a rebuild from originals does not |
//!
//! # What is held by which test
//!
//! | figure | test |
//! |---|---|
//! | 12 generations recursive, 2 hierarchical, 1 where the originals fit | `arms::tests::generations_are_the_published_ones` |
//! | (1−l)ⁿ against (1−l), (1−l)², q + (1−q)(1−l)ⁿ, 0 | `engine::tests::each_policy_keeps_what_its_closed_form_says` |
//! | a rebuild is a second chance, a rewriting absorbs | `engine::tests::a_rebuild_from_originals_brings_back_what_was_lost_and_a_rewriting_never_does` |
//! | hedges 88 / 51 / 22 % ± 1 point | `hedges::tests::the_rates_land_on_the_published_shares` |
//! | 0.88³ = 0.681, the second trio keeps 0.431 | `hedges::tests::a_constant_rate_misses_them`, `…::the_later_passes_destroy_more` |
//! | inversion .006 → 76.4 %, .0006 → 13.4 %; 0.0556 %; 11.5 | `inversion::tests::the_arithmetic_is_what_it_is`, `…::both_readings_of_the_published_share_are_told` |
//! | the published share never beside the published rate | `inversion::tests::the_published_share_never_stands_beside_the_published_rate` |
//! | facts 19 / 16 / 13 / 9 ± 1 at .923 | `drift::tests::one_rate_gives_the_published_facts` |
//! | made up 0 / 1 / 3 / 7 | `drift::tests::gaps_that_are_filled_give_the_published_statements` |
//! | no budget 268,020; perfect 33 for 95,848 in 25; truncated 6 (profile `s3`) | `survival::window::tests::the_profile_without_chance_gives_exactly_its_figures` |
//! | `s3` and `s3b` on both sides of 10.7, 15.2, 4, 233,502 | `survival::tests::the_profiles_bracket_the_published_figures` |
//! | Kaplan–Meier within 3 errors of (1−l)ⁿ; first error .0167 | `survival::tests::the_measured_curve_is_the_model_within_its_error`, `survival::curve::tests` |
//! | answered falls with l, rises with the window | `survival::tests::more_loss_answers_less_and_a_larger_window_more` |
//! | first sixth < .15, last > .8 | `survival::tests::the_oldest_facts_go` |
//! | perfect 36 at 2,000, 30 to 35 at 1,500; truncation below | `survival::tests::a_perfect_summary_outgrows_the_small_window_only` |
//! | searched again: 36 of 36, 1.6 to 2.1 times the tokens | `survival::tests::searching_again_answers_everything_at_about_twice_the_tokens` |
//! | lossy is cheaper than perfect | `survival::tests::a_lossy_summary_is_cheaper_than_a_perfect_one` |
//! | the same seed, the same figures | `chance::tests::a_seed_means_the_same_numbers_everywhere`, `survival::tests::a_seed_gives_the_same_sheet` |
//! | over 0.6 and over 15, both exclusive | `triggers::policy::tests::each_rule_fires_where_it_says` |
//! | 71 % at a seam, 9 points more kept | `triggers::tests::the_published_rule_lands_near_the_published_figures_where_a_change_is_known_at_once` |

pub mod arms;
mod chance;
pub mod drift;
mod engine;
pub mod hedges;
pub mod inversion;
mod plot;
mod sheet;
pub mod survival;
pub mod triggers;

pub use chance::Chance;
pub use engine::{Course, Hazard, Policy, Span};
pub use plot::{Axis, Line, Plot, Run, Scale, Stroke, Width, svg, terminal};
pub use sheet::{Row, Sheet, Table, Unit};

/// The seed where none is named.
pub const SEED: u64 = 1;
