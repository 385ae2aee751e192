//! The bundle of a game: its PGN, a script that plays it again and compares the moves, the traffic of its
//! fault if it was recorded, and a README.
//!
//! `threefold match` plays pairs of games, so the script plays both games of the pair from the same opening.

use std::io;

use super::{BundleFile, SCRIPT, change_folder, origin, timeouts, traffic_file};
use crate::model::report::NumberedGame;
use crate::words::rerun::shell_word;
use threefold_chess::clock::ClockSource;
use threefold_games::pairing::ScheduledGame;
use threefold_games::pgn;
use threefold_player::visible::visible_lines;
use threefold_player::{EngineBuild, EngineSpec, FaultTraffic};
use threefold_run::RunSpec;
use threefold_run::job::MatchTask;

/// The file of the game.
const GAME: &str = "game.pgn";
/// The file of an opening that is a position without moves.
const OPENING: &str = "opening.epd";

/// A finished game.
#[derive(Debug)]
pub struct BundledGame<'g> {
    /// The specification of the run.
    pub run: &'g RunSpec,
    /// The conditions of the games.
    pub task: &'g MatchTask,
    /// Its place in the schedule.
    pub scheduled: ScheduledGame,
    /// The game with its moves.
    pub game: &'g NumberedGame,
    /// The engine fault that ended it, in words.
    pub fault: Option<&'g str>,
    /// The builds of the engines.
    pub builds: &'g [EngineBuild],
    /// The traffic before its fault.
    pub traffic: Option<&'g FaultTraffic>,
}

