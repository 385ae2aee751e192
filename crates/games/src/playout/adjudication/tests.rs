//! The table of rules and the text forms of rules. What each rule counts is tested with games.

use std::num::NonZeroU32;

use super::*;

/// One rule of each kind, with distinct settings.
fn all() -> Adjudication {
    let rules: [Arc<dyn Rule>; 3] = [
        Arc::new(MaxMoves(NonZeroU32::new(120).expect("not zero"))),
        Arc::new(DrawRule { from_move: 34, moves: 8, score: 20 }),
        Arc::new(ResignRule { moves: 3, score: 600, two_sided: true, like: Like::Threefold }),
    ];
    Adjudication::new(rules)
}

fn read(name: &str, text: &str) -> Result<Adjudication, RuleError> {
    let kind = RuleKind::named(name).expect("a rule");
    (kind.read)(kind.name, text).map(|rule| Adjudication::new([rule]))
}

#[test]
fn adjudication_rules_have_unique_names() {
    for (index, kind) in RULES.iter().enumerate() {
        let others = &RULES[index + 1..];
        assert!(others.iter().all(|other| other.name != kind.name && other.flag != kind.flag), "{kind:?}");
        assert!(others.iter().all(|other| other.end != kind.end), "{kind:?}");
        assert_eq!((RuleKind::named(kind.name), RuleKind::of_end(kind.end)), (Some(kind), Some(kind)));
    }
    assert_eq!((RuleKind::named("tables"), RuleKind::of_end("checkmate")), (None, None));
}

#[test]
fn adjudication_rules_parse_back() {
    // A row for each rule, in the order of precedence.
    let rows = [
        ("syzygy", "a:b,pieces=5,ignore50=true"),
        ("distance-to-mate", "my tables"),
        ("resign", "movecount=3,score=600,twosided=true"),
        ("draw", "movenumber=34,movecount=8,score=20"),
        ("trust-mates", "both"),
        ("max-moves", "120"),
    ];
    let others = rows.map(|(name, text)| {
        (RuleKind::named(name).expect(name).read)(name, text).unwrap_or_else(|error| panic!("{error}"))
    });
    let rules = others.into_iter().fold(all(), Adjudication::or);
    let same = Arc::new(MaxMoves(NonZeroU32::MIN));
    assert_eq!(rules.clone().or(same), rules, "a rule of a known kind changes nothing");
    assert_eq!(rules.texts().map(|(kind, _)| kind).collect::<Vec<_>>(), RULES.iter().collect::<Vec<_>>());
    for (kind, text) in rules.texts() {
        let again = read(kind.name, &text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.texts().collect::<Vec<_>>(), [(kind, text)]);
    }
    let json = serde_json::to_string(&rules).expect("JSON");
    let pairs = rows.map(|(name, text)| format!(r#""{name}":"{text}""#));
    assert_eq!(json, format!("{{{}}}", pairs.join(",")));
    assert_eq!(serde_json::from_str::<Adjudication>(&json).expect("sound"), rules);
}

#[test]
fn rules_are_read_in_cutechess_and_version_1_form() {
    let table = [
        ("draw", "movenumber=34,movecount=8,score=20", "movenumber=34,movecount=8,score=20"),
        ("draw", "from-move=34,moves=8,score=20", "movenumber=34,movecount=8,score=20"),
        ("draw", "from_move=34,moves=8,score=20", "movenumber=34,movecount=8,score=20"),
        ("resign", "movecount=3 score=600 twosided=true", "movecount=3,score=600,twosided=true"),
        ("resign", "movecount=3,score=600", "movecount=3,score=600,twosided=false"),
        ("max-moves", "120", "120"),
    ];
    for (name, given, text) in table {
        let rules = read(name, given).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(rules.texts().map(|(_, text)| text).collect::<Vec<_>>(), [text], "{given}");
    }
    let old = "max-moves = 120\ndraw = { from-move = 34, moves = 8, score = 20 }\n\
               resign = { moves = 3, score = 600, two-sided = true }";
    assert_eq!(toml::from_str::<Adjudication>(old).expect("sound"), all());
}

#[test]
fn rule_errors_name_the_valid_form() {
    let table = [
        ("resign", "movecount=3", "resign: score must be a whole number; write it as movecount=3,"),
        ("resign", "movecount=x,score=1", "resign: movecount must be a whole number"),
        ("resign", "moves=x,score=1", "resign: moves must be a whole number"),
        ("draw", "from_move=34,moves=8,score=x", "draw: score must be a whole number"),
        ("draw", "from_move=x,moves=8,score=1", "draw: from_move must be a whole number"),
        ("resign", "count=3,score=600", "resign `count=3,score=600` can't be read; write it as movecount=3,"),
        ("resign", "movecount=3,score=600,twosided=perhaps", "resign twosided=perhaps: say true or false"),
        ("draw", "soon", "draw `soon` can't be read; write it as movenumber=34,"),
        ("draw", "movenumber=-1,movecount=8,score=20", "draw: movenumber must be a whole number"),
        ("resign", "movecount=3,score=600,score=900", "resign: score is given twice; give it once"),
        ("resign", "movecount=3,moves=4,score=600", "resign: moves is given twice"),
        ("draw", "movenumber=34,movecount=8,score=20 from_move=1", "draw: from_move is given twice"),
        ("syzygy", "dir,pieces=5,results=all,pieces=6", "syzygy: pieces is given twice; give it once"),
        ("syzygy", "a,b=1,b=2,ignore50=true,ignore50=true", "syzygy: ignore50 is given twice"),
        ("max-moves", "0", "max-moves: 0 is not in 1..4294967295; give"),
    ];
    for (name, given, message) in table {
        let error = read(name, given).expect_err(given).to_string();
        assert!(error.starts_with(message), "{error}");
    }
    let names = RULES.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ");
    let unknown = format!("there is no rule `tables`; the rules are {names}");
    for (given, message) in [
        ("tables = 5", unknown.as_str()),
        ("max-moves = 0", "max-moves: 0 is not in 1.."),
        ("draw = \"soon\"", "draw `soon` can't be read"),
    ] {
        let error = toml::from_str::<Adjudication>(given).expect_err(given).to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn shadow_mode_is_read_back_and_the_usual_mode_is_left_out() {
    let shadow = all().with_mode(AdjudicationMode::Shadow);
    let json = serde_json::to_string(&shadow).expect("JSON");
    assert!(json.ends_with(r#""max-moves":"120","mode":"shadow"}"#), "{json}");
    assert_eq!(serde_json::from_str::<Adjudication>(&json).expect("sound"), shadow);
    assert_ne!(shadow, all());
    assert!(!serde_json::to_string(&all()).expect("JSON").contains("mode"));
    assert!(toml::from_str::<Adjudication>("mode = \"ghost\"").is_err());
}
