//! One worker: it keeps players between jobs, and does one job at a time.
//!
//! Players are hired once and told `ucinewgame` between jobs. One that faulted, or whose spec says `restart`,
//! is let go, and its place is taken by a fresh one. One that can't be started, though it could before the first job, is
//! tried again, and then the job comes to a fault. Only players of the part in hand are kept: hash tables
//! of engines that won't be asked again are memory for nothing.

use std::num::NonZeroU32;
use std::sync::Arc;

use shakmaty::{CastlingMode, Color};

use super::load::under_load;
use super::{Crew, Hire, WorkError};
use crate::arena::game::{self, End, GameRecord, Outcome, Unplayed};
use crate::player::{EngineSpec, Fault, FaultTraffic, Hiring, Introduction, Player, SpecKey, Traffic};
use crate::suite::{CaseCard, CaseRecord, Chair, Mark, SkipCause, Timing, Verdict, conduct};
use crate::work::agenda::{Agenda, OrderError};
use crate::work::job::{Finding, JobKey, MatchTask, SuiteTask, Task};
use crate::work::plan::Plan;
use threefold_chess::clock::{ClockSource, Control, duration};
use threefold_oracle::Tables;

/// What a job came to.
pub(super) struct Done {
    pub(super) finding: Finding,
    /// The last traffic of the engine whose fault ended it.
    pub(super) traffic: Option<FaultTraffic>,
}

/// Why a job has no finding.
pub(super) enum Halt {
    /// The run was called off.
    Interrupted,
    /// The work can't go on.
    Trouble(WorkError),
}

/// Why there is no player for a job.
enum Vacant {
    /// The engine could not be started, which is its fault in this job.
    Unstarted(Fault, Box<Traffic>),
    /// The engine lacks an option, or a value of it.
    Unfit(Fault, Box<Traffic>),
    /// The run was called off.
    Interrupted,
}

/// How often an engine is started in the middle of a run before that is a fault.
const STARTS: NonZeroU32 = NonZeroU32::new(3).expect("it is not 0");

/// A player with what it was hired for.
struct Seat {
    /// The engine of the order, and what it is set to beside.
    spec: EngineSpec,
    chair: Chair,
    pace: ClockSource,
    player: Box<dyn Player>,
    traffic: Traffic,
}

pub(super) struct Clerk<'c> {
    agenda: &'c Agenda,
    tables: &'c Arc<Tables>,
    hire: &'c Hire<'c>,
    hiring: Hiring,
    bench: Vec<Seat>,
}

impl<'c> Clerk<'c> {
    pub(super) fn new(
        agenda: &'c Agenda,
        tables: &'c Arc<Tables>,
        hire: &'c Hire<'c>,
        hiring: Hiring,
    ) -> Self {
        let hiring = Hiring { starts: STARTS, traffic: hiring.traffic.for_worker(), ..hiring };
        Self { agenda, tables, hire, hiring, bench: Vec::new() }
    }

    /// Does a job.
    pub(super) fn perform(&mut self, key: JobKey) -> Result<Done, Halt> {
        let agenda = self.agenda;
        let part = &agenda.order().parts[key.part];
        self.bench.retain(|seat| part.task.engines().contains(&seat.spec));
        match &part.task {
            Task::Suite(task) => {
                let entry = &agenda.suite(key.part).expect("a suite's part has its suite").entries[key.job];
                self.hiring.traffic.begin_job(&format!("{}, {}", part.name, entry.card.id));
                self.ask(key, task)
            }
            Task::Match(games) => {
                self.hiring.traffic.begin_job(&format!("{}, game {}", part.name, key.job + 1));
                self.play(key, games)
            }
        }
    }

    fn ask(&mut self, key: JobKey, task: &SuiteTask) -> Result<Done, Halt> {
        let suite = self.agenda.suite(key.part).expect("a suite's part has its suite");
        let entry = &suite.entries[key.job];
        let done = |verdict: Verdict, traffic: Option<&Traffic>| {
            let traffic = traffic.map(|traffic| traffic.fault(&verdict.reason()));
            let finding = Finding::Case(record(&entry.card, &task.engine.name, verdict));
            Ok(Done { finding, traffic })
        };
        let pace = entry.card.pace;
        // Cases under other clocks are done: their players' hash tables would only add up.
        self.bench.retain(|seat| seat.pace == pace);
        let chairs = &entry.card.chairs;
        // What the engine's own spec says comes first.
        let control = task
            .engine
            .control
            .or(Control { margin: suite.timemargin.unwrap_or(Timing::TOLERANCE), ..Control::default() });
        let timing = Timing { pace, tolerance: control.margin };
        let seats: Result<Vec<Seat>, Vacant> =
            chairs.iter().map(|chair| self.seat(&task.engine, chair, pace, &control)).collect();
        let is_set = chairs.iter().any(|chair| !chair.is_empty());
        let seats = match seats {
            Ok(seats) => seats,
            Err(Vacant::Unfit(fault, _))
                if matches!(fault, Fault::Lacks(_)) || (is_set && matches!(fault, Fault::Option(_))) =>
            {
                let what = match fault {
                    Fault::Lacks(what) => what,
                    fault => fault.to_string(),
                };
                return done(Verdict::unanswered(SkipCause::NotSupported, what), None);
            }
            Err(Vacant::Unstarted(fault, traffic)) => return done(Verdict::of_fault(&fault), Some(&traffic)),
            Err(Vacant::Unfit(fault, traffic)) => {
                return Err(Halt::Trouble(unfit(&task.engine, fault, &traffic)));
            }
            Err(Vacant::Interrupted) => return Err(Halt::Interrupted),
        };
        let seats = seats.into_iter().map(|Seat { player, traffic, .. }| (player, traffic));
        let (mut players, traffic): (Vec<_>, Vec<_>) = seats.unzip();
        let mut case = entry.begin(&suite.limits, self.tables);
        let verdict = under_load(entry.card.load, || conduct(&mut *case, &mut players, timing));
        let verdict = verdict.map_err(|_| Halt::Interrupted)?;
        if verdict.mark() == Mark::Fault {
            self.check_called_off()?;
            // Whoever spoke last is at fault.
            return done(verdict, traffic.iter().max_by_key(|traffic| traffic.latest()));
        }
        for ((player, chair), traffic) in players.into_iter().zip(chairs).zip(traffic) {
            self.keep(Seat { spec: task.engine.clone(), chair: chair.clone(), pace, player, traffic });
        }
        done(verdict, None)
    }

