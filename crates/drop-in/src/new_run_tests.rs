//! The runs that command lines describe.

use std::time::Duration;

use super::super::log::LogLevel;
use super::super::peer::Peer;
use super::*;
use threefold_stats::Risks;

/// A run of two engines with these options.
fn read(peer: Peer, line: &str) -> Result<NewRun, LineError> {
    let line = format!("-engine cmd=a depth=1 -engine cmd=b depth=1 {line}");
    let line: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(7);
    NewRun::from_settings(Settings::parse(peer, &line)?, &Surroundings { now, ..Surroundings::for_tests() })
}

fn fastchess(line: &str) -> NewRun {
    read(Peer::Fastchess, line).expect(line)
}

fn spec(line: &str) -> RunSpec {
    fastchess(line).spec(vec![Opening::start_position()])
}

#[test]
fn run_is_that_of_the_command_line() {
    let spec = spec("-rounds 3 -noswap -wait 5 -pgnout file=g.pgn -event two words -draw score=10");
    let task = single_match::task(&spec).expect("a match");
    assert_eq!((spec.title.as_str(), spec.parts[0].name.as_str()), ("a – b", "fastchess"));
    assert_eq!((spec.max_faults, spec.counting), (None, PairCounting::All));
    assert_eq!((task.schedule().games(), task.format), (6, TournamentFormat::RoundRobin));
    assert_eq!((task.rules.colours.name(), task.wait), ("fixed", Duration::from_millis(5)));
    let rules: Vec<String> = task.adjudication.texts().map(|(_, text)| text).collect();
    assert_eq!(rules, ["movenumber=0,movecount=1,score=10"]);
    assert_eq!((&task.pgn.details.fields, task.pgn.event.as_deref()), (&Some(Vec::new()), Some("two words")));
    assert_eq!(spec.outputs.games, Some(PathBuf::from("g.pgn")));
}

#[test]
fn files_are_those_of_the_command_line() {
    let run = fastchess(
        "-pgnout file=g.pgn nodes=true seldepth=true append=false -epdout file=e.epd -crc32 pgn=true -show-latency",
    );
    let fields = [MoveField::Nodes, MoveField::SelDepth, MoveField::Latency];
    assert_eq!(run.task.pgn.details.fields.as_deref(), Some(&fields[..]));
    assert!(run.outputs.prints_checksum && run.games_if_there == IfThere::Replace);
    assert_eq!(run.final_positions_if_there, IfThere::Append, "each file has its own `append=`");
    assert_eq!(run.outputs.final_positions, Some(PathBuf::from("e.epd")));
    let run = fastchess("-pgnout -epdout");
    let named = ["fastchess_7.pgn", "fastchess_7.epd"].map(|name| Some(PathBuf::from(name)));
    assert_eq!([run.outputs.games, run.outputs.final_positions], named);
    // fishtest gives -crc32 without a file, too.
    let run = fastchess("-crc32 pgn=true");
    assert!(!run.outputs.prints_checksum && !run.settings.force && run.games_if_there == IfThere::Append);
    let run = fastchess("-epdout file=e.epd append=false -log file=e.log append=false");
    assert!(run.final_positions_if_there == IfThere::Replace && run.settings.force);
    assert_eq!(run.task.pgn.details.fields, None);
}

#[test]
fn test_has_the_model_and_the_unit_of_each_program() {
    let (normalized, logistic) = (EloModel::Normalized, EloModel::Logistic);
    for (peer, line, (model, counts)) in [
        (Peer::Fastchess, "-sprt elo0=0 elo1=5", (normalized, TrialUnit::Pairs)),
        (Peer::Fastchess, "-sprt elo0=0 elo1=5 -games 1", (normalized, TrialUnit::Games)),
        (Peer::Fastchess, "-sprt elo0=0 elo1=5 -report penta=false", (normalized, TrialUnit::Games)),
        (Peer::Fastchess, "-sprt elo0=0 elo1=5 -output format=cutechess", (logistic, TrialUnit::Games)),
        (
            Peer::Fastchess,
            "-sprt elo0=0 elo1=5 model=bayesian -games 1",
            (EloModel::BayesElo, TrialUnit::Games),
        ),
        (Peer::Cutechess, "-sprt elo0=0 elo1=5", (logistic, TrialUnit::Games)),
    ] {
        let sprt = Sprt::new(model, 0.0, 5.0, Risks::USUAL).expect("sound");
        let config = SprtConfig::new(sprt, counts, NonZeroU32::MIN, Overshoot::Ignore).expect("sound");
        let purpose = read(peer, line).expect(line).task.purpose;
        assert_eq!(purpose, Purpose::Test(config.into()), "{line}");
    }
    for (line, message) in [
        ("-sprt elo1=5", "Error: -sprt has no elo0="),
        ("-sprt elo0=0 elo1=5 -engine cmd=c depth=1", "Error: -sprt takes two engines"),
        ("-sprt elo0=much elo1=5", "`much` is no number in its range"),
        ("-sprt elo0=0 elo1=5 model=elo", "`elo` is not known"),
    ] {
        let error = read(Peer::Fastchess, line).expect_err(line).to_string();
        assert!(error.contains(message), "{line}: {error}");
    }
}

#[test]
fn random_order_is_that_of_fastchess_with_the_seed() {
    let order = |line: &str| {
        let book = fastchess(line).book.expect("a book");
        assert_eq!(book.selection.most, 2, "{line}");
        book.selection.order
    };
    assert_eq!(order("-openings file=b.epd -srand 7"), OpeningOrder::Sequential);
    assert_eq!(order("-openings file=b.epd order=random -srand 7"), OpeningOrder::Fastchess { seed: 7 });
    let [one, other] = [(), ()].map(|()| order("-openings file=b.epd order=random"));
    assert_ne!(one, other);
    assert_eq!(fastchess("-openings order=random").book, None);
}

#[test]
fn conditions_are_those_of_the_command_line() {
    let settings = fastchess("-testEnv -use-affinity 0-1 4 -startup-ms 20001 -log file=e.log").settings;
    assert_eq!((settings.affinity, settings.startup), (Some(vec![0, 1, 4]), Duration::from_millis(20_001)));
    assert_eq!(settings.log.map(|log| log.level), Some(LogLevel::Warn));
    assert!(settings.removes_journal && settings.line[..3] == ["fastchess", "-engine", "cmd=a"]);
    let settings = fastchess("-testEnv -config outname=r.sqlite -force-concurrency").settings;
    assert!(!settings.removes_journal && settings.force);
    assert_eq!(settings.journal, Some(PathBuf::from("r.sqlite")));
}
