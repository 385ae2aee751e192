//! A process of the engine's program that runs one task of its arguments and ends.

use std::process::Command as Program;
use std::time::Duration;

use super::engine::ChildEngine;
use super::live_engine::flood;
use super::process::{ExitReport, Process, WaitError};
use crate::{EngineFault, WaitLimit};

impl ChildEngine {
    /// Runs the program with more arguments until it ends, and passes on every line that it prints: first
    /// those of standard output, then the last ones of standard error. Its standard input is closed, so a
    /// program that does not know the arguments and reads commands instead ends at once.
    pub(super) fn run_with(
        &self,
        arguments: &[&str],
        timeout: Duration,
        limit: WaitLimit,
        see: &mut dyn FnMut(&str),
    ) -> Result<(), EngineFault> {
        let task = format!("running with `{}`", arguments.join(" "));
        let mut program = self.program_with(arguments);
        let mut process = Process::start(&mut program, None, &self.options).map_err(|error| {
            EngineFault::CannotStart { command: format!("{program:?}"), cause: error.to_string() }
        })?;
        process.close_input();
        let until = process.deadline(process.now(), timeout);
        loop {
            match process.receive(until) {
                Ok((line, _)) => see(&line),
                Err(WaitError::Ended) => break,
                Err(WaitError::Interrupted) => return Err(EngineFault::Interrupted),
                Err(WaitError::Flood) => return Err(flood(&task)),
                Err(WaitError::Timeout) => {
                    return Err(EngineFault::TimedOut { task, waited: timeout, limit });
                }
            }
        }
        let ExitReport { status, by_signal, last_output } = process.exit_report();
        // An exit code is no fault, since a program may refuse an unknown argument with one.
        if by_signal {
            return Err(EngineFault::Ended { status, task, last_output });
        }
        process.last_errors().iter().for_each(|line| see(line));
        Ok(())
    }

    fn program_with(&self, arguments: &[&str]) -> Program {
        let mut program = Program::new(self.program.get_program());
        program.args(self.program.get_args()).args(arguments);
        if let Some(folder) = self.program.get_current_dir() {
            program.current_dir(folder);
        }
        program
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::BenchCounts;
    use crate::mock_engine::Mock;

    fn bench(begin: &str) -> Result<BenchCounts, EngineFault> {
        let begin = format!("[ \"$1\" = bench ] && {{ {begin} }}");
        Mock::new(&begin, "").launch()?.bench(Duration::from_secs(2))
    }

    #[test]
    fn a_benchmark_is_read_from_either_stream() {
        let counts = Ok(BenchCounts { nodes: Some(4321), nps: Some(99) });
        for begin in [
            "echo 4321 nodes 99 nps; exit;",
            "echo info depth 3 nodes 5 nps 6; echo 'Nodes searched : 4321' >&2; echo 'Nodes/second : 99' >&2; exit 1;",
        ] {
            assert_eq!(bench(begin), counts, "{begin}");
        }
    }

    #[test]
    fn standard_error_is_read_until_the_exit_after_standard_output_was_closed() {
        // More than a pipe holds, so the program can't exit before it is read.
        let begin = "exec >&-; head -c 300000 /dev/zero | tr '\\0' 'x' >&2; echo >&2; echo 4321 nodes 99 nps >&2; exit;";
        assert_eq!(bench(begin), Ok(BenchCounts { nodes: Some(4321), nps: Some(99) }));
    }

    #[test]
    fn an_engine_without_a_benchmark_lacks_it_and_a_crash_is_a_fault() {
        let none = "`bench`: run with it, it prints no count of nodes";
        let endless = "`bench`: run with it, it does not end within 2.0 s";
        // Without the argument it reads commands until its input ends.
        for (begin, lacks) in [("true;", none), ("exit 1;", none), ("exec sleep 100;", endless)] {
            assert_eq!(bench(begin), Err(EngineFault::NotSupported(lacks.to_owned())), "{begin}");
        }
        match bench("echo 4321 nodes; kill -SEGV $$;") {
            Err(EngineFault::Ended { status, task, .. }) => {
                assert!(status.starts_with("signal: 11"), "{status}");
                assert_eq!(task, "running with `bench`");
            }
            other => panic!("{other:?}"),
        }
    }
}
