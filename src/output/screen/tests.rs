//! The screen of a run at several sizes, with games, cases and keys.

use std::num::NonZeroU32;
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color as Ink;
use shakmaty::Color;

use super::draw::{Theme, draw};
use super::keys::Key;
use super::model::{Model, Request};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, Ply, Score};
use threefold_games::game::{GameEnd, GameOutcome, GameRecord};
use threefold_games::opening::Opening;
use threefold_player::SuspendableClock;
use threefold_run::event::RunEvent;
use threefold_run::live::{LiveGame, LiveJob, LiveMove, LiveTask};
use threefold_run::run_control::JobFlow;
use threefold_run::scheduler::PartExtent;
use threefold_run::{JobKey, JobResult, MatchTask, Part, Purpose, RunSpec, Scheduler, Task, WorkerId};
use threefold_stats::{EloModel, GameResult, Overshoot, Risks, Sprt, SprtConfig, TrialUnit};

/// A match or a test of engines with these names.
fn task(engines: &[&str], pairs: usize, purpose: Purpose) -> MatchTask {
    let engines = engines.iter().map(|name| format!("echo,name={name}").parse().expect("a spec"));
    MatchTask { purpose, ..MatchTask::new(engines.collect(), vec![Opening::start_position()], pairs) }
}

fn sprt() -> Purpose {
    let sprt = Sprt::new(EloModel::Normalized, 0.0, 60.0, Risks::USUAL).expect("a sound test");
    let config = SprtConfig::new(sprt, TrialUnit::Pairs, NonZeroU32::MIN, Overshoot::Ignore);
    Purpose::Test(config.expect("a sound test").into())
}

/// A run with its model, under a clock that is set by hand.
struct TestRun {
    model: Model,
    task: MatchTask,
    scheduler: Scheduler,
    begun: std::time::Instant,
    now: Duration,
    ended: usize,
}

impl TestRun {
    fn new(task: MatchTask, workers: usize) -> Self {
        let begun = SuspendableClock::default().now();
        let spec = RunSpec {
            title: "New – Base".to_owned(),
            parts: vec![Part::without_labels("sprt".to_owned(), Task::Match(task.clone()))],
            ..RunSpec::default()
        };
        let scheduler = Scheduler::new([PartExtent { budget: task.budget, ..task.extent() }]);
        let mut model = Model::new(workers, begun);
        model.begin(&spec, "runs/sprt-1.sqlite");
        let parts: Vec<_> = scheduler.parts().collect();
        model.take(&RunEvent::Opened { spec: &spec, parts: &parts, offers: &[] });
        drop(parts);
        Self { model, task, scheduler, begun, now: Duration::ZERO, ended: 0 }
    }

    /// Games end one after another, each after this time, on workers in turn. The results are those of the
    /// first engine; `f` is a loss on time.
    fn play(&mut self, results: &str, each: Duration) {
        for result in results.chars() {
            let job = self.ended;
            let key = JobKey { part: 0, job };
            self.model.take(&RunEvent::JobStarted { key });
            self.now += each;
            self.advance(Vec::new(), JobFlow::Running);
            let (outcome, points) = match (result, job % 2) {
                ('w', 0) => (GameOutcome::White, GameResult::Win),
                ('w', _) => (GameOutcome::Black, GameResult::Win),
                ('d', _) => (GameOutcome::Draw, GameResult::Draw),
                (_, 0) => (GameOutcome::Black, GameResult::Loss),
                _ => (GameOutcome::White, GameResult::Loss),
            };
            let end = match result {
                'f' => GameEnd::TimeForfeit {
                    over: Duration::from_millis(35),
                    margin: Duration::ZERO,
                    delays: None,
                },
                _ => GameEnd::Checkmate,
            };
            let played = self.task.schedule().game(job).expect("scheduled");
            let players = [played.white, played.black].map(|engine| self.task.engines[engine].name.clone());
            // Equal games count once.
            let opening = GamePosition::parse(&format!("4k3/8/8/8/8/8/8/4K2R w - - 0 {}", job + 1), "");
            let game = GameRecord::new(players, opening.expect("a position"), outcome, end);
            self.scheduler.record(key, Some(points).into());
            let progress = self.scheduler.progress(0).expect("there is one part");
            let worker = WorkerId(job % self.model.workers.len());
            let result = JobResult::Game(game);
            self.model.take(&RunEvent::JobEnded { key, worker, result: &result, progress: &progress });
            self.ended += 1;
        }
    }

