//! A command line of fastchess or cutechess-cli in the words of `threefold match` or `threefold sprt`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Context;

use super::settings::{Form, Settings};
use crate::peer::Peer;
use threefold_games::cutechess_order::CutechessOrder;
use threefold_games::pairing::{Encounter, Schedule, ScheduleRules, TournamentFormat};
use threefold_player::EngineSpec;

/// The games of a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Games {
    /// Games of an encounter: 1 or 2.
    pub(super) per_encounter: usize,
    /// Rounds, each of one encounter of every pairing.
    pub(super) rounds: usize,
    /// The order of cutechess-cli.
    pub(super) order: Option<CutechessOrder>,
}

impl Games {
    /// The schedule of this number of players, with the usual colours and openings without end.
    pub(super) fn schedule(self, settings: &Settings, players: usize) -> Schedule {
        let encounter = if self.per_encounter == 1 { Encounter::Single } else { Encounter::Pair };
        let rules = ScheduleRules {
            encounter,
            seeds: settings.seeds,
            cutechess: self.order,
            ..ScheduleRules::default()
        };
        let round = Schedule { players, format: settings.format, pairs: 0, openings: usize::MAX, rules };
        Schedule { pairs: self.rounds.saturating_mul(round.pairings()), ..round }
    }
}

/// The files that are written besides the journal.
#[derive(Debug, Clone, Default)]
pub(super) struct OutputFiles {
    pub(super) pgn: Option<PathBuf>,
    pub(super) epd: Option<PathBuf>,
}

/// Rounds of a test without `-rounds`.
const TEST_ROUNDS: usize = 500_000;

/// The games of a command line with this number of engines. Of more than two games in a round, fastchess exchanges games and
/// rounds; cutechess-cli plays them all in a row.
pub(super) fn games(peer: Peer, settings: &Settings, players: usize) -> anyhow::Result<Games> {
    let default = match peer {
        _ if settings.sprt.is_some() => TEST_ROUNDS,
        Peer::Fastchess => 2,
        Peer::Cutechess => 1,
    };
    let is_knockout = settings.format == TournamentFormat::Knockout;
    anyhow::ensure!(
        !is_knockout || settings.sprt.is_none(),
        "Error: -sprt: a knockout tournament has no sequential test; leave -tournament knockout out"
    );
    anyhow::ensure!(
        !is_knockout || settings.rounds.is_none(),
        "Error: -rounds: the number of engines decides the rounds of a knockout; give the games of an encounter by -games"
    );
    let (games, rounds) = (settings.games, settings.rounds.unwrap_or(default));
    let games = match peer {
        Peer::Fastchess if games > 2 => Games { per_encounter: rounds, rounds: games, order: None },
        Peer::Fastchess => Games { per_encounter: games, rounds, order: None },
        Peer::Cutechess if is_knockout => {
            let per_encounter = settings.repetitions.get();
            Games { per_encounter, rounds: games.div_ceil(per_encounter.max(1)), order: None }
        }
        Peer::Cutechess => {
            let per_round = NonZeroUsize::new(games).context("Error: -games must be at least 1")?;
            let order = CutechessOrder {
                games: per_round,
                repetitions: settings.repetitions,
                policy: settings.policy,
            };
            let all = games.saturating_mul(rounds);
            let per_encounter = if order.is_in_pairs(players, all) { 2 } else { 1 };
            Games { per_encounter, rounds: all / per_encounter, order: Some(order) }
        }
    };
    anyhow::ensure!(
        matches!(games.per_encounter, 1 | 2) && games.rounds > 0,
        "Error: -games must be 1 or 2, and -rounds at least 1"
    );
    Ok(games)
}

/// The number of jobs at a time: the number given, or all cores but that number.
fn jobs(settings: &Settings, cores: NonZeroUsize) -> anyhow::Result<NonZeroUsize> {
    let given = settings.concurrency;
    let magnitude = usize::try_from(given.unsigned_abs()).unwrap_or(usize::MAX);
    if given <= 0 {
        return Ok(NonZeroUsize::new(cores.get().saturating_sub(magnitude)).unwrap_or(NonZeroUsize::MIN));
    }
    anyhow::ensure!(
        magnitude <= cores.get() || settings.forces_concurrency,
        "Error: -concurrency {given} is more than the {cores} CPUs; give -force-concurrency to use it"
    );
    Ok(NonZeroUsize::new(magnitude).unwrap_or(NonZeroUsize::MIN))
}

