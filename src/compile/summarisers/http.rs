//! A service that is asked over HTTP. Its key goes to the one host that the settings name and nowhere else: no redirect is
//! followed, and without TLS only this machine is spoken to. What it answers is bounded in time and size.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use ureq::http::Uri;
use ureq::tls::TlsConfig;
use ureq::{Agent, Error};

use super::key::Key;
use super::parse::parse;
use super::process::Ended;
use super::prompt::{Asked, asked};
use super::protocol::{Protocol, complaint};
use super::settings::Limits;
use super::{Brief, HearTries, Sentence, Summariser, SummaryError};
use crate::text::{HIDDEN, without_secrets};

/// How often it is looked whether somebody wants it to stop.
const LOOK: Duration = Duration::from_millis(20);
/// So often one brief is sent, the first time included.
const TRIES: u32 = 4;
/// The first wait; each one behind it is twice as long.
const WAIT: Duration = Duration::from_millis(500);
/// A service that wants to be left alone for longer is left alone.
const PATIENCE: Duration = Duration::from_mins(1);
/// Of an answer that says what went wrong so much is read.
const COMPLAINT: u64 = 16 * 1024;

/// Where a service is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub host: String,
    url: String,
    /// On this machine.
    near: bool,
}

impl Address {
    /// Refused unless it is https, or on this machine.
    pub fn new(url: &str, protocol: Protocol) -> Result<Self, String> {
        let refused = |why: &str| format!("cannot use the url under [summariser]: {why}");
        let uri: Uri = url.trim().parse().map_err(|_| refused(&format!("{url:?} is no address")))?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(refused(&format!("{url:?} does not begin with https://")));
        };
        if authority.as_str().contains('@') {
            return Err(refused("it holds a name or a password (give a key by key_env or key_command)"));
        }
        let host = authority.host().trim_matches(['[', ']']).to_lowercase();
        let near = host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback());
        if !(scheme == "https" || scheme == "http" && near) {
            return Err(refused("only https is used, and http on this machine"));
        }
        let (path, query) = (uri.path().trim_end_matches('/'), uri.query());
        let path = if path.ends_with(protocol.path()) {
            path.to_owned()
        } else if path.is_empty() {
            format!("/v1/{}", protocol.path())
        } else {
            format!("{path}/{}", protocol.path())
        };
        let query = query.map_or(String::new(), |query| format!("?{query}"));
        Ok(Self { url: format!("{scheme}://{authority}{path}{query}"), host, near })
    }
}

/// A service.
pub(super) struct Service {
    address: Address,
    model: String,
    protocol: Protocol,
    key: Key,
    limits: Limits,
    agent: Agent,
    /// The first wait between two tries.
    wait: Duration,
    /// `None`: nobody asked.
    hear_tries: Option<HearTries>,
}

/// One request that came to nothing.
struct Miss {
    why: String,
    /// Whether it may be sent again, and after how long at the least.
    again: Option<Duration>,
    /// It wants the limit of the answer under its newer name.
    newer: bool,
}

impl Miss {
    fn lasting(why: String) -> Self {
        Self { why, again: None, newer: false }
    }

    fn passing(why: String) -> Self {
        Self { why, again: Some(Duration::ZERO), newer: false }
    }
}

impl Service {
    pub fn new(address: Address, model: String, protocol: Protocol, key: Key, limits: Limits) -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(limits.timeout))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .https_only(!address.near)
            .tls_config(TlsConfig::default())
            .user_agent(concat!("stet/", env!("CARGO_PKG_VERSION")))
            .max_idle_connections(0);
        // What runs on this machine is no proxy's affair.
        let config = if address.near { config.proxy(None) } else { config };
        let agent = config.build().new_agent();
        Self { address, model, protocol, key, limits, agent, wait: WAIT, hear_tries: None }
    }

    /// Sends it, again where that may help; the text of the answer.
    fn ask(&self, asked: &Asked, key: Option<&str>, stop: &dyn Fn() -> bool) -> Result<String, Ended> {
        let (mut newer, mut wait, mut tries) = (false, self.wait, 0);
        loop {
            tries += 1;
            let miss = match self.send(asked, key, newer, stop)? {
                Ok(answer) => return Ok(answer),
                Err(miss) => miss,
            };
            if miss.newer && !newer {
                newer = true;
                continue;
            }
            let failed = |why: String| Ended::Failed(why);
            let Some(least) = miss.again else { return Err(failed(miss.why)) };
            if least > PATIENCE {
                return Err(failed(format!("{}; it wants to be asked again in {} s", miss.why, least.as_secs())));
            }
            if tries >= TRIES {
                return Err(failed(format!("{} ({tries} tries)", miss.why)));
            }
            if let Some(hear) = &self.hear_tries {
                hear(&format!("{} (try {tries} of {TRIES})", miss.why));
            }
            pause(wait.max(least), stop)?;
            wait *= 2;
        }
    }

    /// Sends it once, on a thread of its own, so that somebody can stop it.
    fn send(
        &self,
        asked: &Asked,
        key: Option<&str>,
        newer: bool,
        stop: &dyn Fn() -> bool,
    ) -> Result<Result<String, Miss>, Ended> {
        let (tell, told) = channel();
        let mut request = self.agent.post(&self.address.url).header("content-type", "application/json");
        for (name, value) in self.protocol.headers(key) {
            request = request.header(name, value);
        }
        let body = self.protocol.body(&self.model, asked, newer);
        let (limits, protocol, model) = (self.limits.clone(), self.protocol, self.model.clone());
        std::thread::spawn(move || {
            let heard = request.send(body.as_bytes()).map_err(|error| missed(&error, &limits));
            let heard = heard.and_then(|response| read(response, protocol, &model, &limits));
            let _ = tell.send(heard);
        });
        // What the service echoes of the key is hidden like the key: what it answers is stored.
        let keyless = |text: String| key.map_or(text.clone(), |key| text.replace(key, HIDDEN));
        let hide = |miss: Miss| Miss { why: without_secrets(&keyless(miss.why)).0, ..miss };
        loop {
            if stop() {
                return Err(Ended::Stopped);
            }
            match told.recv_timeout(LOOK) {
                Ok(heard) => return Ok(heard.map(keyless).map_err(hide)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Ended::Failed("the request broke off (try again)".to_owned()));
                }
            }
        }
    }
}

