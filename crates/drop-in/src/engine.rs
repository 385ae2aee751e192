//! The engines of a command line as specs of threefold.

use std::collections::BTreeSet;
use std::env;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::engines_json;
use super::error::LineError;
use super::settings::{EngineKeys, Settings};
use super::surroundings::Surroundings;
use threefold_player::spec::HarnessKey;
use threefold_player::{EngineSpec, SpecKey};

/// The engines with the keys of `-each`, which come last, as in fastchess. Equal names get the first
/// number that gives no name of the command line: `A`, `A_2`.
pub(super) fn specs(
    settings: &Settings,
    surroundings: &Surroundings<'_>,
) -> Result<Vec<EngineSpec>, LineError> {
    if settings.engines.len() < 2 {
        return Err(LineError::FewEngines);
    }
    let specs = settings.engines.iter().map(|keys| {
        let keys = with_configuration(keys.iter().chain(&settings.each), surroundings)?;
        let spec = spec(&keys, settings.startup)?;
        if spec.control.is_infinite() { Err(LineError::NoLimit(spec.name)) } else { Ok(spec) }
    });
    with_unique_names(specs.collect::<Result<_, _>>()?)
}

fn with_unique_names(specs: Vec<EngineSpec>) -> Result<Vec<EngineSpec>, LineError> {
    let mut taken: BTreeSet<String> = specs.iter().map(|spec| spec.name.clone()).collect();
    let mut seen = BTreeSet::new();
    let unique = specs.into_iter().map(|spec| {
        if seen.insert(spec.name.clone()) {
            return Ok(spec);
        }
        let mut names = (2_u32..).map(|number| format!("{}_{number}", spec.name));
        let free =
            names.find(|name| taken.insert(name.clone())).expect("there are fewer engines than numbers");
        Ok(spec.with(&[(HarnessKey::Name, &free)])?)
    });
    unique.collect()
}

/// The keys of an engine, with those of its entry in `engines.json` in place of `conf=`.
fn with_configuration<'k>(
    keys: impl Iterator<Item = &'k (String, String)>,
    surroundings: &Surroundings<'_>,
) -> Result<EngineKeys, LineError> {
    let mut all = EngineKeys::new();
    for (key, value) in keys {
        if key == "conf" {
            // cutechess-cli replaces what was given before.
            all = engines_json::keys(value, surroundings)?;
        } else {
            all.push((key.clone(), value.clone()));
        }
    }
    Ok(all)
}

/// Keys without a value of cutechess-cli, which the harness sets to `on`.
const SWITCHES: [&str; 4] = ["ponder", "whitepov", "trust", "debug"];

/// An engine; of a key that is given twice the last one counts, except for the arguments and the first lines
/// of cutechess-cli. `startup` is what `tscale=` multiplies.
fn spec(keys: &EngineKeys, startup: Duration) -> Result<EngineSpec, LineError> {
    let mut command = None;
    let mut init: Vec<&str> = Vec::new();
    let mut seconds = None;
    let mut dir = None;
    let mut args = Vec::new();
    let mut settings: Vec<(SpecKey, &str)> = Vec::new();
    for (key, value) in keys {
        let key = match (key.as_str(), key.strip_prefix("option.")) {
            ("cmd", _) => {
                command = Some(value);
                continue;
            }
            ("dir", _) => {
                dir = Some(Path::new(value));
                continue;
            }
            ("arg", _) => {
                args.push(quoted(value));
                continue;
            }
            ("initstr", _) => {
                init.push(value);
                continue;
            }
            ("tscale", _) => {
                seconds = Some(scaled(startup, value)?);
                continue;
            }
            (_, Some(option)) => SpecKey::Option(option.to_owned()),
            (key, None) => key.into(),
        };
        settings.retain(|(known, _)| *known != key);
        let value = value_of(&key, value);
        settings.push((key, value));
    }
    let command = command.ok_or(LineError::NoCommand)?;
    let program = program(command, dir)?;
    let name = Path::new(command).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = name.ok_or_else(|| LineError::NoProgramName(command.clone()))?;
    let folder = dir.map(|dir| dir.to_string_lossy().into_owned());
    // A spec separates these lines by a written `\n`, as `initstr=` does.
    let (args, init) = (args.join(" "), init.join("\\n"));
    let joined = [(HarnessKey::Args, &args), (HarnessKey::Init, &init)];
    let joined = joined.into_iter().filter(|(_, value)| !value.is_empty());
    let seconds = seconds.iter().map(|seconds| (HarnessKey::Startup, seconds));
    let folder = folder.iter().map(|folder| (HarnessKey::Dir, folder));
    let more = joined.chain(seconds).chain(folder);
    settings.extend(more.map(|(key, value)| (key.into(), value.as_str())));
    // As in fastchess, an engine without `name=` is called after its file.
    if !settings.iter().any(|(key, _)| *key == HarnessKey::Name.into()) {
        settings.push((HarnessKey::Name.into(), &name));
    }
    // `with_program` quotes the path, which may have blanks.
    let spec = "engine".parse::<EngineSpec>()?.with_program(&program)?;
    spec.with(&settings).map_err(|source| LineError::Engine { command: command.clone(), source })
}

/// The value of a key for the harness.
fn value_of<'v>(key: &SpecKey, given: &'v str) -> &'v str {
    match key {
        SpecKey::Harness(HarnessKey::Restart) if given == "auto" => "off",
        SpecKey::Harness(key) if SWITCHES.contains(&key.name()) => "on",
        SpecKey::Harness(_) | SpecKey::Option(_) => given,
    }
}