/// The words.
pub(super) fn words(
    settings: &Settings,
    engines: &[EngineSpec],
    games: Games,
    cores: NonZeroUsize,
    files: &OutputFiles,
) -> anyhow::Result<Vec<String>> {
    let format = settings.format;
    let is_gauntlet = format == TournamentFormat::Gauntlet;
    let all = games.per_encounter.saturating_mul(games.schedule(settings, engines.len()).pairs);
    let mut words = vec!["threefold".to_owned()];
    let mut add = |key: &str, value: String| words.extend([key.to_owned(), value]);
    for engine in engines {
        add("--engine", engine.text.clone());
    }
    add("--games", all.to_string());
    add("--games-per-round", games.per_encounter.to_string());
    if let Some(file) = &files.pgn {
        add("--pgn", file.to_string_lossy().into_owned());
    }
    let mut fields: Vec<&str> = settings.pgn_fields.iter().map(String::as_str).collect();
    if settings.shows_latency && !fields.contains(&"latency") {
        fields.push("latency");
    }
    if files.pgn.is_some() || !fields.is_empty() {
        add("--pgn-fields", if fields.is_empty() { "none".to_owned() } else { fields.join(",") });
    }
    if let Some(file) = &files.epd {
        add("--epd-out", file.to_string_lossy().into_owned());
    }
    match &settings.sprt {
        None => {
            add("--tournament", format.to_string());
            add("--seeds", if is_gauntlet { settings.seeds } else { NonZeroUsize::MIN }.to_string());
        }
        Some(pairs) => {
            anyhow::ensure!(engines.len() == 2, "Error: -sprt takes two engines");
            for name in ["elo0", "elo1"] {
                let given = pairs.iter().rev().find(|(key, _)| key == name);
                let (_, value) = given.with_context(|| format!("Error: -sprt has no {name}="))?;
                add(&format!("--{name}"), value.clone());
            }
            for (key, value) in
                pairs.iter().filter(|(key, _)| !matches!(key.as_str(), "elo0" | "elo1" | "model"))
            {
                add(&format!("--{key}"), value.clone());
            }
            let model = pairs.iter().rev().find(|(key, _)| key == "model");
            let usual = if settings.form == Form::Cutechess { "logistic" } else { "normalized" };
            let model = model.map_or(usual, |(_, model)| model.as_str());
            add("--model", if model == "bayesian" { "bayeselo" } else { model }.to_owned());
            // fastchess decides by single games where it prints no pairs.
            let counts_games =
                !settings.reports_pairs || games.per_encounter == 1 || settings.form == Form::Cutechess;
            add("--counts", if counts_games { "games" } else { "pairs" }.to_owned());
        }
    }
    words.extend(run_words(settings, cores)?);
    if settings.appends() && (files.pgn.is_some() || files.epd.is_some()) {
        words.push("--append".to_owned());
    }
    if settings.prints_checksum && files.pgn.is_some() {
        words.push("--pgn-crc32".to_owned());
    }
    Ok(words)
}

