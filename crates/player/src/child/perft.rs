//! Leaf counts of an engine in a child process.
//!
//! UCI has no command for them. Engines know `go perft D`, or `perft D` as a command or as an argument, and
//! print the total in many forms. The method is found out once, with the start position.

use std::time::Duration;

use super::engine::ChildEngine;
use super::live_engine::{LiveEngine, flood};
use super::process::WaitError;
use crate::capability::{PerftMethod, PrintedTotals};
use crate::printed_count::PerftTotal;
use crate::{EngineFault, Question, WaitLimit};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;

/// How long a total may come after `readyok` when the method is looked for: some engines count in another
/// thread than the one that answers `isready`.
const AFTER_READY: Duration = Duration::from_secs(1);
/// The interval of `isready` while a total is awaited.
const READY_INTERVAL: Duration = Duration::from_millis(100);
/// The first one for an engine that prints one total for a question. Each later one is twice as long, up to the interval above.
const FIRST_READY_INTERVAL: Duration = Duration::from_millis(5);
/// The depth of the question by which the method is found: quick even in a sanitizer build.
const PROBE_DEPTH: Ply = Ply(2);
/// A position with another number of leaves (2039 at depth 2) than the start position (400).
const OTHER_POSITION: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// The command of engines that do not know `go perft`.
const TYPED: &str = "perft";
/// Leaves of the start position at the depth of the question.
const START_LEAVES: u64 = 400;

/// The reply to a command that may count leaves.
enum CountReply {
    Leaves(u64, PrintedTotals),
    /// What the engine did instead.
    Instead(&'static str),
}

impl ChildEngine {
    /// Tries the methods one after the other; the reason if there is none.
    pub(super) fn find_perft(&mut self) -> Result<Result<PerftMethod, String>, EngineFault> {
        let start = GamePosition::start_position();
        let mut instead = Vec::new();
        for (words, name) in [("go perft", "`go perft`"), (TYPED, "the command `perft`")] {
            match self.ask_count((words, PrintedTotals::Several), &start, PROBE_DEPTH, AFTER_READY) {
                // An engine that complains of an unknown command may repeat the depth.
                Ok(CountReply::Leaves(leaves, _)) if leaves <= u64::from(PROBE_DEPTH.0) => {
                    instead.push(format!("asked by {name}, it prints no count"));
                }
                Ok(CountReply::Leaves(_, printed)) => {
                    return Ok(Ok(PerftMethod::Command { words, printed }));
                }
                Ok(CountReply::Instead(what)) => instead.push(format!("asked by {name}, it {what}")),
                // UCI requires that unknown words are ignored, but only `go` is a command of UCI.
                Err(EngineFault::Ended { .. }) if words == TYPED => {
                    instead.push(format!("asked by {name}, it ends"));
                }
                Err(fault) => return Err(fault),
            }
        }
        let what = match self.count_by_arguments(OTHER_POSITION, PROBE_DEPTH) {
            // Another position was given, so the program ignores the FEN.
            Ok(Some(START_LEAVES)) => return Ok(Ok(PerftMethod::Arguments { takes_fen: false })),
            Ok(Some(leaves)) if leaves > u64::from(PROBE_DEPTH.0) => {
                match self.count_by_arguments(&start.start.to_string(), PROBE_DEPTH) {
                    // Some engines count positions of their own, whatever FEN they get.
                    Ok(Some(same)) if same == leaves => "it prints the same count for each position",
                    Ok(Some(_)) => return Ok(Ok(PerftMethod::Arguments { takes_fen: true })),
                    Err(EngineFault::Interrupted) => return Err(EngineFault::Interrupted),
                    Ok(None) | Err(_) => "it prints no count",
                }
            }
            Err(EngineFault::Interrupted) => return Err(EngineFault::Interrupted),
            Ok(_) | Err(_) => "it prints no count",
        };
        instead.push(format!("by the argument `perft`, {what}"));
        Ok(Err(format!("perft: {}", instead.join("; "))))
    }

    /// Counts leaves by a method that the engine knows.
    pub(super) fn count_leaves(
        &mut self,
        method: PerftMethod,
        position: &GamePosition,
        depth: Ply,
    ) -> Result<u64, EngineFault> {
        let no_count =
            |what: &str| EngineFault::ProtocolBreach(format!("it counted leaves before, and now {what}"));
        match method {
            PerftMethod::Command { words, printed } => {
                match self.ask_count((words, printed), position, depth, self.options.startup)? {
                    CountReply::Leaves(leaves, _) => Ok(leaves),
                    CountReply::Instead(what) => Err(no_count(what)),
                }
            }
            PerftMethod::Arguments { takes_fen } => {
                let is_start = *position == GamePosition::start_position();
                if !position.moves.is_empty() || !(takes_fen || is_start) {
                    return Err(EngineFault::NotSupported(
                        "perft of other positions than the start position".to_owned(),
                    ));
                }
                let leaves = self.count_by_arguments(&position.start.to_string(), depth)?;
                leaves.ok_or_else(|| no_count("prints no count"))
            }
        }
    }

