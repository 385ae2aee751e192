//! A small part of the API of GitHub and of GitLab, on a port of this machine: pull requests, artifacts and
//! comments.

use std::collections::BTreeMap;
use std::io::{Cursor, Write as _};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use serde_json::{Value, json};
use tiny_http::{Header, Method, Request, Response, Server};
use zip::write::SimpleFileOptions;

/// The token that the service knows.
pub(super) const TOKEN: &str = "ghs_TheTokenOfThisTest0123456789";

/// What the service has.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// Open pull requests, as the API shows them.
    pub(super) pulls: Vec<Value>,
    /// Artifacts of run 77: number, name and bytes.
    pub(super) artifacts: Vec<(u64, String, Vec<u8>)>,
    /// The comments of pull request 5, or the notes of merge request 3, as the API shows them.
    pub(super) comments: Vec<Value>,
    /// The requests so far, without those that only read: method and path.
    pub(super) written: Vec<String>,
    /// Does the token have no permission to write?
    pub(super) forbids_writing: bool,
}

/// A service that answers until it is dropped.
pub(super) struct Service {
    server: Arc<Server>,
    contents: Arc<Mutex<Contents>>,
    address: String,
}

impl Service {
    pub(super) fn start(contents: Contents) -> Self {
        let server = Arc::new(Server::http("127.0.0.1:0").expect("a free port"));
        let address = format!("http://{}", server.server_addr());
        let contents = Arc::new(Mutex::new(contents));
        let (known, held, own) = (Arc::clone(&server), Arc::clone(&contents), address.clone());
        thread::spawn(move || {
            for mut request in known.incoming_requests() {
                let response = answer(&mut held.lock().expect("no panic"), &own, &mut request);
                // A script that was stopped no longer reads.
                drop(request.respond(response));
            }
        });
        Self { server, contents, address }
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    pub(super) fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().expect("no panic")
    }

    /// The texts of all comments.
    pub(super) fn texts(&self) -> Vec<String> {
        let text = |comment: &Value| comment["body"].as_str().expect("text").to_owned();
        self.contents().comments.iter().map(text).collect()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.server.unblock();
    }
}

type Answer = Response<Cursor<Vec<u8>>>;

fn answer(contents: &mut Contents, address: &str, request: &mut Request) -> Answer {
    let url = request.url().to_owned();
    let (path, query) = url.split_once('?').unwrap_or((&url, ""));
    let query = form(query);
    let header = |name: &'static str| {
        let found = request.headers().iter().find(|header| header.field.equiv(name));
        found.map(|header| header.value.as_str().to_owned())
    };
    let (bearer, private) = (header("Authorization"), header("PRIVATE-TOKEN"));
    if let Some(number) = path.strip_prefix("/storage/") {
        // The token is none of the storage's business.
        if bearer.is_some() || private.is_some() {
            contents.written.push("the storage got the token".to_owned());
        }
        let artifact = contents.artifacts.iter().find(|artifact| artifact.0.to_string() == number);
        return Response::from_data(artifact.expect("an artifact").2.clone());
    }
    if bearer != Some(format!("Bearer {TOKEN}")) && private.as_deref() != Some(TOKEN) {
        return Response::from_string("{}").with_status_code(401);
    }
    let mut body = String::new();
    request.as_reader().read_to_string(&mut body).expect("UTF-8");
    let method = request.method().clone();
    if method != Method::Get {
        contents.written.push(format!("{method} {path}"));
        if contents.forbids_writing {
            return Response::from_string("{}").with_status_code(403);
        }
    }
    match path.strip_prefix("/repos/owner/engine/") {
        Some(path) => github(contents, address, &method, path, &query, &body),
        None => gitlab(contents, &method, path, &query, &body),
    }
}