/// The words that describe no game: jobs, waits, the log, and options of the same name.
pub(super) fn run_words(settings: &Settings, cores: NonZeroUsize) -> anyhow::Result<Vec<String>> {
    let (jobs, startup) = (jobs(settings, cores)?, settings.startup as f64 / 1000.0);
    let mut words: Vec<String> =
        ["--jobs", &jobs.to_string(), "--startup", &startup.to_string()].map(str::to_owned).into();
    words.extend(settings.log.words());
    words.push("--quiet".to_owned());
    words.extend(settings.native.iter().cloned());
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::super::settings::OutputFile;
    use super::*;
    use threefold_games::cutechess_order::OpeningPolicy;

    fn read(peer: Peer, line: &str) -> Settings {
        let line: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Settings::read(peer, &line).expect("understood")
    }

    fn order(games: usize, repetitions: usize, policy: OpeningPolicy) -> CutechessOrder {
        let [games, repetitions] =
            [games, repetitions].map(|number| NonZeroUsize::new(number).expect("not zero"));
        CutechessOrder { games, repetitions, policy }
    }

    #[test]
    fn games_are_those_of_each_program() {
        let table = [
            // program, line, games of an encounter, rounds, the order of cutechess-cli
            (Peer::Fastchess, "-rounds 9", 2, 9, None),
            (Peer::Fastchess, "-recover", 2, 2, None),
            (Peer::Fastchess, "-rounds 9 -games 1", 1, 9, None),
            (Peer::Fastchess, "-rounds 2 -games 50", 2, 50, None),
            (Peer::Fastchess, "-sprt elo0=0 elo1=2", 2, 500_000, None),
            (Peer::Cutechess, "-rounds 9", 1, 9, Some(order(1, 1, OpeningPolicy::Default))),
            (Peer::Cutechess, "-rounds 5 -games 2 -repeat", 2, 5, Some(order(2, 2, OpeningPolicy::Default))),
            (Peer::Cutechess, "-games 100 -repeat", 2, 50, Some(order(100, 2, OpeningPolicy::Default))),
            (Peer::Cutechess, "-games 3 -repeat", 1, 3, Some(order(3, 2, OpeningPolicy::Default))),
            (
                Peer::Cutechess,
                "-games 4 -rounds 2 -repeat 3 -openings file=b policy=encounter",
                2,
                4,
                Some(order(4, 3, OpeningPolicy::Encounter)),
            ),
            (Peer::Cutechess, "-tournament knockout -games 3", 1, 3, None),
            (Peer::Cutechess, "-tournament knockout -games 4 -repeat", 2, 2, None),
        ];
        for (peer, line, per_encounter, rounds, order) in table {
            assert_eq!(
                games(peer, &read(peer, line), 2).expect(line),
                Games { per_encounter, rounds, order },
                "{line}"
            );
        }
        for (line, message) in [
            ("-tournament knockout -rounds 2", "the number of engines decides the rounds"),
            ("-tournament knockout -sprt elo0=0 elo1=5", "a knockout tournament has no sequential test"),
        ] {
            let error = games(Peer::Cutechess, &read(Peer::Cutechess, line), 2).expect_err(line).to_string();
            assert!(error.contains(message), "{error}");
        }
        for line in ["-rounds 0", "-games 0", "-games 3 -rounds 5"] {
            let error = games(Peer::Fastchess, &read(Peer::Fastchess, line), 2).expect_err(line).to_string();
            assert!(error.contains("-games must be 1 or 2"), "{error}");
        }
    }

    #[test]
    fn concurrency_below_one_leaves_cores_free() {
        let jobs = |given: &str, cores| {
            let settings = read(Peer::Fastchess, &format!("-concurrency {given}"));
            jobs(&settings, NonZeroUsize::new(cores).expect("not zero")).map(NonZeroUsize::get)
        };
        for (given, number) in [("1", 1), ("8", 8), ("0", 8), ("-3", 5), ("-20", 1)] {
            assert_eq!(jobs(given, 8).expect(given), number, "{given}");
        }
        let error = jobs("9", 8).expect_err("too many").to_string();
        assert_eq!(error, "Error: -concurrency 9 is more than the 8 CPUs; give -force-concurrency to use it");
        let forced = read(Peer::Fastchess, "-concurrency 9 -force-concurrency");
        assert_eq!(super::jobs(&forced, NonZeroUsize::MIN).expect("forced").get(), 9);
    }

    #[test]
    fn words_are_those_of_the_native_command() {
        let engines = ["a,name=A", "b,name=B"].map(|text| text.parse().expect("sound"));
        let words = |line: &str| {
            let settings = read(Peer::Fastchess, line);
            let games = games(Peer::Fastchess, &settings, 2)?;
            let file = |output: &Option<OutputFile>| output.as_ref().and_then(|output| output.file.clone());
            let files = OutputFiles { pgn: file(&settings.pgn), epd: file(&settings.epd) };
            let words = words(&settings, &engines, games, NonZeroUsize::MIN, &files)?;
            anyhow::Ok(words.join(" "))
        };
        assert_eq!(
            words("-rounds 3 -noswap -pgnout file=g.pgn").expect("sound"),
            "threefold --engine a,name=A --engine b,name=B --games 6 --games-per-round 2 \
             --pgn g.pgn --pgn-fields none --tournament round-robin --seeds 1 --jobs 1 --startup 10 --quiet --noswap --append"
        );
        let test = words("-sprt elo0=-5 elo1=0 alpha=0.1 model=bayesian -rounds 4 -report penta=false")
            .expect("sound");
        assert!(test.contains("--elo0 -5 --elo1 0 --alpha 0.1 --model bayeselo --counts games"), "{test}");
        let games = words("-sprt elo0=0 elo1=5 -output format=cutechess").expect("sound");
        assert!(games.contains("--counts games"), "{games}");
        let files = words(
            "-pgnout file=g.pgn nodes=true seldepth=true append=false -epdout file=e.epd -crc32 pgn=true",
        );
        let files = files.expect("sound");
        assert!(files.contains("--pgn g.pgn --pgn-fields nodes,seldepth --epd-out e.epd "), "{files}");
        assert!(files.ends_with("--quiet --pgn-crc32"), "{files}");
        // fishtest gives -crc32 without a file, too.
        assert!(!words("-crc32 pgn=true").expect("sound").contains("--pgn-crc32"));
        let error = words("-sprt elo1=5").expect_err("no elo0").to_string();
        assert_eq!(error, "Error: -sprt has no elo0=");
    }
}
