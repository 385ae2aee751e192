//! The engines of a run, and which builds of them did which part of it.

use crate::model::report::{PlayedBuild, TestedEngine};
use threefold_player::{EngineBuild, EngineSpec};
use threefold_run::Task;
use threefold_run::run_record::PartResult;

/// Every engine once, in order of appearance, with its builds in the order of the sessions.
pub(super) fn tested_engines(sessions: &[Vec<EngineBuild>], parts: &[PartResult<'_>]) -> Vec<TestedEngine> {
    let mut entrants: Vec<TestedEngine> = Vec::new();
    for part in parts {
        for spec in part.part.task.engines() {
            let known = |entrant: &TestedEngine| entrant.name == spec.name && entrant.spec == spec.text;
            let at = entrants.iter().position(known).unwrap_or_else(|| {
                let (name, builds) = (spec.name.clone(), builds(sessions, spec));
                entrants.push(TestedEngine { name, spec: spec.text.clone(), builds });
                entrants.len() - 1
            });
            for job in (0..part.results.len()).filter(|&finding| took_part(part, finding, spec)) {
                let build = part.build(job, spec);
                let played = entrants[at].builds.iter_mut().find(|played| Some(&played.build) == build);
                if let Some(played) = played {
                    played.jobs += 1;
                }
            }
        }
    }
    for entrant in &mut entrants {
        // A session records its builds when it starts, also if none of its jobs counts.
        entrant.builds.retain(|played| played.jobs > 0);
    }
    entrants
}

/// The builds that an engine had, none of which has done anything yet.
fn builds(sessions: &[Vec<EngineBuild>], spec: &EngineSpec) -> Vec<PlayedBuild> {
    let mut builds: Vec<PlayedBuild> = Vec::new();
    for build in sessions.iter().flatten().filter(|build| build.engine == spec.text) {
        if !builds.iter().any(|known| known.build == *build) {
            builds.push(PlayedBuild { build: build.clone(), jobs: 0 });
        }
    }
    builds
}

fn took_part(part: &PartResult<'_>, job: usize, spec: &EngineSpec) -> bool {
    match &part.part.task {
        Task::Suite(_) => true,
        Task::Match(games) => games.schedule().game(job).is_some_and(|scheduled| {
            [scheduled.white, scheduled.black].into_iter().any(|engine| games.engines[engine] == *spec)
        }),
    }
}
