//! Turns and prose to records: blocks and their records, spans, the gate, the window; a foreign summary lifted into items,
//! and items tied to the turns they come from. No session is read and nothing stored here. A summariser may run a program
//! or ask an endpoint, and what it says is a draft.
//!
//! What each mechanism must do, and the test that shows it (files below `src/compile` unless said otherwise):
//!
//! | row | what it asks for | test |
//! |---|---|---|
//! | A1.1–3 | stored first; blocks close behind; records from originals | `workbench/engine/tests.rs`: `blocks_close_behind_what_was_said_and_their_records_are_made_of_it` |
//! | A1.4 | a span before the last blocks, from originals | `window/tests.rs`: `the_window_is_system_ledger_records_and_recent_turns_in_this_order`; `spans.rs`: `siblings_fit_the_window_and_leave_nothing_out` |
//! | A1.5 | order of the window; ledger byte-identical | the same; `the_ledger_is_the_same_bytes_through_any_number_of_compactions` |
//! | A1.6 | closed at a seam; no block with an open call but at the cap, which names it | `blocks/tests.rs`: `a1_6_a_block_closes_at_the_first_seam_behind_its_target`, `a1_6_a_call_is_cut_from_its_result_at_the_hard_cap_alone_which_names_it` |
//! | A1.7 | made beforehand; a stall is recorded | `schedule.rs`: `a_hard_limit_finds_the_work_done`, `a_stall_is_recorded_with_what_it_waited_for` |
//! | A1.8 | depth of each turn: 12, 2 or 1 | `workbench/compile.rs`: `a1_8_a_turn_lies_as_deep_as_what_stands_for_it`; `spans.rs`: `the_chain_of_a_turn_says_through_what_it_comes`; 12: `simulate/arms.rs`: `generations_are_the_published_ones` |
//! | A1.9 | closed texts are gone, hashes stay, no rebuild | `store/tests/forget.rs`: `what_a_closed_block_said_is_in_no_byte_of_the_file`; `store/tests/gone.rs`: `what_is_gone_is_told_by_a_log_an_export_and_an_import`; `tests/cli/append.rs`: `in_retention_mode_what_a_block_closed_over_is_in_no_file_any_more`; `workbench/engine/tests/sources.rs`: `a_session_whose_originals_go_closes_blocks_and_compacts_nothing`; `workbench/compile.rs`: `a_session_whose_originals_go_gets_any_number_of_blocks_and_no_spans` |
//! | A1.10, A4.31 | what binds is entered at arrival and stays; a correction is an entry that later records honour | `workbench/arrival_tests.rs`: `what_binds_is_entered_as_it_was_said`, `an_undecided_question_survives_six_compactions_untouched`; `audit/across.rs`: `a_correction_shows_at_every_marker_that_holds_the_claim_and_what_is_made_after_it_is_overruled` |
//! | A1.11 | one sentence through all generations | `tests/cli/lineage.rs`: `a_question_is_followed_until_it_is_decided` |
//! | A1.12 | 156,000 and 1,056,000, $0.06 and $0.42, 6.77 | `cost.rs`: `the_paper_profile_gives_the_printed_figures`; `tests/cli/window.rs` |
//! | A1.13 | hedges: 88, 51, 22 % | `simulate/hedges.rs`: `the_rates_land_on_the_published_shares`, `a_constant_rate_misses_them` |
//! | A1.14 | inversion: .006 → 76 %, .0006 → 13 % | `simulate/inversion.rs`: `the_arithmetic_is_what_it_is`, `both_readings_of_the_published_share_are_told` |
//! | A1.15 | a claim may not be surer than what was said | `audit/claims/tests.rs`: `what_somebody_thinks_is_no_fact_and_what_is_a_fact_stays_one`, `a_question_a_condition_or_a_guess_is_no_decision` |
//! | A2.16 | the typed refusal; no record without the gate's permit | `gate/tests.rs`: `a_summary_without_its_originals_is_refused_by_region_generation_and_two_ways_out`; `blocks/tests.rs`: `a2_16_nothing_is_read_that_the_gate_did_not_let_through`; `workbench/making.rs`: `a2_16_nothing_is_made_of_turns_that_are_not_stored_as_they_were_read` |
//! | A2.17 | validity in three answers | `gate/tests.rs`: `a_region_is_valid_only_when_all_three_hold` |
//! | A2.18 | idempotence as a number | `gate/tests.rs`: `a_record_read_again_gives_the_same_facts_and_the_gate_refuses_it`; told by `stet compile`: `tests/cli/compile.rs`: `how_each_block_stands_is_told` |
//! | A2.19 | no fact on a summary alone, none dangling | `gate/tests.rs`: `a_fact_is_held_only_by_the_very_bytes_of_an_original` |
//! | A2.20 | 7 → lost → 5: only the originals tell | `tests/cli/lineage.rs`: `a_lost_value_that_comes_back_as_another_shows_only_against_the_original` |
//! | A2.21 | no verdict from how well something reads | `audit/claims/tests.rs`: `a2_21_a_claim_in_broken_words_gets_the_verdict_of_the_same_claim_in_smooth_ones` |
//! | A3 | survival: 36 facts, two windows, four policies | `simulate/survival`: `the_profiles_bracket_the_published_figures`, `the_measured_curve_is_the_model_within_its_error` |
//! | A4.22 | a record's fields, and what each is made of | `gather/tests.rs`: `only_a_person_binds_and_settles`, `an_action_knows_its_tool_its_target_and_how_it_went`; `workbench/drafts_tests.rs`: `what_the_originals_say_becomes_an_item_with_its_sources` |
//! | A4.23 | what a summariser says touches no other field | `workbench/compile.rs`: `a4_23_a_summariser_that_returns_garbage_changes_no_mechanical_field` |
//! | A4.24 | names, figures and actions of a full record: all of them; constraints 94, ruled out 89 % | `blocks/tests.rs`: `a4_24_a_full_record_holds_what_the_published_one_held`; `gather/tests.rs`: `every_quote_stands_in_its_part_and_in_reach` |
//! | A4.25 | ruled out only what its turn denies | `audit/claims/tests.rs`: `only_what_was_denied_is_ruled_out` |
//! | A4.26 | drift: 19, 16, 13, 9 kept, 0, 1, 3, 7 new | `simulate/drift.rs`: `one_rate_gives_the_published_facts`, `gaps_that_are_filled_give_the_published_statements` |
//! | A4.27 | never a summary of a summary | `workbench/engine/tests/sources.rs`: `no_summary_is_read_for_the_one_behind_it`; `workbench/engine/tests.rs`: `a_marker_keeps_what_its_blocks_keep_and_the_turns_behind_them_stay` |
//! | A4.28 | the seventh is a handover | `gate/cap.rs`: `the_seventh_compaction_is_a_handover`; `workbench/engine/tests.rs`: `the_seventh_compaction_hands_over` |
//! | A4.29 | three triggers, strict | `when.rs`: `each_of_the_three_fires_by_itself_and_only_beyond_its_limit` |
//! | A4.30 | one line that unfolds; one key for a fix; how often markers are opened | `tests/frames.rs`: `every_frame_looks_as_its_golden_says`; `tests/pty.rs`: `a_correction_is_there_when_the_sample_is_opened_again` |
//! | C1 | no block, one block | `window/tests.rs`: `no_block_and_one_block_are_windows_too`; `workbench/engine/tests.rs`: `a_window_that_is_too_full_closes_a_block` |
//! | C2 | the regions part the log | `window/tests.rs`: `every_part_of_the_log_is_in_exactly_one_region`; `blocks/tests.rs`: `c2_blocks_and_the_open_tail_partition_the_turns` |
//! | C3 | wider, deeper, then told by how much | `window/tests.rs`: `what_does_not_fit_is_widened_then_deepened_then_told`, `a_ledger_that_is_too_long_by_itself_is_an_error` |
//! | C4 | what is really read | `cost.rs`: `a_session_is_counted_by_what_is_really_read` |
//! | C5 | siblings, fields word for word, gated prose | `spans.rs`: `fields_are_put_together_word_for_word_and_each_once`, `prose_of_prose_is_gated_and_names_no_source`; `workbench/compile.rs`: `c5_prose_of_siblings_is_of_originals_and_only_that_of_a_span_over_them_is_of_prose` |
//! | C6 | depth of what was really read | `gate/tests.rs`: `the_generation_counts_what_was_really_read` |
//! | C7 | recompiled from the source | `gate/tests.rs`: `a_summary_with_live_originals_is_recompiled_from_them` |
//! | C8 | superseded, never replaced | `gate/tests.rs`: `what_is_compacted_stays_and_names_what_stands_for_it` |
//! | C9 | stored first | `gate/tests.rs`: `turns_that_are_not_stored_are_refused` |
//! | C10 | id and hash | `gate/tests.rs`: `originals_that_changed_under_their_id_are_not_live`; `workbench/engine/tests/sources.rs`: `originals_that_were_changed_behind_the_guards_are_told` |
//! | C11 | a summariser is taken to invent | `workbench/drafts_tests.rs`: `what_the_originals_do_not_say_stays_a_draft_and_says_why`, `a_hostile_program_makes_nothing_but_drafts` |
//! | C12 | one record of blocks and open tail | `blocks/tests.rs`: `c12_the_records_of_blocks_and_of_the_tail_together_are_the_record_of_all_turns`; the union: `spans.rs`: `fields_are_put_together_word_for_word_and_each_once` |
//! | C13 | markers count, closings do not; restarts | `workbench/engine/tests.rs`: `the_seventh_compaction_hands_over` |
//! | C14 | soft zone, hard limit | `when.rs`: `in_the_soft_zone_it_waits_for_a_seam` |
//! | C15 | what a change of topic is: other words, cue words, other things, a time gap | `blocks/tests.rs`: `c15_a_turn_of_the_talk_ends_a_block_where_the_words_change`, `words_that_say_that_something_else_comes_tip_the_scales`, `other_files_end_a_block_before_the_question_that_led_to_them`, `after_a_long_silence_a_person_who_speaks_of_something_else_has_turned_the_talk` |
//! | C16 | a constraint is the person's sentence word for word | `gather/tests.rs`: `an_order_of_a_person_that_says_how_in_which_order_or_what_for_binds`; `workbench/arrival_tests.rs`: `what_binds_nobody_or_is_not_the_persons_own_is_not_entered`, `what_is_denied_or_printed_or_said_by_a_program_or_the_agent_is_not_entered` |
//! | C17 | constraints of a person only; figures know who said them | `gather/tests.rs`: `only_a_person_binds_and_settles`; `audit/claims/tests.rs`: `who_said_it_is_held_against_who_is_said_to_have_said_it` |

