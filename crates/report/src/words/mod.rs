//! A report in sentences, which several formats print.

pub(crate) mod anchor;
pub(crate) mod build_list;
pub(crate) mod conclusion;
pub(crate) mod coupling;
pub(crate) mod explanation;
pub(crate) mod finding;
pub(crate) mod headline;
pub(crate) mod page_link;
pub mod rerun;
pub(crate) mod result_headline;
pub(crate) mod run_notice;
pub(crate) mod san;
pub(crate) mod suite_changes;
pub(crate) mod takes;
pub(crate) mod tuning;
pub(crate) mod verdict_sentence;
