//! `positions`: generates openings, records node counts, proves mates, and verifies position files.

pub mod check;
pub mod openings;
pub mod prove;
pub mod signature;
pub mod verify_proof;

use crate::command_table;

command_table! {
    /// `threefold positions`
    #[command(after_help = "Examples:\n  threefold positions openings --seed 1 --count 500 --out openings.epd\n  \
        threefold positions check")]
    pub enum PositionsCommand {
        /// Record an engine's node counts at a fixed depth.
        Signature(signature::SignatureArgs) => signature::run;
        /// Generate balanced openings.
        Openings(openings::OpeningArgs) => openings::run;
        /// Verify position files by endgame tables, exhaustive search and the rules.
        Check(check::CheckArgs) => check::run;
        /// Prove the distance to mate of a position.
        Prove(prove::ProveArgs) => prove::run;
        /// Verify proof files without any search.
        VerifyProof(verify_proof::VerifyProofArgs) => verify_proof::run;
    }
}
