//! The base version of the engine under test: a commit that is built, or another engine.
//!
//! `commit_builds` builds a commit.

use anyhow::Context;

use super::commit_builds::{self, CommitBuilds};
use crate::input::repository::Repository;
use crate::streams;
use threefold_player::spec::HarnessKey;
use threefold_player::{EngineSource, EngineSpec};
use threefold_run::regress::{BaseOptions, BaseReference, RegressionPlan};

/// The base version for the test of a plan; `None`, with a notice, if the test is left out.
pub fn resolve(
    given: Option<BaseReference>,
    plan: &RegressionPlan,
    engine: &EngineSpec,
    options: Option<BaseOptions>,
) -> anyhow::Result<Option<EngineSpec>> {
    if !plan.has_base_test() {
        anyhow::ensure!(
            given.is_none(),
            "the plan does not test the engine against a base version; add [base] with a time control and the bounds of \
             a test, such as tc = \"1+0.01\", elo0 = -10, elo1 = 0, budget = \"20m\""
        );
        return Ok(None);
    }
    let Some(reference) = given.map_or_else(|| plan.base(), |given| Ok(Some(given)))? else {
        streams::notice(
            "no base version: the engine plays no games against one; name it with --base-commit REVISION or --base-engine SPEC",
        );
        return Ok(None);
    };
    match reference {
        BaseReference::Engine(base) => {
            let base = own_name(*base, engine, "base")?;
            let options = options.map_or_else(|| plan.base_options(), Ok)?;
            Ok(Some(if options == BaseOptions::Own { base } else { with_options(&base, engine)? }))
        }
        BaseReference::Commit(revision) => commit(&revision, plan.build(), engine),
    }
}

/// The engine at a commit, built if that has not been done.
fn commit(revision: &str, build: Option<&str>, engine: &EngineSpec) -> anyhow::Result<Option<EngineSpec>> {
    let EngineSource::Command { .. } = &engine.source else {
        anyhow::bail!(
            "the base version of Echo can't be built from a commit; name an engine with --base-engine"
        );
    };
    let build = build.with_context(|| {
        format!(
            "the plan does not say how commit `{revision}` is built; add build = \"make\" (`{{out}}` stands for the \
             program to write)"
        )
    })?;
    let repository = Repository::here()?;
    let hash = repository.commit(revision)?;
    let short = commit_builds::short(&hash);
    if repository.is_checked_out(&hash) {
        streams::notice(&format!(
            "the base version {short} (`{revision}`) is what is checked out: there is nothing to compare, so no games are played"
        ));
        return Ok(None);
    }
    let base = CommitBuilds::new(repository, build, engine).engine(&hash, "the base version")??;
    Ok(Some(own_name(base, engine, &format!("base {short}"))?))
}

/// A base version that is another engine, under the same UCI options: with other ones, the games would
/// compare the options.
fn with_options(base: &EngineSpec, engine: &EngineSpec) -> anyhow::Result<EngineSpec> {
    let (base, names) = base.with_options_of(engine)?;
    if !names.is_empty() {
        streams::notice(&format!(
            "{} gets {} from {}; give it values of its own in its SPEC, or --base-options own",
            base.name,
            names.join(", "),
            engine.name
        ));
    }
    Ok(base)
}

/// Two engines of a test need two names.
fn own_name(base: EngineSpec, engine: &EngineSpec, name: &str) -> anyhow::Result<EngineSpec> {
    let is_taken = base.name == engine.name || base.setting(&HarnessKey::Name.into()).is_none();
    if is_taken { Ok(base.with(&[(HarnessKey::Name, name)])?) } else { Ok(base) }
}
