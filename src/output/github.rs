//! What `--github` does in a job of GitHub Actions: annotations and the job summary.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::streams;
use threefold_report::formats::github;
use threefold_report::{Report, markdown_summary};

/// Names the file whose Markdown GitHub shows as the summary of the job.
const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Prints the annotations of a run on standard error, and adds its summary to that of the job.
///
/// GitHub reads commands from both streams; standard output has the results of the command.
pub fn publish(report: &Report) {
    for annotation in github::annotations(report) {
        streams::notice(&annotation);
    }
    add_summary(report);
}

/// Adds the summary of a run to that of the job.
pub fn add_summary(report: &Report) {
    let Some(file) = env::var_os(SUMMARY).filter(|file| !file.is_empty()).map(PathBuf::from) else { return };
    if let Err(cause) = append(&file, &markdown_summary(report)) {
        let file = file.display();
        streams::notice(&format!("warning: {file}: the job summary can't be written: {cause}"));
    }
}

/// Prints the annotation of an error that ended the program.
pub fn publish_error(message: &str) {
    streams::notice(&github::error("threefold", message));
}

fn append(file: &Path, text: &str) -> io::Result<()> {
    // Earlier commands of the step may have written to the file.
    OpenOptions::new().append(true).create(true).open(file)?.write_all(text.as_bytes())
}
