//! Asks both versions, on several threads; the answers do not depend on their number.

use std::iter;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::positions::APART;
use crate::args::RunOptions;
use crate::commands::games;
use crate::output::progress;
use crate::session::Session;
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_games::opening::{Opening, OpeningSelection};
use threefold_oracle::Referee;
use threefold_player::{Answer, EngineFault, EngineSpec, LaunchOptions, Player, Question, launch};
use threefold_report::version_diff::{AskedPosition, SearchAnswer};
use threefold_run::pool::RunError;

/// Openings of the games that the old version plays against itself.
const BOOK: &str = "builtin:balanced";
/// Positions that are taken from such a game.
const OF_A_GAME: usize = 10;
/// The share of the nodes of a question with which a move of such a game is chosen. The games only give positions.
const SHARE_OF_NODES: u64 = 20;

/// Two versions and the limit of their searches.
pub(super) struct Versions<'e> {
    engines: &'e [EngineSpec],
    limits: Limits,
    options: LaunchOptions,
    workers: NonZeroUsize,
}

impl<'e> Versions<'e> {
    pub(super) fn new(engines: &'e [EngineSpec], limits: Limits, run: &RunOptions) -> anyhow::Result<Self> {
        let options = Session::open(run)?.pool.launch_options;
        Ok(Self { engines, limits, options, workers: run.workers() })
    }

    /// Positions of games that the old version plays against itself from built-in openings.
    pub(super) fn walk(&self, count: NonZeroUsize) -> anyhow::Result<Vec<GamePosition>> {
        let selection =
            OpeningSelection { order: "random:1".parse()?, start: NonZeroUsize::MIN, most: count.get() };
        let openings = games::openings(Path::new(BOOK), selection, None)?;
        let nodes = self.limits.nodes.map_or(1, |nodes| (nodes / SHARE_OF_NODES).max(1));
        let bar = progress::bar(count.get() as u64, "positions of games");
        let (mut found, mut rest): (Vec<GamePosition>, &[Opening]) = (Vec::new(), &openings);
        // Some games end early, so that others follow.
        while found.len() < count.get() && !rest.is_empty() {
            let games = (count.get() - found.len()).div_ceil(OF_A_GAME).min(rest.len());
            let (now, later) = rest.split_at(games);
            rest = later;
            let start = || self.start(&self.engines[1]);
            let positions = self.in_parallel(now, start, |player, opening| {
                let positions = self.game(&mut **player, opening.history.clone(), Limits::nodes(nodes))?;
                bar.inc(positions.len() as u64);
                Ok(positions)
            })?;
            found.extend(positions.into_iter().flatten());
        }
        bar.finish_and_clear();
        found.truncate(count.get());
        Ok(found)
    }

    /// The positions of one game, [`APART`] moves from one another.
    fn game(
        &self,
        player: &mut dyn Player,
        mut position: GamePosition,
        limits: Limits,
    ) -> Result<Vec<GamePosition>, RunError> {
        let spec = &self.engines[1];
        player.new_game().map_err(|fault| failed(spec, fault))?;
        let mut found = Vec::new();
        for ply in 0..OF_A_GAME * APART {
            // A game that is over has no further position, and one with an illegal move neither.
            let Some(referee) = Referee::new(&position).ok().filter(|referee| referee.ending().is_none())
            else {
                break;
            };
            if ply.is_multiple_of(APART) {
                found.push(position.clone());
            }
            let question = Question { position: position.clone(), limits, searchmoves: Vec::new() };
            let answer = player.answer(&question).map_err(|fault| failed(spec, fault))?;
            let Some(best) = answer.best.filter(|&best| referee.legal(best).is_ok()) else { break };
            position.moves.push(best);
        }
        Ok(found)
    }

    /// The answers of both versions in these positions.
    pub(super) fn ask(&self, positions: &[GamePosition]) -> anyhow::Result<Vec<AskedPosition>> {
        let bar = progress::bar(positions.len() as u64, "positions");
        let start = || Ok([self.start(&self.engines[0])?, self.start(&self.engines[1])?]);
        let asked = self.in_parallel(positions, start, |players, position| {
            let [new, old] = players;
            let answers = [
                self.answer(&mut **new, &self.engines[0], position)?,
                self.answer(&mut **old, &self.engines[1], position)?,
            ];
            bar.inc(1);
            Ok(AskedPosition { position: position.clone(), answers })
        });
        bar.finish_and_clear();
        asked
    }

    fn answer(
        &self,
        player: &mut dyn Player,
        spec: &EngineSpec,
        position: &GamePosition,
    ) -> Result<SearchAnswer, RunError> {
        let question = Question { position: position.clone(), limits: self.limits, searchmoves: Vec::new() };
        // A new game, so that the answer depends on nothing that was asked before.
        let answer =
            player.new_game().and_then(|()| player.check(position)).and_then(|()| player.answer(&question));
        answer.map(|answer| search_answer(&answer)).map_err(|fault| failed(spec, fault))
    }

    fn start(&self, spec: &EngineSpec) -> Result<Box<dyn Player>, RunError> {
        launch(spec, &self.options).map_err(|fault| failed(spec, fault))
    }

    /// Does each item once, on several threads with players of their own; the results have the order of the items.
    fn in_parallel<I: Sync, P, R: Send>(
        &self,
        items: &[I],
        start: impl Fn() -> Result<P, RunError> + Sync,
        each: impl Fn(&mut P, &I) -> Result<R, RunError> + Sync,
    ) -> anyhow::Result<Vec<R>> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut players = start()?;
            let mut done = Vec::new();
            while let Some((index, item)) = take(&next, items) {
                match each(&mut players, item) {
                    Ok(result) => done.push((index, result)),
                    Err(error) => {
                        // The other threads end after their present item.
                        next.store(items.len(), Ordering::Relaxed);
                        return Err(error);
                    }
                }
            }
            Ok(done)
        };
        let workers = self.workers.get().min(items.len());
        let ended: Vec<Result<Vec<(usize, R)>, RunError>> = thread::scope(|scope| {
            let threads: Vec<_> = iter::repeat_with(|| scope.spawn(work)).take(workers).collect();
            threads.into_iter().map(|thread| thread.join().expect("a worker fails only by a bug")).collect()
        });
        let mut done: Vec<(usize, R)> =
            ended.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
        done.sort_by_key(|(index, _)| *index);
        Ok(done.into_iter().map(|(_, result)| result).collect())
    }
}

fn take<'i, I>(next: &AtomicUsize, items: &'i [I]) -> Option<(usize, &'i I)> {
    // The threads share nothing else through this counter, so relaxed ordering is enough.
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, items.get(index)?))
}

fn search_answer(answer: &Answer) -> SearchAnswer {
    let info = answer.final_info();
    SearchAnswer {
        best: answer.best,
        score: info.map(|info| info.score),
        depth: info.map_or(Ply(0), |info| info.depth),
        nodes: answer.nodes,
        pv: info.map(|info| info.pv.clone()).unwrap_or_default(),
    }
}

fn failed(spec: &EngineSpec, fault: EngineFault) -> RunError {
    RunError::Engine { engine: spec.name.clone(), spec: spec.text.as_str().into(), fault, log: None }
}