    fn advance(&mut self, jobs: Vec<Option<LiveJob>>, flow: JobFlow) {
        self.model.advance(self.begun + self.now, jobs, flow);
    }

    /// Games in progress, one for each number of plies; `None` for a worker without one.
    fn show_games(&mut self, plies: &[Option<usize>], flow: JobFlow) {
        let games = plies.iter().enumerate();
        let jobs = games.map(|(worker, plies)| plies.map(|plies| self.game(self.ended + worker, plies)));
        let jobs = jobs.collect();
        self.advance(jobs, flow);
    }

    /// A game after some plies, on clocks.
    fn game(&self, job: usize, plies: usize) -> LiveJob {
        const LINE: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f6e4 d2d4 b7b5";
        let moves = LINE.split(' ').take(plies).enumerate().map(|(ply, mv)| LiveMove {
            mv: mv.parse().expect("a move"),
            score: Some(Score::Cp(Centipawns(12 + i32::try_from(ply).expect("few")))),
            depth: Ply(14 + ply as u16),
            used: Some(Duration::from_millis(310 + ply as u64)),
        });
        let now = self.begun + self.now;
        let side = if plies.is_multiple_of(2) { Color::White } else { Color::Black };
        let names = if job.is_multiple_of(2) { ["New", "Base"] } else { ["Base", "New"] };
        LiveJob {
            key: JobKey { part: 0, job },
            begun: now.checked_sub(Duration::from_secs(plies as u64)).unwrap_or(now),
            position: GamePosition::start_position(),
            task: LiveTask::Game(LiveGame {
                players: names.map(str::to_owned),
                has_wall_clock: [true; 2],
                moves: moves.collect(),
                left: [Some(Duration::from_millis(62_300)), Some(Duration::from_millis(58_100))],
                thinks: now.checked_sub(Duration::from_millis(700)).map(|since| (side, since)),
            }),
        }
    }

    /// The screen as text.
    fn screen(&self, width: u16, height: u16) -> String {
        self.drawn(Theme::Plain, width, height).backend().to_string()
    }

    fn drawn(&self, theme: Theme, width: u16, height: u16) -> Terminal<TestBackend> {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("memory");
        terminal.draw(|frame| draw(&self.model, theme, frame.area(), frame.buffer_mut())).expect("memory");
        terminal
    }
}

/// A test in progress on three workers, one of which is idle.
fn running_test() -> TestRun {
    let mut run = TestRun::new(task(&["New", "Base"], 2000, sprt()), 3);
    run.play("wdlddwldwdldfwwd", Duration::from_secs(5));
    run.show_games(&[Some(12), Some(5), None], JobFlow::Running);
    run
}

#[test]
fn running_test_at_80_columns() {
    insta::assert_snapshot!(running_test().screen(80, 24));
}

#[test]
fn running_test_at_132_columns() {
    insta::assert_snapshot!(running_test().screen(132, 40));
}

#[test]
fn keys_at_the_bottom_fit_80_columns() {
    let mut run = running_test();
    for flow in [JobFlow::Running, JobFlow::Paused, JobFlow::Ending] {
        for _ in 0..3 {
            run.show_games(&[Some(1)], flow);
            run.model.press(Key::NextPanel);
            let screen = run.screen(80, 24);
            assert!(
                screen.trim_end().ends_with("Ctrl-C stop\"") || screen.contains("Ctrl-C stop "),
                "{screen}"
            );
        }
    }
}

#[test]
fn game_alone() {
    let mut run = running_test();
    run.model.press(Key::Details);
    insta::assert_snapshot!(run.screen(80, 24));
}

#[test]
fn list_of_keys() {
    let mut run = running_test();
    run.model.press(Key::Help);
    insta::assert_snapshot!(run.screen(80, 24));
}

#[test]
fn workers_and_messages_of_a_paused_run() {
    let mut run = running_test();
    run.model.notice("warning: New: no-score: The engine moves without having reported a score; game 3");
    run.show_games(&[None, Some(7), None], JobFlow::Paused);
    run.model.press(Key::NextPanel);
    let workers = run.screen(80, 24);
    run.model.press(Key::NextPanel);
    insta::assert_snapshot!(format!("{workers}\n{}", run.screen(80, 24)));
}

