//! Workflows and plans of the documentation: each workflow is a file that CI lints, its commands parse, the action has
//! its inputs, and plans can be read.

use std::collections::BTreeSet;

use clap::Parser as _;

use threefold::commands::Cli;
use threefold_run::regress::RegressionPlan;
use threefold_suites::SourceFile;

use super::markdown::outline;

/// What is wrong with the blocks `yaml example=NAME` of a page, by the text of `ci/examples/NAME.yml`.
pub(crate) fn example_breaches(
    path: &str,
    page: &str,
    example: impl Fn(&str) -> Option<String>,
) -> Vec<String> {
    let blocks = outline(page).blocks;
    let named = blocks.iter().filter_map(|block| Some((block, block.value("example")?)));
    let differs = |(block, name): (_, &str)| -> Option<String> {
        let block: &super::markdown::Block = block;
        (example(name).as_deref() != Some(&block.text))
            .then(|| format!("{path}:{}: differs from ci/examples/{name}.yml", block.line))
    };
    named.filter_map(differs).collect()
}

/// The names of the examples of a page.
pub(crate) fn examples(page: &str) -> BTreeSet<String> {
    outline(page).blocks.iter().filter_map(|block| Some(block.value("example")?.to_owned())).collect()
}

/// The errors in the blocks `toml plan` of a page, and their number.
pub(crate) fn plan_breaches(path: &str, page: &str) -> (usize, Vec<String>) {
    let blocks = outline(page).blocks;
    let plans: Vec<_> = blocks.iter().filter(|block| block.language == "toml" && block.has("plan")).collect();
    let errors = plans.iter().filter_map(|block| {
        let source = SourceFile { file: format!("{path}:{}", block.line), text: block.text.clone() };
        RegressionPlan::parse(source).err().map(|error| error.to_string())
    });
    (plans.len(), errors.collect())
}

/// The inputs that an action declares.
pub(crate) fn inputs(action: &str) -> BTreeSet<String> {
    let lines = action.lines().skip_while(|line| *line != "inputs:").skip(1);
    let lines = lines.take_while(|line| line.is_empty() || line.starts_with(' '));
    lines.filter_map(|line| Some(key(line, 2)?.to_owned())).collect()
}

/// What is wrong with a workflow: inputs that an action lacks, and commands that do not parse. `actions` are the
/// actions of this repository, by what a workflow writes before the `@`, with their inputs.
pub(crate) fn workflow_breaches(workflow: &str, actions: &[(&str, BTreeSet<String>)]) -> Vec<String> {
    let mut breaches = Vec::new();
    // The column of the step, and the inputs of its action.
    let mut step: Option<(usize, &BTreeSet<String>)> = None;
    for (index, line) in workflow.lines().enumerate() {
        let mut breach = |what: String| breaches.push(format!("line {}: {what}", index + 1));
        let column = line.len() - line.trim_start().len();
        let text = line.trim_start();
        if let Some(used) = text.strip_prefix("- uses: ") {
            let action = used.split('@').next().unwrap_or_default();
            step = actions.iter().find(|(name, _)| *name == action).map(|(_, inputs)| (column, inputs));
        } else if text.starts_with("- ")
            || step.is_some_and(|(of_step, _)| column <= of_step && !text.is_empty())
        {
            step = None;
        }
        if let Some((of_step, inputs)) = step
            && let Some(input) = key(line, of_step + 4)
            && !inputs.contains(input)
        {
            breach(format!("the action has no input `{input}`"));
        }
        let command = text.strip_prefix("- ").unwrap_or(text);
        let command = command.strip_prefix("run: ").unwrap_or(command);
        if command.starts_with("threefold ") {
            let words = shlex::split(command).unwrap_or_default();
            if let Err(error) = Cli::try_parse_from(words) {
                breach(error.to_string().lines().next().unwrap_or_default().to_owned());
            }
        }
    }
    breaches
}

/// The key of a line of YAML whose keys are in this column.
fn key(line: &str, column: usize) -> Option<&str> {
    let text = line.strip_prefix(&" ".repeat(column))?;
    let (key, _) = text.split_once(':')?;
    let is_key = !key.is_empty() && key.chars().all(|it| it.is_ascii_lowercase() || it == '-');
    (is_key && !key.starts_with('-')).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACTION: &str = "name: x\ninputs:\n  plan:\n    description: y\n  base-engine:\n    default: \"\"\nruns:\n  using: z\n";
    const WORKFLOW: &str = "jobs:\n  a:\n    steps:\n      - uses: o/other@v1\n        with:\n          any: b\n      - uses: o/ours@v1\n        \
        with:\n          plan: c\n      - run: threefold suite mate --engine ./mine\n";

    #[test]
    fn wrong_input_and_wrong_command_of_a_workflow_are_found() {
        assert_eq!(inputs(ACTION), ["base-engine", "plan"].map(str::to_owned).into());
        let actions = [("o/ours", inputs(ACTION))];
        assert_eq!(workflow_breaches(WORKFLOW, &actions), [""; 0]);
        let wrong = WORKFLOW.replace("plan: c", "plans: c").replace("--engine", "--engin");
        let found = workflow_breaches(&wrong, &actions);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0], "line 9: the action has no input `plans`");
        assert!(found[1].starts_with("line 10: error: unexpected argument '--engin'"), "{found:?}");
        let block = WORKFLOW
            .replace("- run: threefold", "- run: |\n          make\n          threefold")
            .replace("suite", "suites");
        assert_eq!(workflow_breaches(&block, &actions).len(), 1);
    }

    #[test]
    fn wrong_plan_of_a_page_is_found() {
        let page = |text: &str| format!("```toml plan\nversion = 1\nengine = \"echo\"\n{text}\n```\n");
        assert_eq!(plan_breaches("a.md", &page("seed = 2")), (1, Vec::new()));
        let (_, found) = plan_breaches("a.md", &page("seeds = 2"));
        assert!(found.len() == 1 && found[0].contains("seeds"), "{found:?}");
    }
}