mod blocks;
pub mod cost;
mod cues;
mod gate;
mod gather;
#[cfg(test)]
mod given;
mod heard;
mod lift;
mod render;
#[cfg(test)]
mod rows;
mod schedule;
pub mod spans;
mod summarisers;
mod tie;
mod when;
pub mod window;

pub use blocks::{BlockEnd, Recording, Rules, Seams, Triggers, TurnSeen};
pub use gate::{
    Cited, DEEPEST_PROSE, GateRegion, HandOver, Idempotence, KeptRegion, Liveness, MOST_MARKERS, Origin, Permit,
    Provenance, Refused, Regions, Validity, Why, gate, gate_prose, idempotence, liveness, may_mark, provenance,
    validity,
};
pub use gather::{Gather, Look, compiled, look};
pub use heard::Heard;
pub use lift::{RULES, lift};
pub use render::{Amount, RENDERED, Rendered, render, tokens};
pub use schedule::{Job, Millis, Schedule, Stall};
#[cfg(test)]
pub(crate) use summarisers::world;
pub use summarisers::{
    Brief, Extractive, HearTries, Key, Limits, Protocol, Sentence, Spoken, Summariser, SummariserKind,
    SummariserSettings, SummaryError, kill_programs,
};
pub use tie::{Merge, Original, Plan, Scanned, Scanner, Sources, Ties, Tying, View, settle};
pub use when::{Manner, Moment, Next, Share, Thresholds, When};
