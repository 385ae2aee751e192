//! The engines of a run, and which builds of them did which part of it.

use super::super::model::{Entrant, PlayedBuild};
use crate::player::EngineSpec;
use crate::work::Task;
use crate::work::run::PartRecord;

/// Every engine once, in order of appearance.
pub(super) fn entrants(parts: &[PartRecord<'_>]) -> Vec<Entrant> {
    let mut entrants: Vec<Entrant> = Vec::new();
    for part in parts {
        for spec in part.part.task.engines() {
            let known = |entrant: &Entrant| entrant.name == spec.name && entrant.spec == spec.text;
            let at = entrants.iter().position(known).unwrap_or_else(|| {
                let (name, spec) = (spec.name.clone(), spec.text.clone());
                entrants.push(Entrant { name, spec, builds: Vec::new() });
                entrants.len() - 1
            });
            for finding in (0..part.findings.len()).filter(|&finding| took_part(part, finding, spec)) {
                add(&mut entrants[at], part, finding, spec);
            }
        }
    }
    entrants
}

fn took_part(part: &PartRecord<'_>, finding: usize, spec: &EngineSpec) -> bool {
    match &part.part.task {
        Task::Suite(_) => true,
        Task::Match(games) => games.schedule().fixture(finding).is_some_and(|fixture| {
            [fixture.white, fixture.black].into_iter().any(|engine| games.engines[engine] == *spec)
        }),
    }
}

fn add(entrant: &mut Entrant, part: &PartRecord<'_>, finding: usize, spec: &EngineSpec) {
    let Some(build) = part.build(finding, spec) else { return };
    match entrant.builds.iter_mut().find(|played| played.build == *build) {
        Some(played) => played.jobs += 1,
        None => entrant.builds.push(PlayedBuild { build: build.clone(), jobs: 1 }),
    }
}
