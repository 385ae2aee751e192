//! A base version that is another engine.

use crate::sandbox::Sandbox;

const PLAN: &str = "version = 1\nengine = \"echo,name=New,Hash=2\"\n[base]\nnodes = 20\nelo0 = -10\nelo1 = 10\n\
    games = 2\nopenings = \"book.epd\"\n";

#[test]
fn base_engine_gets_the_options_of_the_tested_engine_unless_the_user_says_otherwise() {
    let sandbox = Sandbox::new();
    let plan = PLAN;
    sandbox.write("inherited.toml", plan);
    sandbox.write("own.toml", plan.replace("[base]", "[base]\noptions = \"own\""));
    sandbox.write("named.toml", plan.replace("[base]", "[base]\nengine = \"echo,name=Old\""));
    let run = "regress --out new --fresh --plan";
    for (command, spec, is_said) in [
        (format!("{run} inherited.toml --base-engine echo,name=Old"), "\"echo,name=Old,Hash=2\"", true),
        (format!("{run} named.toml"), "\"echo,name=Old,Hash=2\"", true),
        (
            format!("{run} inherited.toml --base-engine echo,name=Old,Hash=1"),
            "\"echo,name=Old,Hash=1\"",
            false,
        ),
        (format!("{run} own.toml --base-engine echo,name=Old"), "\"echo,name=Old\"", false),
        (format!("{run} named.toml --base-options own"), "\"echo,name=Old\"", false),
        (
            format!("{run} own.toml --base-engine echo,name=Old --base-options inherited"),
            "\"echo,name=Old,Hash=2\"",
            true,
        ),
    ] {
        let output = sandbox.run(&command);
        assert_eq!(output.code, Some(0), "{command}: {}\n{}", output.out, output.err);
        let report = sandbox.read("new/report.json").replace("HASH", "Hash");
        assert!(report.contains(spec), "{command}: {report}");
        assert_eq!(output.err.contains("Old gets Hash from New"), is_said, "{command}: {}", output.err);
        assert!(report.contains("Regression test of New"), "a plan needs no title: {report}");
    }
}
