//! A player with scripted answers, for tests of games, suites and pools without an engine.

use std::time::Duration;

use shakmaty::uci::UciMove;

use super::{Answer, EngineFault, LimitEnforcedBy, LinesBetweenSearches, Player, Question, SearchReports};

/// The answer of a scripted player to a question.
type Script = Box<dyn FnMut(&Question) -> Result<Answer, EngineFault> + Send>;

/// Answers from a list or a closure.
pub struct ScriptedPlayer {
    name: String,
    script: Script,
    games: usize,
}

impl ScriptedPlayer {
    /// Answers with the result of the closure.
    pub fn new(
        name: &str,
        script: impl FnMut(&Question) -> Result<Answer, EngineFault> + Send + 'static,
    ) -> Self {
        Self { name: name.to_owned(), script: Box::new(script), games: 0 }
    }

    /// Plays these moves in order, and then reports that it has none.
    pub fn playing(name: &str, moves: impl IntoIterator<Item = UciMove>) -> Self {
        let mut moves = moves.into_iter().collect::<Vec<_>>().into_iter();
        Self::new(name, move |_| Ok(Answer { best: moves.next(), ..Answer::silent() }))
    }

    /// The number of new games.
    pub const fn games(&self) -> usize {
        self.games
    }
}

impl Answer {
    /// No move, no score, no nodes, no time: a base for scripted answers.
    pub const fn silent() -> Self {
        Self {
            best: None,
            in_place_of_move: None,
            ponder: None,
            infos: Vec::new(),
            other_lines: Vec::new(),
            nodes: 0,
            nodes_at_end: 0,
            elapsed: Duration::ZERO,
            delays: None,
            asked: None,
            first_output: None,
            cpu: None,
            limit_enforced_by: LimitEnforcedBy::Engine,
            nodes_over_limit: None,
            account: None,
            reported: SearchReports {
                seldepth: None,
                nps: None,
                hashfull: None,
                tbhits: None,
                wdl: None,
                time: None,
            },
            quotes: Vec::new(),
            counts: Vec::new(),
            between: LinesBetweenSearches::NONE,
        }
    }
}

impl Player for ScriptedPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), EngineFault> {
        self.games += 1;
        Ok(())
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, EngineFault> {
        (self.script)(question)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_chess::clock::Limits;
    use threefold_chess::position::GamePosition;

    #[test]
    fn scripted_moves_are_played_in_order() {
        let list = ["e2e4", "g1f3"].map(|mv| mv.parse().expect("a move"));
        let mut player = ScriptedPlayer::playing("parrot", list);
        let question = Question {
            position: GamePosition::start_position(),
            limits: Limits::nodes(1),
            searchmoves: Vec::new(),
        };
        player.new_game().expect("it never fails");
        for expected in [Some(list[0]), Some(list[1]), None] {
            assert_eq!(player.answer(&question).expect("it never fails").best, expected);
        }
        assert_eq!((player.name(), player.games()), ("parrot", 1));
    }
}