/// The time limit for an engine to start, in seconds: that of the run times a factor.
fn scaled(startup: Duration, factor: &str) -> Result<String, LineError> {
    /// The factors of cutechess-cli.
    const FACTORS: RangeInclusive<f64> = 0.2..=120.0;
    let number = factor.parse().ok().filter(|number| FACTORS.contains(number));
    let number: f64 = number.ok_or_else(|| LineError::TimeScale(factor.to_owned()))?;
    Ok((startup.as_millis() as f64 / 1000.0 * number).to_string())
}

/// The program of a command. Like fastchess and cutechess-cli, a relative command is looked up in the
/// engine's folder; an absolute one stands for itself.
fn program(command: &str, dir: Option<&Path>) -> Result<String, LineError> {
    let Some(dir) = dir else { return Ok(command.to_owned()) };
    let path = dir.join(command);
    if !path.is_file() {
        return Err(LineError::NoProgram(path));
    }
    let absolute = env::current_dir().map_err(LineError::Folder)?.join(path);
    // `components` drops the `./` of `dir=Engines/ cmd=./NAME`, the form of OpenBench.
    Ok(absolute.components().collect::<PathBuf>().to_string_lossy().into_owned())
}

/// A word of the arguments.
fn quoted(word: &str) -> String {
    if word.contains(' ') { format!("\"{word}\"") } else { word.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::super::peer::Peer;
    use super::*;

    fn read(line: &str) -> Result<Vec<EngineSpec>, LineError> {
        let line: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        specs(&Settings::parse(Peer::Cutechess, &line).expect("understood"), &Surroundings::for_tests())
    }

    #[test]
    fn engines_have_their_keys_and_those_of_each() {
        let specs = read(
            "-engine cmd=./bin/a.x name=A tc=8+0.08 option.Move|Overhead=10,5 -engine cmd=./bin/a.x arg=-x arg=y depth=4 \
             -engine cmd=./bin/a.x restart=auto -each option.Hash=16 timemargin=20 proto=uci tc=inf nodes=7",
        );
        let specs = specs.expect("sound");
        let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        assert_eq!(names, ["A", "a", "a_2"]);
        assert_eq!(specs[0].control.to_string(), "nodes=7,timemargin=20", "-each comes last");
        assert_eq!(specs[0].options[0], ("Move|Overhead".to_owned(), "10,5".to_owned()));
        assert_eq!(specs[1].command(), "./bin/a.x -x y");
        assert_eq!(specs[1].control.to_string(), "nodes=7,depth=4,timemargin=20");
        assert!(specs[2].text.parse::<EngineSpec>().is_ok_and(|again| again == specs[2]));
    }

    #[test]
    fn equal_names_get_numbers_that_no_other_engine_has() {
        let table = [
            (&["A", "A", "A"][..], &["A", "A_2", "A_3"][..]),
            (&["A", "A", "A_2"], &["A", "A_3", "A_2"]),
            (&["A_2", "A", "A", "A_2"], &["A_2", "A", "A_3", "A_2_2"]),
        ];
        for (given, expected) in table {
            let engines: Vec<String> =
                given.iter().map(|name| format!("-engine cmd=a depth=1 name={name}")).collect();
            let specs = read(&engines.join(" ")).expect("sound");
            let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
            assert_eq!(names, expected);
        }
    }

    #[test]
    fn keys_of_cutechess_are_those_of_the_harness() {
        let line = "-engine cmd=a initstr=one initstr=two\\nthree whitepov trust debug ponder stderr=e.log tscale=2.5 tc=1 \
                    -engine cmd=b depth=1";
        let spec = &read(line).expect("sound")[0];
        assert_eq!(spec.init, ["one", "two", "three"]);
        assert!(spec.white_pov && spec.trust && spec.debug && spec.ponder);
        assert_eq!(spec.stderr, Some(PathBuf::from("e.log")));
        assert_eq!(spec.startup, Some(Duration::from_secs(25)));
        assert!(spec.text.parse::<EngineSpec>().is_ok_and(|again| again == *spec));
    }

    #[test]
    fn relative_command_is_looked_up_in_its_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let dir = folder.path().display();
        std::fs::File::create(folder.path().join("bin")).expect("written");
        let line = |command: &str| {
            format!("-engine cmd={command} dir={dir} depth=1 -engine cmd={command} dir={dir} depth=1")
        };
        let specs = read(&line("./bin")).expect("it exists");
        assert_eq!(specs[0].command(), folder.path().join("bin").display().to_string());
        assert_eq!(read(&line(&format!("{dir}/bin"))).expect("absolute")[0].command(), format!("{dir}/bin"));
        let error = read(&line("./other")).expect_err("no such file").to_string();
        assert!(error.starts_with("Engine binary does not exist: "), "{error}");
    }

    #[test]
    fn unusable_engines_are_refused() {
        for (line, message) in [
            ("-engine cmd=a depth=1", "at least two engines"),
            ("-engine cmd=a -engine cmd=b depth=1", "engine a has no search limit"),
            ("-engine name=a -engine cmd=b", "has no command"),
            ("-engine cmd=a tc=60hg -engine cmd=b", "hourglass clocks are not supported"),
            ("-engine cmd=a proto=xboard -engine cmd=b", "UCI only"),
            ("-engine cmd=a tc=1 st=1 -engine cmd=b", "`tc` and `st` can't be given together"),
            ("-engine cmd=a depth=1 tscale=0 -engine cmd=b", "give a factor from 0.2 to 120"),
        ] {
            let error = read(line).expect_err(line);
            let error = format!("{error}: {}", error.source().map(ToString::to_string).unwrap_or_default());
            assert!(error.contains(message), "{line}: {error}");
        }
    }
}
