//! The page of a run while it goes on, and its metrics: a server that only reads.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use tiny_http::{Header, Method, Response, Server};

use crate::session::{fleet_link, outcome};
use crate::streams;
use threefold_fleet::broker::Broker;
use threefold_fleet::status::{self, FleetStatus};
use threefold_report::Registry;
use threefold_run::RunRecord;

/// How long a page is shown before it is made again.
const KEPT: Duration = Duration::from_secs(2);
/// How often a browser asks again, in seconds.
const REFRESH: &str = "5";

/// What was answered last.
#[derive(Default)]
struct Kept {
    page: Option<(Instant, String)>,
}

/// An answer: the status, the type and the text.
type Answer = (u16, &'static str, String);

/// Serves the page of the present run at `/` and the metrics at `/metrics`, in a thread of its own.
///
/// # Errors
/// If the address can't be used.
pub(crate) fn serve(address: SocketAddr, broker: Arc<Broker>) -> anyhow::Result<()> {
    let server = Server::http(address)
        .map_err(|error| anyhow::anyhow!("{error}"))
        .with_context(|| format!("--serve {address}: the address can't be used; choose another port"))?;
    streams::notice(&format!("page: http://{}", server.server_addr()));
    thread::Builder::new().name("page".to_owned()).spawn(move || {
        let mut kept = Kept::default();
        for request in server.incoming_requests() {
            let (code, kind, text) = answer(request.method(), request.url(), &broker, &mut kept);
            let header = |name: &str, value: &str| Header::from_bytes(name, value).ok();
            let mut response = Response::from_string(text).with_status_code(code);
            for header in [header("Content-Type", kind), header("Refresh", REFRESH)].into_iter().flatten() {
                response.add_header(header);
            }
            // The browser may be gone.
            _ = request.respond(response);
        }
    })?;
    Ok(())
}

fn answer(method: &Method, url: &str, broker: &Broker, kept: &mut Kept) -> Answer {
    const TEXT: &str = "text/plain; charset=utf-8";
    if *method != Method::Get {
        return (405, TEXT, "this server only reads: use GET\n".to_owned());
    }
    match url {
        "/" => match page(kept) {
            Ok(page) => (200, "text/html; charset=utf-8", page),
            Err(error) => (503, TEXT, format!("{error:#}\n")),
        },
        "/metrics" => match status::status(broker) {
            Ok(status) => (200, "text/plain; version=0.0.4; charset=utf-8", metrics(&status)),
            Err(error) => (503, TEXT, format!("{error}\n")),
        },
        _ => (404, TEXT, "there is / and /metrics\n".to_owned()),
    }
}

/// The page of the present run.
#[expect(clippy::disallowed_methods, reason = "how old a page may be")]
fn page(kept: &mut Kept) -> anyhow::Result<String> {
    // Each page reads the whole journal, so requests within a short time share one.
    if let Some((made, page)) = &kept.page
        && made.elapsed() < KEPT
    {
        return Ok(page.clone());
    }
    let journal = fleet_link::journal().context("the run has not begun; this page renews itself")?;
    let page = render(&journal)?;
    kept.page = Some((Instant::now(), page.clone()));
    Ok(page)
}

/// The page of a journal, by the same code as `threefold report`.
fn render(journal: &Path) -> anyhow::Result<String> {
    let registry = Registry::built_in();
    let run = RunRecord::read(journal)?;
    let set = outcome::report_set(run.spec(), journal, &registry)?;
    let mut report = outcome::build_report(&run, &set)?;
    if !run.is_done() {
        report.mark_running();
    }
    let format = registry.formats().into_iter().find(|format| format.name == "html");
    let bytes = (format.context("there is no page")?.render)(&report)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The state of the fleet in Prometheus' text format.
fn metrics(status: &FleetStatus) -> String {
    let mut text = String::new();
    let mut metric = |name: &str, help: &str, values: Vec<(String, u64)>| {
        // Writing to a string does not fail.
        _ = writeln!(text, "# HELP threefold_{name} {help}\n# TYPE threefold_{name} gauge");
        for (labels, value) in values {
            _ = writeln!(text, "threefold_{name}{labels} {value}");
        }
    };
    let slots = status.workers.iter().map(|(_, worker)| u64::from(worker.slots)).sum();
    metric(
        "workers",
        "Workers that gave a sign of life lately.",
        vec![(String::new(), status.workers.len() as u64)],
    );
    metric("worker_slots", "Jobs that all workers do at a time.", vec![(String::new(), slots)]);
    // Names of workers and runs have no character that a label would have to escape.
    let of_workers = |value: fn(&threefold_fleet::protocol::WorkerNotice) -> u64| {
        let label = |name: &dyn std::fmt::Display| format!("{{worker=\"{name}\"}}");
        status.workers.iter().map(|(name, worker)| (label(name), value(worker))).collect()
    };
    metric(
        "worker_jobs_done",
        "Jobs that a worker has done since its start.",
        of_workers(|worker| worker.done),
    );
    metric("worker_speed", "Nodes per second of Echo's bench.", of_workers(|worker| worker.speed));
    let of_runs = |value: fn(&status::RunStatus) -> u64| {
        let label = |run: &status::RunStatus| format!("{{run=\"{}\"}}", run.notice.run);
        status.runs.iter().map(|run| (label(run), value(run))).collect()
    };
    let done = |run: &status::RunStatus| run.progress.as_ref().map_or(0, |progress| progress.done);
    metric("run_jobs_done", "Jobs of a run in its journal.", of_runs(done));
    metric("run_messages_waiting", "Messages of a run that wait for a worker.", of_runs(|run| run.waiting));
    metric("run_messages_running", "Messages of a run that workers are at.", of_runs(|run| run.running));
    metric("run_oldest_seconds", "Age of a run's oldest message.", of_runs(|run| run.oldest.unwrap_or(0)));
    text
}