    fn ask_count(
        &mut self,
        (words, printed): (&str, PrintedTotals),
        position: &GamePosition,
        Ply(depth): Ply,
        after_ready: Duration,
    ) -> Result<CountReply, EngineFault> {
        let command = format!("{words} {depth}");
        let question =
            Question { position: position.clone(), limits: Limits::default(), searchmoves: Vec::new() };
        let startup = self.options.startup;
        let live = self.live()?;
        let reply = live
            .set_up(&question, startup)
            .and_then(|()| live.count(position, (&command, printed), startup, after_ready));
        self.is_used = true;
        if !matches!(reply, Ok(CountReply::Leaves(..))) {
            // It may still search, or print a late count.
            self.live = None;
        }
        reply
    }

    /// The total that the program prints for the arguments `perft D FEN`; `None` if it prints none.
    fn count_by_arguments(&self, fen: &str, Ply(depth): Ply) -> Result<Option<u64>, EngineFault> {
        let mut total = PerftTotal::default();
        let arguments = ["perft", &depth.to_string(), fen];
        self.run_with(&arguments, self.options.startup, WaitLimit::Startup, &mut |line| {
            total.take_line(line);
        })?;
        Ok(total.leaves())
    }
}

impl LiveEngine {
    /// Sends the position, the command and `isready`. An engine that counts before it reads on has printed
    /// the total before `readyok`. For another one the total may follow; then `isready` is sent again from
    /// time to time, since some engines flush their output only with `readyok`. The last total before a
    /// `readyok` counts. Of one that prints several it is asked for less often, since others may follow.
    fn count(
        &mut self,
        position: &GamePosition,
        (command, printed): (&str, PrintedTotals),
        timeout: Duration,
        after_ready: Duration,
    ) -> Result<CountReply, EngineFault> {
        let task = format!("answering `{command}`");
        let limit = WaitLimit::Startup;
        self.send_at(position, &format_args!("{command}\nisready"), &task, timeout, limit)?;
        let mut until = self.process.deadline(self.process.now(), timeout);
        let mut total = PerftTotal::default();
        let (mut was_ready, mut is_awaited) = (false, true);
        let mut interval = match printed {
            PrintedTotals::One => FIRST_READY_INTERVAL,
            PrintedTotals::Several => READY_INTERVAL,
        };
        loop {
            let wait = if is_awaited { until } else { until.no_later_than(self.process.now(), interval) };
            let line = match self.process.receive(wait) {
                Ok((line, _)) => line,
                Err(WaitError::Timeout) if !is_awaited && !self.process.left(until).is_zero() => {
                    self.send_text("isready\n", &task, timeout, limit)?;
                    is_awaited = true;
                    interval = (2 * interval).min(READY_INTERVAL);
                    continue;
                }
                Err(WaitError::Timeout) => return Ok(CountReply::Instead("prints no count")),
                Err(WaitError::Interrupted) => return Err(EngineFault::Interrupted),
                Err(WaitError::Flood) => return Err(flood(&task)),
                Err(WaitError::Ended) => return Err(self.ended_fault(&task)),
            };
            let mut words = line.split_ascii_whitespace();
            match (words.next(), total.leaves()) {
                (Some("readyok"), Some(leaves)) => {
                    return Ok(CountReply::Leaves(leaves, total.printed()));
                }
                (Some("readyok"), None) => {
                    // Counted from the first `readyok`, so that the repeated `isready` does not extend the
                    // wait.
                    if !was_ready {
                        until = self.process.deadline(self.process.now(), after_ready);
                    }
                    (was_ready, is_awaited) = (true, false);
                }
                (Some("bestmove"), None) => return Ok(CountReply::Instead("plays a move")),
                (Some("info"), _) if words.any(|word| word == "score") => {
                    return Ok(CountReply::Instead("searches"));
                }
                _ => total.take_line(&line),
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::mock_engine::Mock;

    fn count(mock: &Mock, fen: &str) -> Result<u64, EngineFault> {
        mock.launch()?.perft(&GamePosition::parse(fen, "").expect("sound"), Ply(3))
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const OTHER: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

    #[test]
    fn leaves_are_counted_by_the_method_that_the_engine_knows() {
        let table = [
            // what the engine does with arguments and commands
            ("", "'go perft'*) echo e2e4: 600; echo; echo Nodes searched: 8902;;"),
            ("", "'go perft'*) (sleep 0.1; echo info nodes 8902 nps 5 time 0) &;;"),
            // The count is flushed with the next `readyok`.
            ("", "'go perft'*) n=0;; isready) n=$((n+1)); [ $n != 2 ] || echo nodes 8902; echo readyok;;"),
            ("", "'perft 3') echo 1. e2e4 600; echo 8902;; 'perft 2') echo 400;;"),
            (
                "",
                "'go perft'*) echo info depth 1 score cp 3; echo bestmove e2e4;; perft*) echo 'Perft(3) = 8902';;",
            ),
            (
                "[ \"$1\" = perft ] && { case \"$2$3\" in 2r3*) echo 2039;; 2*) echo 400;; *) echo e2e4: 600; echo total: 8902;; esac; exit; }",
                "",
            ),
        ];
        for (begin, arms) in table {
            assert_eq!(count(&Mock::new(begin, arms), START), Ok(8902), "{begin}{arms}");
        }
    }

    /// The first totals of an engine that counts depth after depth are not taken for the last.
    #[test]
    fn last_of_several_totals_counts() {
        let slowly = "(echo perft 1: 20; sleep 0.01; echo perft 2: 400; sleep 0.01; echo perft 3: 8902) &";
        let arms = format!("'go perft 2') echo perft 1: 20; echo perft 2: 400;; 'go perft 3') {slowly};;");
        assert_eq!(count(&Mock::new("", &arms), START), Ok(8902));
    }

    /// The position is sent before every count, and counts for the one that was sent last.
    #[test]
    fn leaves_of_the_given_position_are_counted() {
        let arms = "*startpos*) n=20;; 'position fen 4k3'*) n=6;; 'go perft 2') echo nodes 400;; 'go perft 3') echo nodes $n;;";
        let mut player = Mock::new("", arms).launch().expect("it starts");
        for (fen, leaves) in [(START, 20), (OTHER, 6), (START, 20)] {
            let history = GamePosition::parse(fen, "").expect("sound");
            assert_eq!(player.perft(&history, Ply(3)), Ok(leaves), "{fen}");
        }
    }

    #[test]
    fn an_engine_that_counts_from_the_start_position_only_is_asked_nothing_else() {
        let mock = Mock::new("[ \"$1\" = perft ] && { [ $2 = 2 ] && echo 400 || echo 8902; exit; }", "");
        assert_eq!(count(&mock, START), Ok(8902));
        let only = "perft of other positions than the start position".to_owned();
        assert_eq!(count(&mock, OTHER), Err(EngineFault::NotSupported(only)));
    }

    #[test]
    fn an_engine_that_counts_positions_of_its_own_has_no_perft() {
        let mock = Mock::new("[ \"$1\" = perft ] && { echo 'perft(3) = 22934'; exit; }", "");
        let Err(EngineFault::NotSupported(why)) = count(&mock, START) else { panic!("a count") };
        assert!(
            why.ends_with("by the argument `perft`, it prints the same count for each position"),
            "{why}"
        );
    }

    #[test]
    fn an_engine_without_perft_is_asked_once() {
        let mock = Mock::new(
            "echo \"start $1\" >> said",
            "*perft*) echo \"$line\" >> said; echo Unknown command: $line; echo 2;;",
        );
        let lacks = "perft: asked by `go perft`, it prints no count; asked by the command `perft`, it prints no \
                     count; by the argument `perft`, it prints no count";
        for _ in 0..2 {
            assert_eq!(count(&mock, OTHER), Err(EngineFault::NotSupported(lacks.to_owned())));
        }
        let said = mock.said();
        let asked: Vec<&str> =
            said.iter().map(String::as_str).filter(|line| line.contains("perft")).collect();
        assert_eq!(asked, ["go perft 2", "perft 2", "start perft"]);
    }

    #[test]
    fn a_wrong_count_is_given_as_it_is_and_a_missing_one_is_a_fault() {
        let mock = Mock::new("", "'go perft 2') echo nodes 401;; 'go perft 3') echo nodes 8903;;");
        assert_eq!(count(&mock, START), Ok(8903));
        let mock = Mock::new("", "'go perft 2') echo nodes 400;; 'go perft 3') echo bestmove e2e4;;");
        let fault = count(&mock, START).expect_err("no count");
        assert!(
            matches!(&fault, EngineFault::ProtocolBreach(text) if text.ends_with("and now plays a move")),
            "{fault}"
        );
    }
}
