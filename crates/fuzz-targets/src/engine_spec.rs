//! Engine SPECs and anchors.

use threefold_chess::clock::{ClockSource, Control};
use threefold_player::EngineSpec;
use threefold_player::spec::HarnessKey;
use threefold_run::calibration::{AnchorEngine, StrengthOption};

use crate::{Accepted, Target, text};

/// The fuzz target `engine_spec`.
pub const TARGET: Target = Target { name: "engine_spec", check, vocabulary: VOCABULARY };

const VOCABULARY: &[&str] = &[
    "echo",
    "./engine",
    "\"a b\"",
    " ",
    ",",
    "=",
    "\\",
    "\\,",
    "\"",
    "name",
    "dir",
    "args",
    "tc",
    "st",
    "nodes",
    "depth",
    "timemargin",
    "clock",
    "restart",
    "init",
    "debug",
    "stderr",
    "startup",
    "whitepov",
    "\\n",
    "on",
    "off",
    "wall",
    "virtual:1000",
    "Hash",
    "UCI_Elo",
    "Threads",
    "8+0.08",
    "40/60",
    "inf",
    "0.1",
    "1",
    "=2700",
    "@2650.5",
    " ",
];

/// Parses a spec, or an anchor.
pub fn check(bytes: &[u8]) -> Accepted {
    let Some(text) = text(bytes) else { return Accepted(0) };
    let spec = text.parse::<EngineSpec>();
    let anchor = text.parse::<AnchorEngine>();
    let mut accepted = 0;
    if let Ok(spec) = &spec {
        hold(spec);
        accepted += 1;
    }
    if let Ok(AnchorEngine { engine, rated }) = &anchor {
        assert!(rated.listed.is_finite() && rated.on_scale().is_finite(), "{rated:?}");
        hold(engine);
        accepted += 1;
    }
    Accepted(accepted)
}

fn hold(spec: &EngineSpec) {
    let reread = |text: &str| text.parse::<EngineSpec>().unwrap_or_else(|error| panic!("`{text}`: {error}"));
    assert_eq!(&reread(&spec.to_string()), spec, "its text reads back");
    assert_eq!(spec.control.to_string().parse::<Control>().as_ref(), Ok(&spec.control));
    if let Some(pace) = spec.pace {
        assert_eq!(pace.to_string().parse::<ClockSource>().as_ref(), Ok(&pace));
    }
    assert!(!spec.name.is_empty(), "every report shows the name");
    // With other settings, only the requested values change, in the text as well.
    let name = "a, \\\"b\\";
    let renamed = spec.with(&[(HarnessKey::Name, name)]).expect("a name fits every engine");
    assert_eq!(renamed.name, name);
    assert_eq!((&renamed.options, &renamed.control), (&spec.options, &spec.control));
    assert_eq!(reread(&renamed.text), renamed);
    let shared = spec.with_defaults(&[("SomeOption", name)]).expect("an option fits every engine");
    assert_eq!(shared.name, spec.name, "settings of all engines do not change the name");
    assert_eq!(reread(&shared.text), shared);
    let option = StrengthOption::new(spec.clone(), "UCI_Elo".to_owned());
    let player = option.engine_at(1200, 7).expect("a level fits every engine");
    assert_eq!(option.level(&player), Some(1200), "{}", player.text);
}