#[test]
fn tournament_has_its_points() {
    let mut run = TestRun::new(task(&["Alpha", "Beta", "Gamma"], 4, Purpose::Match), 2);
    run.play("wdlwdl", Duration::from_secs(5));
    run.show_games(&[Some(3), Some(4)], JobFlow::Ending);
    insta::assert_snapshot!(run.screen(80, 24));
}

#[test]
fn eight_games_are_shown_page_by_page() {
    let mut run = running_test();
    run.show_games(&[Some(1); 8], JobFlow::Running);
    let first = run.screen(80, 24);
    assert!(first.contains("1 to 4 of 8") && first.contains("[game 17]"), "{first}");
    for _ in 0..5 {
        run.model.press(Key::Next);
    }
    let second = run.screen(80, 24);
    assert!(second.contains("5 to 8 of 8") && second.contains("[game 22]"), "{second}");
    assert!(run.screen(132, 40).contains("1 to 6 of 8"), "wide screens have room for more");
    assert!(!run.screen(200, 60).contains(" of 8"), "large screens have room for all");
}

#[test]
fn small_window_says_so() {
    let run = running_test();
    let one = run.screen(79, 24);
    assert!(one.contains("This window has 79 x 24 characters; the screen needs 80 x 24."), "{one}");
    for (width, height) in [(80, 23), (20, 5), (3, 1), (1, 1)] {
        assert!(!run.screen(width, height).contains("LLR"), "{width} x {height}");
    }
}

#[test]
fn every_size_and_state_can_be_drawn() {
    let new = || TestRun::new(task(&["New", "Base"], 2000, sprt()), 3);
    for run in [new(), running_test()] {
        for (width, height) in [(80, 24), (81, 25), (119, 36), (120, 24), (132, 40), (300, 100)] {
            let screen = run.screen(width, height);
            assert!(screen.contains("New – Base"), "{width} x {height}:\n{screen}");
        }
    }
}

#[test]
fn plain_theme_has_no_colours() {
    let mut run = running_test();
    run.show_games(&[Some(2), None, None], JobFlow::Paused);
    let colours = |theme| {
        let terminal = run.drawn(theme, 132, 40);
        terminal.backend().buffer().content().iter().filter(|cell| cell.fg != Ink::Reset).count()
    };
    assert_eq!(colours(Theme::Plain), 0);
    assert!(colours(Theme::Coloured) > 10);
}

#[test]
fn colours_change_no_text() {
    let run = running_test();
    let text = |theme| run.drawn(theme, 132, 40).backend().to_string();
    assert_eq!(text(Theme::Plain), text(Theme::Coloured));
}

#[test]
fn keys_pause_the_run_and_end_it() {
    let mut run = running_test();
    let mut asked = |flow, key| {
        run.show_games(&[Some(1)], flow);
        run.model.press(key)
    };
    for (flow, key, request) in [
        (JobFlow::Running, Key::Pause, JobFlow::Paused),
        (JobFlow::Paused, Key::Pause, JobFlow::Running),
        (JobFlow::Running, Key::Finish, JobFlow::Ending),
        (JobFlow::Paused, Key::Finish, JobFlow::Ending),
        (JobFlow::Ending, Key::Finish, JobFlow::Running),
        (JobFlow::Ending, Key::Pause, JobFlow::Paused),
    ] {
        assert_eq!(asked(flow, key), Some(Request::Flow(request)), "{key:?} while {flow:?}");
    }
    assert_eq!(asked(JobFlow::Running, Key::Interrupt), Some(Request::Interrupt));
    assert_eq!(asked(JobFlow::Running, Key::NextPanel), None);
}

#[test]
fn closed_screen_leaves_notices_and_a_line_for_each_part() {
    let mut run = running_test();
    run.model.notice("warning: one");
    let lines = run.model.closing_lines();
    assert_eq!(lines.len(), 2, "{lines:#?}");
    assert_eq!(lines[0], "warning: one");
    assert!(lines[1].starts_with("sprt                 16/4000 W-D-L "), "{}", lines[1]);
}
