//! What a report contains: cases, matches, tests, faults and warnings, with their statistics.

#[cfg(test)]
pub(crate) mod baseline_fixture;
pub(crate) mod basis;
pub(crate) mod bench_comparison;
pub(crate) mod build;
pub(crate) mod case_standing;
pub(crate) mod counts;
pub(crate) mod coupling;
pub(crate) mod cross_table;
pub(crate) mod environment_comparison;
pub(crate) mod exceeded_limits;
pub(crate) mod failure_reason;
pub(crate) mod fault_effect;
pub(crate) mod faults;
pub(crate) mod figures;
#[cfg(test)]
pub(crate) mod fixture;
pub(crate) mod homogeneity;
pub(crate) mod json_intervals;
pub(crate) mod knockout;
pub(crate) mod match_stats;
pub(crate) mod multiple_comparisons;
pub(crate) mod node_curve;
pub(crate) mod not_started;
pub(crate) mod numbered_game;
pub(crate) mod p_adjust;
pub(crate) mod paired_comparison;
pub(crate) mod position_fen;
pub(crate) mod repeats;
pub mod report;
pub(crate) mod shadow;
pub(crate) mod signature;
pub(crate) mod solved_nodes;
pub(crate) mod sources;
pub(crate) mod suite_stats;
pub(crate) mod swiss;
pub(crate) mod swiss_standings;
pub(crate) mod take_table;
pub(crate) mod takes;
pub(crate) mod time_losses;
pub(crate) mod tournament;
pub(crate) mod tournament_rounds;
pub(crate) mod tuned_values;
pub(crate) mod tuning;
pub(crate) mod warnings;
pub(crate) mod worst;