impl BundledGame<'_> {
    /// The files of the bundle of a game.
    ///
    /// # Errors
    /// If the game cannot be written as PGN.
    pub fn files(&self) -> io::Result<Vec<BundleFile>> {
        let NumberedGame { record, tags, .. } = self.game;
        let pgn = pgn::pgn(record, tags, &self.task.pgn).map_err(io::Error::other)?;
        let mut files = vec![
            BundleFile { name: "README.txt".to_owned(), text: visible_lines(&self.readme()) },
            BundleFile { name: SCRIPT.to_owned(), text: self.script() },
            BundleFile { name: GAME.to_owned(), text: pgn },
        ];
        if record.opening.moves.is_empty() {
            let text = format!("{}\n", record.opening.start);
            files.push(BundleFile { name: OPENING.to_owned(), text });
        }
        files.extend(self.traffic.map(traffic_file));
        Ok(files)
    }

    /// White and Black.
    fn engines(&self) -> [&EngineSpec; 2] {
        [self.scheduled.white, self.scheduled.black].map(|engine| &self.task.engines[engine])
    }

    fn readme(&self) -> String {
        let [white, black] = &self.game.record.players;
        let fault = self
            .fault
            .map_or_else(|| "No engine fault.".to_owned(), |fault| format!("Engine fault: {fault}"));
        let traffic =
            if self.traffic.is_some() { " The traffic before the fault is in traffic.txt." } else { "" };
        format!(
            "Game {} of `{}`: {white} against {black}.\n{fault}\nThe game is in {GAME}.{traffic}\n\n\
             Play the game again:\n  sh {SCRIPT}\n  sh {SCRIPT} WHITE BLACK    # with the SPECs of other engines\n\n\
             The script plays the pair of this game, from the same opening and one game after the other. Its exit code is 0 \
             if the moves and the result of this game are the same, 1 if they differ, and otherwise that of `threefold match`. \
             It needs no seed, since the opening is that of this game. It needs `threefold` in the PATH, or its path in the \
             variable THREEFOLD.\n\n{}\n\n{}",
            self.game.number,
            self.game.tags.event,
            self.repeatability(),
            origin(self.run, &self.engines().map(Clone::clone), self.builds)
        )
    }

    /// Whether the moves are the same again, and what can differ.
    fn repeatability(&self) -> String {
        let Self { scheduled, task, .. } = self;
        let mut differs = Vec::new();
        for (seat, engine) in [scheduled.white, scheduled.black].into_iter().zip(self.engines()) {
            let limits = engine.control.or(task.control);
            if limits.is_timed() && task.clock_source(seat) == ClockSource::Wall {
                let why =
                    "played on a real clock, so its moves depend on the speed and the load of the machine";
                differs.push(format!("{} {why}.", engine.name));
            }
            let threads = engine.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
            if let Some((_, threads)) = threads.filter(|(_, threads)| threads != "1") {
                differs.push(format!(
                    "{} searched with {threads} threads, which do not repeat a search.",
                    engine.name
                ));
            }
        }
        let keeps = "An engine that keeps anything from earlier games plays other moves, too: in the run, other games may \
                     have come before this one.";
        if differs.is_empty() {
            format!(
                "The moves are repeatable: nodes, depth or virtual clocks limit the searches, so the same programs play the \
                 same moves on any machine. {keeps}"
            )
        } else {
            format!("The moves can differ each time. {} {keeps}", differs.join(" "))
        }
    }

    fn script(&self) -> String {
        // The first game of a pair is played with the engines in this order, the second with the colours
        // reversed.
        let is_second = self.scheduled.index % 2 == 1;
        let order = if is_second {
            "--engine \"$black\" --engine \"$white\""
        } else {
            "--engine \"$white\" --engine \"$black\""
        };
        let [white, black] = self.engines().map(|engine| shell_word(&engine.text));
        let opening = match self.game.record.opening.moves.len() {
            0 => format!("\"$here/{OPENING}\""),
            // The game is the book: its first moves are the opening.
            plies => format!("\"$here/{GAME}\" --plies {plies}"),
        };
        // Dates and times of a game always differ, so tags and comments are not compared.
        // The fault that ended the game is no reason to stop.
        format!(
            "#!/bin/sh\n# Plays the game again and compares the moves. Usage: {SCRIPT} [SPEC of White] [SPEC of Black]\n\
             # Exit code: 0 for the same moves and result, 1 for others, otherwise that of `threefold match`.\n\
             here=$(CDPATH= cd -- \"$(dirname -- \"$0\")\" && pwd)\nwhite=${{1:-{white}}}\nblack=${{2:-{black}}}\n{}\
             rm -f \"$here/replayed.sqlite\" \"$here/replayed.pgn\"\n\
             \"${{THREEFOLD:-threefold}}\" match {order} --games 2 --max-faults 2{} --openings {opening} --order sequential{} -j 1 \
             --run \"$here/replayed.sqlite\" --pgn \"$here/replayed.pgn\" || exit $?\n\
             moves() {{ grep -v '^\\[' | tr '\\n' ' ' | sed 's/{{[^}}]*}}//g' | tr -s ' '; }}\n\
             replayed=$(awk '/^\\[Event / {{ game++ }} game == {}' \"$here/replayed.pgn\" | moves)\n\
             if [ \"$replayed\" = \"$(moves < \"$here/{GAME}\")\" ]; then\n  echo 'The moves and the result are the same.'\n\
             else\n  echo \"The game differs: $here/replayed.pgn, game {}.\"\n  exit 1\nfi\n",
            change_folder(self.run),
            self.conditions(),
            timeouts(self.run),
            1 + usize::from(is_second),
            1 + usize::from(is_second),
        )
    }

    /// The limits, the clock and the adjudication, as options of `threefold match`.
    fn conditions(&self) -> String {
        let MatchTask { control, clock_source, adjudication, .. } = self.task;
        let limits = control.to_string();
        let limits = limits.split(',').filter(|limit| *limit != "inf");
        let limits = limits.flat_map(|limit| {
            // A time control is the only limit whose text has no key.
            let setting = if limit.contains('=') { limit.to_owned() } else { format!("tc={limit}") };
            ["--each".to_owned(), setting]
        });
        let clock =
            (*clock_source != ClockSource::Wall).then(|| ["--clock".to_owned(), clock_source.to_string()]);
        let rules = adjudication.texts().flat_map(|(kind, text)| [format!("--{}", kind.flag), text]);
        let words = limits.chain(clock.into_iter().flatten()).chain(rules);
        words.fold(String::new(), |line, word| format!("{line} {}", shell_word(&word)))
    }
}
