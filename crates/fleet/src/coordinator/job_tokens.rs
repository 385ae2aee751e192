//! Tokens of jobs: who has one was handed the job.
//!
//! A message of jobs goes to one worker, and the token of a job is in no other message. So a client that only
//! guesses the numbers of jobs can't send results for them. A token is a keyed checksum of the run and the
//! job, so that the coordinator keeps none, and knows those of late results after a restart.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::protocol::RunId;

/// The bytes of a token.
const LENGTH: usize = 16;

/// The tokens of the jobs of a run.
pub(super) struct JobTokens {
    keyed: Hmac<Sha256>,
}

impl JobTokens {
    /// The tokens of a run, by a secret of its coordinator.
    pub(super) fn new(secret: &[u8; 32], run: &RunId) -> Self {
        let mut keyed = Hmac::<Sha256>::new_from_slice(secret).expect("a key of any length is allowed");
        keyed.update(format!("threefold job v2 {run}\n").as_bytes());
        Self { keyed }
    }

    /// The token of a job, in hexadecimal.
    pub(super) fn token(&self, part: u32, job: u32) -> String {
        let token = self.keyed(part, job).finalize().into_bytes();
        token.iter().take(LENGTH).fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
    }

    /// Is this the token of the job? The time taken does not depend on where they differ.
    pub(super) fn is_of(&self, part: u32, job: u32, token: &str) -> bool {
        let digits = |at: usize| token.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        let bytes: Option<Vec<u8>> = (0..LENGTH).map(|byte| digits(2 * byte)).collect();
        // A token has one spelling; `from_str_radix` also reads capitals and a sign.
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        token.len() == 2 * LENGTH
            && token.bytes().all(is_digit)
            && bytes.is_some_and(|bytes| self.keyed(part, job).verify_truncated_left(&bytes).is_ok())
    }

    fn keyed(&self, part: u32, job: u32) -> Hmac<Sha256> {
        // The key and the run are hashed once; each job continues from a copy of that state.
        let mut keyed = self.keyed.clone();
        keyed.update(&part.to_be_bytes());
        keyed.update(&job.to_be_bytes());
        keyed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_that_of_one_job_of_one_run() {
        let [run, other] = [5, 6].map(|begun| RunId::new("spec", begun));
        let tokens = JobTokens::new(&[1; 32], &run);
        let token = tokens.token(0, 7);
        assert!(token.len() == 32 && tokens.is_of(0, 7, &token));
        assert!(JobTokens::new(&[1; 32], &run).is_of(0, 7, &token), "after a restart");
        assert!(!tokens.is_of(0, 8, &token) && !tokens.is_of(7, 0, &token));
        assert!(!JobTokens::new(&[1; 32], &other).is_of(0, 7, &token));
        assert!(!JobTokens::new(&[2; 32], &run).is_of(0, 7, &token));
        for wrong in ["", &token[..30], &format!("{token}00"), &"é".repeat(16)] {
            assert!(!tokens.is_of(0, 7, wrong), "{wrong}");
        }
        let starting =
            |first| (0..99).map(|job| (job, tokens.token(0, job))).find(|it| it.1.starts_with(first));
        for (first, other) in [("0", "+"), ("c", "C")] {
            let (job, token) = starting(first).expect("one in 16");
            let wrong = token.replacen(first, other, 1);
            assert!(!tokens.is_of(0, job, &wrong), "another spelling: {wrong}");
        }
    }
}
