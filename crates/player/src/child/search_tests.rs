//! Searches that do not end in time.

use std::time::Duration;

use crate::mock_engine::Mock;
use crate::{EngineFault, Question, WaitLimit};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;

#[test]
fn silence_after_the_node_limit_names_that_limit_and_the_whole_wait() {
    let far_beyond = "go*) sleep 0.3; echo info depth 9 score cp 3 nodes 9000000 pv a2a3;;\nstop) sleep 9;;";
    let mut mock = Mock::new("", far_beyond);
    mock.options.grace = Duration::from_millis(200);
    let (position, searchmoves) = (GamePosition::start_position(), Vec::new());
    let question = Question { position, limits: Limits::nodes(1000), searchmoves };
    let fault = mock.launch().expect("it starts").answer(&question).expect_err("it sends no move");
    let EngineFault::TimedOut { waited, limit, .. } = &fault else { panic!("{fault}") };
    assert_eq!(*limit, WaitLimit::Nodes);
    assert!(*waited >= Duration::from_millis(500), "{waited:?}");
    assert!(fault.to_string().ends_with("; it had searched beyond its node limit, and did not obey `stop`"));
}
