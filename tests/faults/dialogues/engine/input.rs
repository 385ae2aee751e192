//! What the engine reads: commands that a fault changes or loses, and at which it ends.

use std::io::Write;
use std::path::Path;
use std::process::{abort, exit};
use std::thread;
use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

use super::super::fault::Fault;
use super::super::go::{Go, Search};
use super::super::line::{Chances, after, with_steps_as_castling};
use super::{FaultyEcho, KEPT_SEARCHES, LONG_SEARCHES, Lost};

impl FaultyEcho {
    pub(super) fn hear(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (fault, searching) = (self.fault, self.search.is_some());
        if fault == Fault::EndsAtSpaces && words.join(" ") != line.trim_end_matches('\r')
            || fault == Fault::EndsAtCarriageReturn && line.ends_with('\r')
        {
            exit(1);
        }
        if self.lost == Lost::UntilMove {
            return;
        }
        match words.first().copied().unwrap_or_default() {
            "uci" => {
                self.introductions += 1;
                if fault == Fault::IntroducesItselfOnce && self.introductions > 1 {
                    return;
                }
            }
            "isready" if fault == Fault::ReadyAfterSearch && searching => {
                return self.held_back.push(line.to_owned());
            }
            "stop" if fault == Fault::StopLost && searching => return,
            "stop" if !searching => self.keeps_stop = fault == Fault::KeepsStop,
            "stop" if fault == Fault::DeafAfterStop => return self.stop_late(),
            "stop" if self.is_pondering() && fault == Fault::LosesGoAfterPonder => self.lost = Lost::NextGo,
            "quit" if fault == Fault::QuitLost && searching => return,
            "quit" if fault == Fault::AbortsAtQuit => abort(),
            "ponderhit" if fault == Fault::PonderhitLost => return,
            "ponderhit" if fault == Fault::EndsAtPonderhit && !searching => exit(1),
            "ponderhit" => {
                self.search = self.search.map(|search| Search { is_pondering: false, ..search });
            }
            "ucinewgame" => {
                self.new_games += 1;
                if fault == Fault::EndsAtSecondGame && self.new_games > 1 {
                    exit(1);
                }
            }
            "setoption" if fault == Fault::KeepsChess960 && line.ends_with("Chess960 value false") => return,
            // Echo has no such option.
            "setoption" if line.contains("UCI_ShowWDL") => {
                self.chances = Chances::set_by(line);
                return;
            }
            "setoption"
                if fault == Fault::ExactOptions && !line.starts_with("setoption name MultiPV value") =>
            {
                return;
            }
            "setoption" => self.set_option(line),
            "position" => {
                self.set_position(&words);
                if fault == Fault::StepIsCastling {
                    return self.tell_echo(&with_steps_as_castling(line));
                }
            }
            "go" => return self.go(&words),
            _ => {}
        }
        self.tell_echo(line);
    }