    fn play(&mut self, key: JobKey, games: &MatchTask) -> Result<Done, Halt> {
        let fixture = games.schedule().fixture(key.job).expect("the plan asks for games of the schedule");
        let terms = games.terms(&fixture);
        let opening = &games.openings[fixture.opening].line;
        let specs = [&games.engines[fixture.white], &games.engines[fixture.black]];
        let mut seats = Vec::new();
        for (side, color) in Color::ALL.into_iter().enumerate() {
            match self.seat(specs[side], &Chair::new(), terms.paces[side], &terms.controls[side]) {
                Ok(seat) => seats.push(seat),
                Err(Vacant::Unstarted(fault, traffic)) => {
                    for seat in seats {
                        self.keep(seat);
                    }
                    let names = specs.map(|spec| spec.name.clone());
                    let game = GameRecord::unstarted(names, opening.clone(), color, &fault);
                    let traffic = Some(traffic.fault(&fault.to_string()));
                    return Ok(Done { finding: Finding::Game(game), traffic });
                }
                Err(Vacant::Unfit(fault, traffic)) => {
                    return Err(Halt::Trouble(unfit(specs[side], fault, &traffic)));
                }
                Err(Vacant::Interrupted) => return Err(Halt::Interrupted),
            }
        }
        let (mut black, mut white) = (seats.pop().expect("two"), seats.pop().expect("two"));
        let record =
            game::play(opening, [&mut *white.player, &mut *black.player], &terms).map_err(|unplayed| {
                match unplayed {
                    Unplayed::Interrupted => Halt::Interrupted,
                    Unplayed::Unfit { color, fault } => {
                        let spec = color.fold_wb(specs[0], specs[1]);
                        Halt::Trouble(unfit(spec, fault, color.fold_wb(&white.traffic, &black.traffic)))
                    }
                    Unplayed::Opening(_) => {
                        let part = self.agenda.order().parts[key.part].name.clone();
                        let what = unplayed.to_string();
                        Halt::Trouble(OrderError::Match { part, what }.into())
                    }
                }
            })?;
        let traffic = if let Some(what) = fault_text(&record.end) {
            // Whoever broke off may be gone, or still thinking about this game.
            self.check_called_off()?;
            let loser = if record.outcome == Outcome::White { &black } else { &white };
            Some(loser.traffic.fault(&what))
        } else {
            self.keep(white);
            self.keep(black);
            None
        };
        Ok(Done { finding: Finding::Game(record), traffic })
    }

    /// A player for this spec, set as the chair says: one from the bench, or a new one.
    fn seat(
        &mut self,
        spec: &EngineSpec,
        chair: &Chair,
        pace: ClockSource,
        control: &Control,
    ) -> Result<Seat, Vacant> {
        let fits = |seat: &Seat| seat.spec == *spec && seat.chair == *chair && seat.pace == pace;
        if let Some(index) = self.bench.iter().position(fits) {
            return Ok(self.bench.swap_remove(index));
        }
        let settings: Vec<(SpecKey, &str)> =
            chair.iter().map(|(option, value)| (option.as_str().into(), value.as_str())).collect();
        let traffic = self.hiring.traffic.for_engine(&spec.name);
        let set = spec
            .with(&settings)
            .map_err(|error| Vacant::Unfit(Fault::Option(error.to_string()), Box::new(traffic.clone())))?;
        match (self.hire)(&set, &conditions(&self.hiring, pace, control, &traffic)) {
            Ok(player) => Ok(Seat { spec: spec.clone(), chair: chair.clone(), pace, player, traffic }),
            Err(Fault::Interrupted) => Err(Vacant::Interrupted),
            Err(_) if self.hiring.stop.is_raised() => Err(Vacant::Interrupted),
            Err(fault @ (Fault::Option(_) | Fault::Lacks(_))) => Err(Vacant::Unfit(fault, Box::new(traffic))),
            Err(fault) => Err(Vacant::Unstarted(fault, Box::new(traffic))),
        }
    }