impl Summariser for Service {
    fn name(&self) -> String {
        format!("http {} {}", self.address.host, self.model)
    }

    fn window(&self) -> u64 {
        self.limits.window
    }

    fn hear_tries(&mut self, hear: HearTries) {
        self.hear_tries = Some(hear);
    }

    fn summarise(&self, brief: &Brief, stop: &dyn Fn() -> bool) -> Result<Vec<Sentence>, SummaryError> {
        let asked = asked(brief, self.limits.window)?;
        let ended = |ended| match ended {
            Ended::Stopped => SummaryError::Cancelled,
            Ended::Failed(why) => SummaryError::Failed { who: self.name(), why },
        };
        let key = self.key.read(stop).map_err(ended)?;
        let answer = self.ask(&asked, key.as_deref(), stop).map_err(ended)?;
        let sentences = parse(&answer, brief.sentences);
        if sentences.is_empty() {
            return Err(ended(Ended::Failed("it answered nothing that reads as a sentence".to_owned())));
        }
        Ok(sentences)
    }
}

/// Waits, unless somebody wants it to stop.
fn pause(wait: Duration, stop: &dyn Fn() -> bool) -> Result<(), Ended> {
    let until = Instant::now() + wait;
    while Instant::now() < until {
        if stop() {
            return Err(Ended::Stopped);
        }
        std::thread::sleep(LOOK.min(until.saturating_duration_since(Instant::now())));
    }
    Ok(())
}

/// The text of an answer, or what its status means.
fn read(
    mut response: ureq::http::Response<ureq::Body>,
    protocol: Protocol,
    model: &str,
    limits: &Limits,
) -> Result<String, Miss> {
    let status = response.status();
    let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let (kind, after) = (header("content-type").unwrap_or_default(), header("retry-after"));
    if !status.is_success() {
        let body = response.body_mut().with_config().limit(COMPLAINT).read_to_vec().unwrap_or_default();
        return Err(refusal(status.as_u16(), &complaint(&body), model, after.as_deref()));
    }
    let body = response.body_mut().with_config().limit(limits.max_bytes as u64).read_to_vec();
    let body = body.map_err(|error| missed(&error, limits))?;
    let answer = serde_json::from_slice(&body).map_err(|error| Miss::lasting(no_json(&kind, &error)))?;
    protocol.answer(&answer).map_err(Miss::lasting)
}

/// What an answer is that is no JSON. What it says of its type counts only now: some say nothing, and some say it wrong.
fn no_json(kind: &str, error: &serde_json::Error) -> String {
    if kind.is_empty() || kind.to_ascii_lowercase().contains("json") {
        return format!("its answer is no JSON ({error}): is the url right?");
    }
    format!("it answered with {:?} and not with JSON: is the url right?", &kind[..kind.floor_char_boundary(60)])
}

/// What a status means, and what to do.
fn refusal(status: u16, said: &str, model: &str, after: Option<&str>) -> Miss {
    let said = if said.is_empty() { String::new() } else { format!(": {said}") };
    let after = after.and_then(|after| after.trim().parse().ok()).map_or(Duration::ZERO, Duration::from_secs);
    let again = |why: String| Miss { why, again: Some(after), newer: false };
    match status {
        300..=399 => Miss::lasting(format!(
            "it points to another address (status {status}): the key goes to no other host (set url to where it is now)"
        )),
        400 if said.contains("max_completion_tokens") => {
            Miss { why: format!("it refused (status 400){said}"), again: None, newer: true }
        }
        401 | 403 => Miss::lasting(format!(
            "it does not accept the key (status {status}){said} (look at key_env or key_command)"
        )),
        404 => Miss::lasting(format!(
            "it does not know the model {model:?} or the address (status 404){said} (look at model and url)"
        )),
        408 => again(format!("it waited too long for the request (status 408){said}")),
        413 => Miss::lasting(format!("it was too much to read (status 413){said} (lower window)")),
        429 => again(format!("it is asked too often, or there is no quota left (status 429){said}")),
        500..=599 => again(format!("it failed (status {status}){said}")),
        other => Miss::lasting(format!("it refused (status {other}){said}")),
    }
}

/// Why there was no answer at all.
fn missed(error: &Error, limits: &Limits) -> Miss {
    match error {
        Error::Timeout(_) => {
            let seconds = limits.timeout.as_secs_f32();
            Miss::passing(format!("no answer within {seconds} s (raise timeout under [summariser])"))
        }
        Error::BodyExceedsLimit(_) => {
            Miss::lasting(format!("its answer is longer than {} bytes (raise max_bytes)", limits.max_bytes))
        }
        Error::Io(io) if io.kind() == std::io::ErrorKind::ConnectionRefused => {
            Miss::lasting("nothing listens there (start it, or look at url)".to_owned())
        }
        Error::HostNotFound => Miss::lasting("the host is not known (look at url, and at the network)".to_owned()),
        other => Miss::passing(format!("the connection failed: {other}")),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "http_tests.rs"]
mod tests;
