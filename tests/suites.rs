//! The shipped suites load, and hold what the book says of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use shakmaty::{CastlingMode, Chess};
use threefold::input::case_choice;
use threefold_chess::clock::{ClockSource, Limits};
use threefold_suites::epd;
use threefold_suites::single_case;
use threefold_suites::{CaseFilter, CaseInfo, KINDS, SourceFile, Suite, SuiteSource};

/// The page of the book that counts the positions.
const BOOK: &str = "docs/src/positions.md";

#[expect(clippy::disallowed_methods, reason = "a test of shipped files reads them")]
fn source_file(file: &str) -> SourceFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    SourceFile { file: file.to_owned(), text }
}

fn source(kind: &str) -> SuiteSource {
    let source_file = source_file(&format!("suites/{kind}.toml"));
    let positions = SuiteSource::position_files(&source_file).unwrap_or_else(|error| panic!("{error}"));
    let positions = positions.iter().map(|file| self::source_file(file)).collect();
    SuiteSource { suite_file: source_file, positions }
}

fn suite(kind: &str) -> Suite {
    Suite::read(&source(kind)).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_suite_kind_has_a_shipped_suite() {
    for kind in KINDS {
        let suite = suite(kind.name);
        assert_eq!((suite.kind.name, suite.name.as_str()), (kind.name, kind.name));
        // A suite that only measures cannot fail, and one that sound engines may not pass fails only against a baseline.
        let has_no_threshold =
            ["policy", "root-return", "effort", "bench", "symmetry", "ponder-move"].contains(&kind.name);
        assert_eq!(suite.thresholds.pass.is_none(), has_no_threshold, "{} may fail as a whole", suite.name);
    }
}

#[test]
fn suites_have_the_documented_number_of_cases() {
    let sizes = [
        ("anecdotes", 72),
        ("bench", 1),
        ("best-move", 120),
        ("calibration", 4),
        ("clock", 31),
        ("compliance", 12),
        ("conversion", 200),
        ("defence", 100),
        ("depth-limit", 2000),
        ("detector", 200),
        ("determinism", 80),
        ("dialogue", 185),
        ("effort", 80 + 120 + 200 + 1120),
        ("elementary", 30),
        ("ending-value", 600),
        ("explosion", 80),
        ("field", 3),
        ("hash-fifty", 36),
        ("hash-pollution", 1120),
        ("horizon", 25),
        ("mate", 1000 + 24),
        ("mate-game", 300),
        ("middlegame", 16),
        ("mutants-clock", 5),
        ("mutants-mate", 75),
        ("mutants-strength", 1),
        ("output", 97),
        ("perft", 20),
        ("perpetual", 54),
        ("perpetual-bonus", 24),
        ("perpetual-shallow", 54),
        ("policy", 157),
        ("ponder-move", 2000),
        ("repetition", 1120),
        ("root-return", 80),
        ("rule", 132),
        ("signature", 80),
        ("smoke", 5),
        ("special-moves", 290),
        ("symmetry", 936),
        ("time-control", 17),
        ("time-control-wall", 4),
        ("value", 264),
    ];
    let found = sizes.map(|(name, _)| (name, suite(name).definitions.len()));
    assert_eq!(found, sizes);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suites");
    let files = fs::read_dir(folder).expect("the shipped suites").count();
    assert_eq!(
        files,
        sizes.len() + 4,
        "every suite is counted, and `regress`, `engine`, `mutants` and `mutants-foreign` are plans"
    );
}

/// `--case` and the other options that choose cases work for every kind.
#[test]
fn cases_of_every_kind_can_be_chosen() {
    for kind in KINDS {
        let whole = source(kind.name);
        let cases = suite(kind.name).definitions;
        let last = &cases.last().expect("a case").info;
        let alone = single_case::reduced(&whole, &last.id).expect("it can be read").expect(kind.name);
        let word = last.id.split(' ').next().unwrap_or_default();
        let filter: CaseFilter = format!("not {word}").parse().expect(kind.name);
        let chosen = |source: &SuiteSource, choose: &dyn Fn(&CaseInfo) -> bool| {
            let sources = case_choice::chosen(std::slice::from_ref(source), choose).expect(kind.name).sources;
            let cases = sources.iter().flat_map(|source| Suite::read(source).expect(kind.name).definitions);
            cases.map(|case| case.info).collect::<Vec<_>>()
        };
        let expected = cases.iter().map(|case| case.info.clone()).filter(|info| filter.matches(info));
        assert_eq!(
            chosen(&whole, &|info| filter.matches(info)),
            expected.collect::<Vec<_>>(),
            "{}",
            kind.name
        );
        for source in [&whole, &alone] {
            assert_eq!(
                chosen(source, &|info| info.id == last.id),
                std::slice::from_ref(last),
                "{}",
                kind.name
            );
        }
    }
}

/// How many cases each class of a suite has.
fn classes(suite: &str) -> BTreeMap<String, usize> {
    let mut classes = BTreeMap::new();
    for entry in self::suite(suite).definitions {
        *classes.entry(entry.info.class).or_default() += 1;
    }
    classes
}

/// How many cases every class has; all must have as many.
fn in_each(classes: &BTreeMap<String, usize>) -> usize {
    let sizes: BTreeSet<usize> = classes.values().copied().collect();
    assert_eq!(sizes.len(), 1, "{classes:?}");
    sizes.into_iter().sum()
}

/// As the documentation writes numbers up to twenty.
fn word(number: usize) -> String {
    const WORDS: [&str; 21] = [
        "none",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// As the documentation writes numbers of positions.
fn grouped(number: usize) -> String {
    match (number / 1000, number % 1000) {
        (0, rest) => rest.to_string(),
        (thousands, rest) => format!("{thousands},{rest:03}"),
    }
}

/// Records of a CSV file below its header.
fn records(file: &str) -> usize {
    source_file(file).text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).skip(1).count()
}

/// The cases of the anecdotes, in the words of the documentation.
fn anecdotes() -> String {
    let stories = classes("anecdotes");
    let (all, number, each) = (stories.values().sum::<usize>(), word(stories.len()), in_each(&stories));
    format!(
        "{all} cases of the {number} anecdotes of Moreland's page on repetition detection, {each} of each"
    )
}

/// The cases of a suite, in the words of the documentation.
fn in_words(suite: &str, cases: &str) -> String {
    let classes = classes(suite);
    let (all, each) = (classes.values().sum::<usize>(), word(in_each(&classes)));
    format!("{all} {cases}, {each} in each of {} classes", word(classes.len()))
}

/// What is counted in each file of positions, in the words of the documentation.
fn counted() -> Vec<(&'static str, String)> {
    let positions = |file: &str| epd::parse_epd(&source_file(file)).unwrap_or_else(|error| panic!("{error}"));
    let traps = classes("repetition");
    let mut mates = classes("mate");
    let underpromotions = mates.remove("underpromotion").unwrap_or_default();
    let longest = (1..=100).take_while(|moves| mates.contains_key(&format!("mate-in-{moves}"))).count();
    assert_eq!(mates.len(), 2 * longest, "mating and being mated: {mates:?}");
    let conversions = positions("positions/conversions.epd");
    let materials: BTreeSet<&str> = conversions
        .iter()
        .filter_map(|record| record.operations.iter().find(|(code, _)| *code == "id")?.1.split('.').next())
        .collect();
    let won = format!("won endings of {} materials", word(materials.len()));
    let defences = source_file("positions/defences.epd").text;
    let [held, lost] =
        ["id \"draw.", "id \"loss."].map(|id| defences.lines().filter(|line| line.contains(id)).count());
    let total = |classes: &BTreeMap<String, usize>| classes.values().sum::<usize>();
    let rows = |file: &str, what: &str| format!("{} {what}", positions(file).len());
    vec![
        (
            "traps.csv",
            format!(
                "{} positions in which the game history decides the right move, {} in each of {} classes",
                grouped(total(&traps)),
                in_each(&traps),
                word(traps.len())
            ),
        ),
        ("anecdotes.csv", anecdotes()),
        ("middlegame.csv", format!("{} positions", records("positions/middlegame.csv"))),
        ("field.csv", format!("{} positions", records("positions/field.csv"))),
        ("perpetuals.csv", format!("{} draws by perpetual check", records("positions/perpetuals.csv"))),
        ("best-moves.epd", rows("positions/best-moves.epd", "endings")),
        ("perft.epd", rows("positions/perft.epd", "positions with counts")),
        ("signature.epd", rows("positions/signature.epd", "positions with node")),
        (
            "mates.epd",
            format!(
                "{} mates in 1 to {longest}: for each distance {} by the side to move and {} against it",
                grouped(total(&mates)),
                in_each(&mates),
                in_each(&mates)
            ),
        ),
        ("underpromotions.epd", format!("{underpromotions} mates")),
        ("rules.csv", in_words("rule", "single moves")),
        ("values.csv", in_words("value", "positions")),
        ("ending-values.csv", in_words("ending-value", "positions")),
        ("special-moves.csv", in_words("special-moves", "positions")),
        ("root-returns.epd", rows("positions/root-returns.epd", "moves that win")),
        ("symmetry.epd", rows("positions/symmetry.epd", "positions")),
        ("perpetual-bonus.csv", in_words("perpetual-bonus", "perpetual checks")),
        ("fifty.csv", in_words("hash-fifty", "moves whose result depends on the fifty-move counter")),
        (
            "elementary-conversions.epd",
            rows("positions/elementary-conversions.epd", "won endings without pawns"),
        ),
        ("conversions.epd", rows("positions/conversions.epd", &won)),
        ("defences.epd", format!("{held} draws that only one or two moves hold, and {lost} long losses")),
        ("openings.epd", format!("{} openings", grouped(positions("positions/openings.epd").len()))),
    ]
}

/// Where a table of files disagrees with what is in them.
fn untrue(documentation: &str, counted: &[(&str, String)]) -> Vec<String> {
    let row = |file: &str| {
        let mut rows = documentation.lines().filter_map(|line| line.strip_prefix(&format!("| `{file}` | ")));
        rows.next().unwrap_or_else(|| panic!("`{file}` is not documented"))
    };
    let wrong = counted.iter().filter(|(file, text)| !row(file).starts_with(text.as_str()));
    wrong
        .map(|(file, text)| format!("{file}: there are {text}; the documentation says {}", row(file)))
        .collect()
}

#[test]
fn documentation_counts_the_shipped_positions() {
    let documentation = source_file(BOOK).text;
    assert_eq!(untrue(&documentation, &counted()), [""; 0]);
}

#[test]
fn wrong_count_in_the_documentation_is_reported() {
    let documentation = source_file(BOOK).text;
    for (right, wrong) in [
        ("| 1,120 positions", "| 1,121 positions"),
        ("80 in each of fourteen", "80 in each of thirteen"),
        ("| 72 cases of the three", "| 72 cases of the four"),
        ("25 by the side to move and 25 against", "25 by the side to move and 26 against"),
        ("40 long losses", "41 long losses"),
        ("of fifteen materials", "of twelve materials"),
        ("| 2,000 openings", "| 200 openings"),
        ("| 80 positions with node counts", "| 81 positions with node counts"),
        ("| 3 positions", "| 4 positions"),
    ] {
        let stale = documentation.replacen(right, wrong, 1);
        assert_eq!(untrue(&stale, &counted()).len(), 1, "{right}");
    }
}

#[test]
fn two_move_generators_agree_on_perft_counts() {
    let records =
        epd::parse_epd(&source_file("positions/perft.epd")).unwrap_or_else(|error| panic!("{error}"));
    for record in records {
        let fen = record.position.start.to_string();
        let position: Chess =
            record.position.start.into_position(CastlingMode::Standard).expect("the reader has checked it");
        for (code, leaves) in &record.operations {
            let Some(depth) = code.strip_prefix('D').map(|depth| depth.parse().expect("a depth")) else {
                continue;
            };
            let leaves: u64 = leaves.parse().expect("a number");
            if leaves <= 50_000 {
                assert_eq!(shakmaty::perft(&position, depth), leaves, "{fen} {code}, by shakmaty");
            }
        }
    }
}

#[test]
fn every_trap_explains_its_answer() {
    for entry in suite("repetition").definitions.into_iter().chain(suite("anecdotes").definitions) {
        assert!(!entry.info.note.is_empty(), "{}", entry.info.id);
    }
}

#[test]
fn mates_cover_every_length_for_both_sides() {
    let mates = suite("mate");
    let classes: BTreeSet<&str> = mates.definitions.iter().map(|entry| entry.info.class.as_str()).collect();
    for moves in 1..=8 {
        assert!(classes.contains(format!("mate-in-{moves}").as_str()), "#{moves}: {classes:?}");
    }
    assert!(classes.iter().any(|class| class.starts_with("mated-in-")), "{classes:?}");
}

#[test]
fn virtual_clock_suite_covers_every_sort_of_time_control() {
    let controls = suite("time-control");
    let classes: BTreeSet<&str> =
        controls.definitions.iter().map(|entry| entry.info.class.as_str()).collect();
    assert_eq!(classes.into_iter().collect::<Vec<_>>(), ["increment", "moves-per-period", "sudden-death"]);
    for entry in &controls.definitions {
        assert!(matches!(entry.info.clock_source, ClockSource::Virtual { .. }), "{}", entry.info.id);
    }
}

#[test]
fn wall_clock_controls_are_a_separate_suite() {
    let controls = suite("time-control-wall");
    assert!(controls.definitions.iter().all(|entry| entry.info.clock_source == ClockSource::Wall));
    let loads: BTreeSet<usize> =
        controls.definitions.iter().map(|entry| entry.info.background_threads).collect();
    assert_eq!(loads.into_iter().collect::<Vec<_>>(), [0, 4], "with a busy machine, and without");
    let plan = source_file("suites/regress.toml").text;
    assert!(plan.contains("time-control.toml") && !plan.contains("time-control-wall"));
}

/// Every shipped dialogue fails with an engine that crashes at `go`, at `quit` and when its input ends.
#[cfg(unix)]
#[test]
fn every_dialogue_can_fail() {
    use threefold_player::mock_engine::Mock;
    use threefold_suites::{Timing, VerdictKind, run_case};

    let offers = "uci) echo option name Ponder type check; echo option name MultiPV type spin min 1 max 9;\n\
        echo option name Threads type spin min 1 max 9; echo option name Hash type spin min 1 max 99;\n\
        echo option name UCI_Chess960 type check; echo option name SyzygyPath type string;\n\
        echo option name Move Overhead type spin min 0 max 5000; echo option name UCI_LimitStrength type check;\n\
        echo option name UCI_ShowWDL type check; echo uciok;;";
    let mock = Mock::new("", &format!("{offers}\n*go*|quit*) kill -SEGV $$;;"));
    let mut players = [mock.launch().expect("it starts")];
    let clocks = Limits::clocks("2".parse().expect("clocks"));
    let names = ["dialogue", "output", "clock"];
    for (name, limits) in names.iter().flat_map(|name| [(*name, Limits::default()), (*name, clocks)]) {
        let suite = Suite { limits, ..suite(name) };
        for (info, mut case) in suite.cases() {
            let verdict = run_case(case.as_mut(), &mut players, Timing::default()).expect("not interrupted");
            let is_bad = [VerdictKind::Failed, VerdictKind::Fault].contains(&verdict.kind());
            let needs_other_limit =
                limits.clocks.is_some() && verdict.reason().ends_with("limits that are no clocks");
            assert!(is_bad || needs_other_limit, "{}/{}: {}", suite.name, info.id, verdict.reason());
        }
    }
}
