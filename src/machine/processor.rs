//! The processor of the machine.

use std::env;
use std::path::Path;

use crate::files;

/// The model of the processor, or its architecture where the system does not say the model.
pub fn model() -> String {
    let described = files::text_if_there(Path::new("/proc/cpuinfo")).ok().flatten().unwrap_or_default();
    let model = described
        .lines()
        .filter(|line| line.starts_with("model name"))
        .find_map(|line| line.split_once(':'))
        .map_or(env::consts::ARCH, |(_, model)| model.trim());
    model.to_owned()
}
