//! Engines that are started again.

use std::num::NonZeroU32;

use crate::mock_engine::Mock;
use crate::{EngineFault, Question};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;

#[test]
fn later_start_has_a_number_of_attempts_of_its_own() {
    // The first start succeeds, and the next two fail.
    let begin = "echo start >> said; case $(wc -l < said) in *2|*3) exit 3;; esac";
    for restarts in [1, 3] {
        let mut mock = Mock::new(begin, "go*) exit 4;;");
        mock.options.restarts = NonZeroU32::new(restarts).expect("not zero");
        let mut player = mock.launch().expect("it starts");
        let (position, searchmoves) = (GamePosition::start_position(), Vec::new());
        let question = Question { position, limits: Limits::nodes(1), searchmoves };
        let fault = player.answer(&question).expect_err("it crashes");
        assert!(matches!(fault, EngineFault::Ended { .. }), "{fault}");
        assert_eq!(player.new_game().is_ok(), restarts == 3, "{restarts}");
        assert_eq!(mock.said().len(), if restarts == 3 { 4 } else { 2 });
    }
}