fn github(
    contents: &mut Contents,
    address: &str,
    method: &Method,
    path: &str,
    query: &BTreeMap<String, String>,
    body: &str,
) -> Answer {
    let words: Vec<&str> = path.split('/').collect();
    let text = || serde_json::from_str::<Value>(body).expect("JSON")["body"].clone();
    match (method, &words[..]) {
        (Method::Get, ["pulls"]) => {
            let asked = query.get("head").expect("a head");
            let is_asked = |pull: &&Value| pull["head"]["label"] == **asked;
            json_answer(&contents.pulls.iter().filter(is_asked).cloned().collect())
        }
        (Method::Get, ["actions", "runs", "77", "artifacts"]) => {
            let asked = query.get("name").expect("a name");
            let named = contents.artifacts.iter().filter(|artifact| artifact.1 == *asked);
            let shown = named.map(|(id, name, bytes)| {
                json!({ "id": id, "name": name, "size_in_bytes": bytes.len(), "expired": false })
            });
            json_answer(&json!({ "artifacts": shown.collect::<Vec<_>>() }))
        }
        (Method::Get, ["actions", "artifacts", number, "zip"]) => {
            let location = format!("Location: {address}/storage/{number}");
            let location: Header = location.parse().expect("a header");
            Response::from_string("").with_status_code(302).with_header(location)
        }
        (Method::Get, ["issues", "5", "comments"]) => page(contents, query),
        (Method::Post, ["issues", "5", "comments"]) => {
            let user = json!({ "login": "github-actions[bot]" });
            add(contents, json!({ "user": user, "author_association": "NONE", "body": text() }))
        }
        (Method::Patch, ["issues", "comments", number]) => change(contents, number, text()),
        _ => Response::from_string("{}").with_status_code(404),
    }
}

fn gitlab(
    contents: &mut Contents,
    method: &Method,
    path: &str,
    query: &BTreeMap<String, String>,
    body: &str,
) -> Answer {
    let words: Vec<&str> = path.trim_start_matches("/api/v4/").split('/').collect();
    let text = || Value::from(form(body).remove("body").expect("a body"));
    match (method, &words[..]) {
        (Method::Get, ["user"]) => json_answer(&json!({ "id": 8 })),
        (Method::Get, ["projects", "9", "pipelines", "44", "jobs"]) => {
            json_answer(&json!([{ "id": 600, "name": "lint" }, { "id": 601, "name": "threefold" }]))
        }
        (Method::Get, ["projects", "9", "merge_requests", "3", "notes"]) => page(contents, query),
        (Method::Post, ["projects", "9", "merge_requests", "3", "notes"]) => {
            add(contents, json!({ "author": { "id": 8 }, "body": text() }))
        }
        (Method::Put, ["projects", "9", "merge_requests", "3", "notes", number]) => {
            change(contents, number, text())
        }
        _ => Response::from_string("{}").with_status_code(404),
    }
}

/// A page of the comments.
fn page(contents: &Contents, query: &BTreeMap<String, String>) -> Answer {
    let number = |key: &str| query.get(key).and_then(|text| text.parse::<usize>().ok()).expect("a number");
    let size = number("per_page");
    let comments = contents.comments.iter().skip(size * (number("page") - 1)).take(size);
    json_answer(&comments.cloned().collect())
}

fn add(contents: &mut Contents, mut comment: Value) -> Answer {
    comment["id"] = json!(1000 + contents.comments.len());
    comment["html_url"] = json!("https://example.org/comment");
    contents.comments.push(comment.clone());
    json_answer(&comment).with_status_code(201)
}

fn change(contents: &mut Contents, number: &str, text: Value) -> Answer {
    let number = number.parse().ok();
    match contents.comments.iter_mut().find(|comment| comment["id"].as_u64() == number) {
        Some(comment) => {
            comment["body"] = text;
            json_answer(comment)
        }
        None => Response::from_string("{}").with_status_code(404),
    }
}

fn json_answer(value: &Value) -> Answer {
    Response::from_string(value.to_string())
}

/// The values of a form or of a query.
fn form(text: &str) -> BTreeMap<String, String> {
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(key, value)| (decoded(key), decoded(value))).collect()
}

/// A value of a form, whose other characters are `%` and two digits.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let digits: Vec<u8> = rest.by_ref().take(2).collect();
                let digits = String::from_utf8(digits).expect("digits");
                bytes.push(u8::from_str_radix(&digits, 16).expect("hexadecimal digits"));
            }
            byte => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).expect("UTF-8")
}

/// A zip archive of files.
pub(super) fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).expect("a name");
        writer.write_all(bytes).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}
