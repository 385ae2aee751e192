//! The processor of the machine.

use std::env;
use std::path::Path;

use crate::files;

/// The model of the processor, or its architecture where the system does not say the model.
pub fn model() -> String {
    let described = files::text_if_there(Path::new(DESCRIPTION)).ok().flatten();
    described.and_then(|text| known_model(&text)).unwrap_or_else(|| env::consts::ARCH.to_owned())
}

/// The file with the description of the processors.
pub const DESCRIPTION: &str = "/proc/cpuinfo";

/// The model of the first processor in a description. Those of ARM have numbers of the maker and of the part.
pub fn known_model(description: &str) -> Option<String> {
    let field = |name: &str| {
        let fields = description.lines().filter_map(|line| line.split_once(':'));
        let mut named = fields.filter(|(field, _)| field.trim() == name);
        named.next().map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    };
    let part = || Some(format!("implementer {}, part {}", field("CPU implementer")?, field("CPU part")?));
    field("model name").map(str::to_owned).or_else(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn model_is_a_name_or_numbers() {
        let table = [
            ("processor\t: 0\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n", Some("AMD EPYC")),
            ("CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n", Some("implementer 0x41, part 0xd0c")),
            ("CPU implementer\t: 0x41\n", None),
            ("model name\t:\n", None),
            ("", None),
        ];
        for (text, model) in table {
            assert_eq!(known_model(text).as_deref(), model, "{text}");
        }
    }
}
