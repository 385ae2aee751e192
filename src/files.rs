//! Files of users: read with a size limit, written completely or not at all; errors name the file.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::Context;

use crate::engine_names;
use crate::streams;
use threefold_games::bounded::{self, Excess, MOST, ReadError};
use threefold_games::foreign_text::{self, Encoding};
use threefold_games::packed::{self, Unpacked};
use threefold_player::output_file::{self, OutputError};
use threefold_player::{EngineSpec, SpecKey};
use threefold_run::job::BaselineText;
use threefold_run::regress::baseline::{self, Baseline};
use threefold_run::regress::review::ACCEPTED;
use threefold_suites::SourceFile;

/// Opens a file for reading.
pub fn open(path: &Path) -> anyhow::Result<fs::File> {
    fs::File::open(path).map_err(|cause| unreadable(path, cause))
}

/// Reads a file, up to the size limit.
pub fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let read = || -> Result<Vec<u8>, ReadError> {
        let file = fs::File::open(path)?;
        if file.metadata()?.len() > MOST as u64 {
            return Err(Excess::Whole.into());
        }
        // The limit applies to the reading, too: a pipe has no length, and a file may grow.
        bounded::read_bounded(file)
    };
    read().map_err(|error| match error {
        ReadError::System(cause) => unreadable(path, cause),
        ReadError::Excess(excess) => anyhow::anyhow!("{}: {excess}", path.display()),
    })
}

fn unreadable(path: &Path, cause: io::Error) -> anyhow::Error {
    anyhow::Error::new(cause).context(format!("{}: can't be read; check the path", path.display()))
}

/// Unpacks the bytes of a file.
pub fn unpacked<'b>(path: &Path, bytes: &'b [u8]) -> anyhow::Result<Unpacked<'b>> {
    packed::unpack(bytes).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
}

/// Reads text: UTF-8 or UTF-16, with or without a byte order mark, plain or packed.
pub fn text(path: &Path) -> anyhow::Result<String> {
    let bytes = bytes(path)?;
    let unpacked = unpacked(path, &bytes)?;
    let text = foreign_text::decode_unicode(&unpacked.bytes);
    Ok(text.map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?.into_owned())
}

/// Reads text that other programs or people may have written in Latin-1: positions and lists of names. A
/// notice says so.
pub fn text_of_any_encoding(path: &Path) -> anyhow::Result<String> {
    let bytes = bytes(path)?;
    let unpacked = unpacked(path, &bytes)?;
    let (text, encoding) = foreign_text::decode(&unpacked.bytes)
        .map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
    if encoding == Encoding::Latin1 {
        streams::notice(&format!("warning: {}: is not UTF-8 text: read as Latin-1", path.display()));
    }
    Ok(text.into_owned())
}

/// Reads a text file, if it exists.
pub fn text_if_there(path: &Path) -> anyhow::Result<Option<String>> {
    if path.exists() { text(path).map(Some) } else { Ok(None) }
}

/// Writes a file atomically, and creates its folder if it is missing.
pub fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written = folder.map_or(Ok(()), fs::create_dir_all);
    let written = written.and_then(|()| output_file::write_whole(path, bytes));
    Ok(written.map_err(|cause| OutputError::from_system(path, cause))?)
}

/// A text file, with its name for messages.
pub fn source_file(path: &Path) -> anyhow::Result<SourceFile> {
    Ok(SourceFile { file: path.display().to_string(), text: text(path)? })
}

/// A file of positions, with its name for messages.
pub fn positions(path: &Path) -> anyhow::Result<SourceFile> {
    Ok(SourceFile { file: path.display().to_string(), text: text_of_any_encoding(path)? })
}

/// The baseline of a folder, checked; `None` if there is none.
pub fn baseline(folder: &Path) -> anyhow::Result<Option<BaselineText>> {
    let [cases, figures, environment] = baseline::FILES.map(|file| folder.join(file));
    let Some(cases) = text_if_there(&cases)? else { return Ok(None) };
    let environment = text_if_there(&environment)?;
    let text = BaselineText { cases, figures: text(&figures)?, environment };
    Baseline::parse(&text).map_err(|error| anyhow::anyhow!("{}/{error}", folder.display()))?;
    Ok(Some(text))
}

/// Writes the files of a baseline into a folder, which is created if it is missing. `accepted` lists the cases that were
/// accepted one by one; `None` if all results are those of one run.
pub fn write_baseline(folder: &Path, baseline: &BaselineText, accepted: Option<&str>) -> anyhow::Result<()> {
    write_whole(&folder.join(baseline::CASES), baseline.cases.as_bytes())?;
    write_whole(&folder.join(baseline::FIGURES), baseline.figures.as_bytes())?;
    for (file, text) in [(baseline::ENVIRONMENT, baseline.environment.as_deref()), (ACCEPTED, accepted)] {
        match text {
            Some(text) => write_whole(&folder.join(file), text.as_bytes())?,
            None => remove_if_there(&folder.join(file))?,
        }
    }
    Ok(())
}

fn remove_if_there(path: &Path) -> anyhow::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(OutputError::from_system(path, error).into())
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// An engine from the command line; `@FILE.toml#NAME` reads the entry `NAME = "SPEC"` of a file.
pub fn engine(given: &str, each: &[String]) -> anyhow::Result<EngineSpec> {
    let written = match given.strip_prefix('@') {
        None => given.to_owned(),
        Some(reference) => looked_up(reference)?,
    };
    let spec: EngineSpec = written.parse().with_context(|| format!("engine `{given}`"))?;
    let defaults = each
        .iter()
        .map(|pair| {
            let (key, value) =
                pair.split_once('=').with_context(|| format!("--each `{pair}` is not KEY=VALUE"))?;
            Ok((SpecKey::from(key), value))
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    spec.with_defaults(&defaults).with_context(|| format!("engine `{given}` with the settings of --each"))
}

/// Several engines, each with a name of its own.
pub fn engines(given: &[String], each: &[String]) -> anyhow::Result<Vec<EngineSpec>> {
    let engines: Vec<EngineSpec> = given.iter().map(|spec| engine(spec, each)).collect::<Result<_, _>>()?;
    Ok(engine_names::distinct(&engines)?)
}

fn looked_up(reference: &str) -> anyhow::Result<String> {
    let (file, rest) = reference.split_once('#').with_context(|| {
        format!("`@{reference}`: the name of the engine is missing; write @FILE.toml#NAME")
    })?;
    let (name, more) = rest.split_once(',').map_or((rest, None), |(name, more)| (name, Some(more)));
    let table: toml::Table =
        source_file(Path::new(file))?.toml("write one engine per line, NAME = \"./engine,Hash=16\"")?;
    let known = || table.keys().cloned().collect::<Vec<_>>().join(", ");
    let spec = table
        .get(name)
        .with_context(|| format!("{file}: has no `{name}`; it has {}", known()))?
        .as_str()
        .with_context(|| format!("{file}: `{name}` is not a string; write {name} = \"./engine,Hash=16\""))?;
    Ok(more.map_or_else(|| spec.to_owned(), |more| format!("{spec},{more}")))
}