    fn keep(&mut self, seat: Seat) {
        if !seat.spec.restart {
            self.bench.push(seat);
        }
    }

    /// An engine that fails after the run was called off may have been ended by what called it off, such as
    /// Ctrl-C in a terminal, which reaches every process there.
    fn check_called_off(&self) -> Result<(), Halt> {
        if self.hiring.stop.is_raised() { Err(Halt::Interrupted) } else { Ok(()) }
    }
}

fn record(card: &CaseCard, engine: &str, verdict: Verdict) -> CaseRecord {
    let CaseCard { suite, id, class, accepted, note, line, pace: _, chairs: _, load: _ } = card.clone();
    CaseRecord { suite, id, class, engine: engine.to_owned(), accepted, note, line, verdict }
}

/// Hires every engine that is still needed once, so that a wrong path or option ends the run before its
/// first job and not in its middle; what each says of itself.
pub(super) fn preflight(
    agenda: &Agenda,
    plan: &Plan,
    crew: &Crew<'_>,
) -> Result<Vec<(EngineSpec, Introduction)>, WorkError> {
    let mut introduced: Vec<(EngineSpec, Introduction)> = Vec::new();
    let mut seen: Vec<(&EngineSpec, ClockSource)> = Vec::new();
    let parts = agenda.order().parts.iter().zip(plan.parts()).enumerate();
    for (number, (part, _)) in parts.filter(|(_, (_, progress))| progress.ending.is_none()) {
        for (spec, pace) in hired(agenda, number, &part.task) {
            if crew.hiring.stop.is_raised() {
                return Ok(introduced);
            }
            if !seen.contains(&(spec, pace)) {
                seen.push((spec, pace));
                let traffic = crew.hiring.traffic.for_engine(&spec.name);
                let hired = (crew.hire)(spec, &conditions(&crew.hiring, pace, &spec.control, &traffic));
                let checked =
                    hired.and_then(|mut player| check_openings(&part.task, &mut *player).map(|()| player));
                match checked {
                    Ok(player) => {
                        if !introduced.iter().any(|(known, _)| known == spec) {
                            introduced.push((spec.clone(), player.introduction()));
                        }
                    }
                    Err(Fault::Interrupted) => {}
                    // Its cases are skipped, one by one.
                    Err(Fault::Lacks(_)) if matches!(part.task, Task::Suite(_)) => {}
                    Err(_) if crew.hiring.stop.is_raised() => {}
                    Err(fault) => return Err(unfit(spec, fault, &traffic)),
                }
            }
        }
    }
    Ok(introduced)
}

/// Can an engine play every opening of a match? What a case of a suite needs is found case by case.
fn check_openings(task: &Task, player: &mut dyn Player) -> Result<(), Fault> {
    let Task::Match(games) = task else { return Ok(()) };
    let schedule = games.schedule();
    let rounds = games.pairs.div_ceil(schedule.meetings().max(1));
    let unlike = games
        .openings
        .iter()
        .take(rounds)
        .filter(|opening| CastlingMode::detect(opening.line.start.as_setup()).is_chess960());
    unlike.take(1).try_for_each(|opening| player.check(&opening.line))
}

/// Who is hired for a part's jobs, under which clocks.
fn hired<'t>(agenda: &Agenda, part: usize, task: &'t Task) -> Vec<(&'t EngineSpec, ClockSource)> {
    match task {
        Task::Match(games) => {
            games.engines.iter().enumerate().map(|(at, spec)| (spec, games.pace(at))).collect()
        }
        Task::Suite(SuiteTask { engine, .. }) => {
            let suites = agenda.suite(part).into_iter();
            suites.flat_map(|suite| &suite.entries).map(|entry| (engine, entry.card.pace)).collect()
        }
    }
}

/// The margin that a match grants comes on top of the grace.
fn conditions(hiring: &Hiring, pace: ClockSource, control: &Control, traffic: &Traffic) -> Hiring {
    let (grace, traffic) = (hiring.grace + control.margin, traffic.clone());
    Hiring { pace, grace, traffic, ..hiring.clone() }
}

fn unfit(spec: &EngineSpec, fault: Fault, traffic: &Traffic) -> WorkError {
    let log = traffic.fault(&fault.to_string()).log.map(Box::new);
    WorkError::Engine { engine: spec.name.clone(), spec: spec.text.as_str().into(), fault, log }
}

/// The fault that ended a game, for the log; `None` where it ended as games do.
fn fault_text(end: &End) -> Option<String> {
    match end {
        End::TimeForfeit { over, .. } => Some(format!("lost on time by {}", duration::text(*over))),
        End::IllegalMove(mv) => Some(format!("illegal move `{mv}`")),
        End::EngineFault(fault) => Some(fault.detail.clone()),
        End::Checkmate
        | End::Stalemate
        | End::Threefold
        | End::FiftyMoves
        | End::InsufficientMaterial
        | End::Adjudicated(_) => None,
    }
}
