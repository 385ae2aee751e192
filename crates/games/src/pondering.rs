//! A move of one player while the other ponders.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use threefold_player::{Answer, EngineFault, Player, Question};

/// How often the output of the pondering engine is read. It writes far less than a pipe holds meanwhile.
const INTERVAL: Duration = Duration::from_millis(2);

/// Asks a player for its answer. A thread of its own reads the output of the pondering opponent, so that the
/// times of the mover do not depend on it.
pub(super) fn answer_beside(
    mover: &mut dyn Player,
    question: &Question,
    pondering: &mut dyn Player,
) -> Result<Answer, EngineFault> {
    let (mover_is_asked, answered) = channel::<()>();
    thread::scope(|scope| {
        let read = move || {
            while answered.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                pondering.read_pondering();
            }
        };
        // Without the thread, the output is read at the next move.
        _ = thread::Builder::new().name("pondering".to_owned()).spawn_scoped(scope, read);
        let answer = mover.answer(question);
        // This disconnects the channel, which ends the thread that the scope waits for.
        drop(mover_is_asked);
        answer
    })
}
