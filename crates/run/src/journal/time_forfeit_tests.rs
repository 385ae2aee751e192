//! Time forfeits of this version and of older ones.

use std::time::Duration;

use super::rows;
use crate::job::JobResult;
use threefold_chess::clock::Delays;
use threefold_games::game::GameEnd;

pub(super) fn delays(engine: u64, runner: u64) -> Delays {
    let [engine, runner] = [engine, runner].map(Duration::from_nanos);
    Delays { engine, runner }
}

#[test]
fn time_forfeits_are_read_with_and_without_delays() {
    let with = |margin, delays| GameEnd::TimeForfeit {
        over: Duration::from_nanos(12),
        margin: Duration::from_nanos(margin),
        delays,
    };
    let forfeit = |delays| with(0, delays);
    let table = [
        // as read, the end, as written again
        ("12", forfeit(None), "12"),
        ("[12,7]", forfeit(Some(delays(7, 0))), "[12,7,0]"),
        ("[12,7,8]", forfeit(Some(delays(7, 8))), "[12,7,8]"),
        ("[12,7,8,0]", forfeit(Some(delays(7, 8))), "[12,7,8]"),
        ("[12,7,8,9]", with(9, Some(delays(7, 8))), "[12,7,8,9]"),
    ];
    for (written, end, rewritten) in table {
        let line = format!(
            r#"{{"game":{{"players":["A","B"],"opening":{{"fen":"8/8/8/8/8/8/8/8 w - - 0 1","moves":""}},"outcome":"white","end":{{"time-forfeit":{written}}},"played":[]}}}}"#
        );
        let Ok(JobResult::Game(record)) = rows::read_result(&line) else { panic!("{line}") };
        assert_eq!(record.end, end);
        let again = rows::write_result(&JobResult::Game(record));
        assert!(again.contains(&format!(r#""end":{{"time-forfeit":{rewritten}}}"#)), "{again}");
    }
}