    /// Stops the search when the commands of the same write have come.
    fn stop_late(&mut self) {
        self.lost = Lost::UntilMove;
        let mut to_echo = self.to_echo.try_clone().expect("a pipe");
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(30));
            _ = writeln!(to_echo, "stop");
        });
    }

    fn set_option(&mut self, line: &str) {
        let given = line.split_once("name").map_or("", |(_, given)| given.trim());
        let (name, value) =
            given.split_once(" value").map_or((given, None), |(name, value)| (name, Some(value.trim())));
        let known = self.options.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let is_bad = match (known.map(|(_, kind)| kind.as_str()), value) {
            (Some("spin"), value) => value.is_none_or(|value| value.parse::<i64>().is_err()),
            (Some("check"), value) => !matches!(value, Some("true" | "false")),
            _ => false,
        };
        let ends = match self.fault {
            Fault::EndsAtUnknownOption => known.is_none(),
            Fault::EndsAtBadValue => is_bad,
            Fault::EndsAtLateOption => self.searches > 0,
            Fault::EndsAtLimitedStrength => name == "UCI_LimitStrength" && value == Some("true"),
            Fault::EndsAtPath => {
                name == "SyzygyPath" && value.is_some_and(|path| path.starts_with(['<', '/']))
            }
            _ => false,
        };
        if ends {
            exit(1);
        }
        if name == "SyzygyPath" {
            self.has_tables = value.is_some_and(|folder| Path::new(folder).join("KQvK.rtbw").exists());
        }
        if name == "Threads" {
            self.threads = value.and_then(|value| value.parse().ok()).unwrap_or(1);
        }
    }

    fn set_position(&mut self, words: &[&str]) {
        let moves_at = words.iter().position(|word| *word == "moves");
        let has_fen = words.get(1) == Some(&"fen");
        let has_moves = moves_at.is_some_and(|at| at + 1 < words.len());
        if self.fault == Fault::EndsAtEmptyMoves && moves_at.is_some() && !has_moves
            || self.fault == Fault::EndsAtFenWithMoves && has_fen && has_moves
            || self.fault == Fault::EndsAtLongGame && words.len() > 256
        {
            exit(1);
        }
        let start = &words[..moves_at.unwrap_or(words.len())];
        let fen = has_fen.then(|| start[2..].join(" ").parse::<Fen>().ok()).flatten();
        let mode = fen.as_ref().map_or(CastlingMode::Standard, |fen| CastlingMode::detect(fen.as_setup()));
        let mut position = match fen {
            Some(fen) => fen.into_position(mode).ok(),
            None => (words.get(1) == Some(&"startpos")).then(Chess::default),
        };
        for word in words.iter().skip(moves_at.unwrap_or(words.len()) + 1) {
            position = position.and_then(|position| after(&position, word));
        }
        if self.fault == Fault::EndsAtInvalidPosition && position.is_none()
            || self.fault == Fault::EndsAtShortFen && has_fen && start.len() < 8
        {
            exit(1);
        }
        if has_fen && self.fault == Fault::ForgetsAtFen {
            self.tell_echo("setoption name Clear Hash");
        }
        self.nodes_factor = if has_fen && self.fault == Fault::OtherKeyByFen { 2 } else { 1 };
        self.position = position;
    }

    fn is_pondering(&self) -> bool {
        self.search.is_some_and(|search| search.is_pondering)
    }

    fn go(&mut self, words: &[&str]) {
        let go = Go(words);
        if self.ends_at(go) {
            exit(1);
        }
        if self.fault == Fault::BareGoLost && words.len() == 1 || self.lost == Lost::NextGo {
            self.lost = Lost::Nothing;
            return;
        }
        self.searches += 1;
        self.search = Some(Search::new(go, self.fault));
        self.long_searches += usize::from(go.number("movetime").is_some());
        let forgets = match self.fault {
            Fault::Forgets => true,
            Fault::ForgetsAfter255 => self.searches > KEPT_SEARCHES,
            Fault::ForgetsWhenFull => self.long_searches > LONG_SEARCHES,
            _ => false,
        };
        if forgets {
            self.tell_echo("setoption name Clear Hash");
        }
        let is_white = self.position.as_ref().is_none_or(|position| position.turn().is_white());
        let own = go.number(if is_white { "wtime" } else { "btime" });
        let changed = go.changed(self.fault, own);
        self.tell_echo(&changed);
    }

    /// Does the engine end at this command?
    fn ends_at(&self, go: Go<'_>) -> bool {
        let legal = self.position.as_ref().map_or(20, |position| position.legal_moves().len());
        match self.fault {
            Fault::EndsAtGoInSearch => self.search.is_some(),
            Fault::EndsWithoutPosition => self.position.is_none(),
            Fault::EndsWithoutMoves => legal == 0,
            Fault::EndsAtOnlyMove => legal == 1,
            Fault::EndsAtManyMoves => legal > 200,
            Fault::EndsAtOddLimit => go.is_odd(),
            Fault::EndsAtGreatDepth => go.number("depth") >= Some(64),
            Fault::EndsAtTables => self.has_tables,
            Fault::EndsAtDays => go.clock() > Some(10_000_000),
            _ => false,
        }
    }
}
