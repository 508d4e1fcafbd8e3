//! The two shapes in which services are asked and answer: chat completions as most speak them, and Anthropic's messages.

use serde_json::{Value, json};

use super::prompt::Asked;

/// The answer may have so many tokens: some models think before they write.
const TOKENS: u32 = 2_048;

/// How the services say that an answer was cut off at its limit.
const CUT_OFF: [&str; 2] = ["length", "max_tokens"];

/// How a service is spoken to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// Chat completions.
    #[default]
    OpenAi,
    /// Messages.
    Anthropic,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::OpenAi, Self::Anthropic];

    /// The word in settings.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::OpenAi => "openai",
            Protocol::Anthropic => "anthropic",
        }
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protocol| protocol.name() == name)
    }

    /// The variable in which people usually keep the key of its maker.
    pub fn usual_key(self) -> &'static str {
        match self {
            Protocol::OpenAi => "OPENAI_API_KEY",
            Protocol::Anthropic => "ANTHROPIC_API_KEY",
        }
    }

    /// Where its maker serves it.
    pub(super) fn maker(self) -> &'static str {
        match self {
            Protocol::OpenAi => "https://api.openai.com/v1",
            Protocol::Anthropic => "https://api.anthropic.com/v1",
        }
    }

    /// What stands behind the version in the address.
    pub(super) fn path(self) -> &'static str {
        match self {
            Protocol::OpenAi => "chat/completions",
            Protocol::Anthropic => "messages",
        }
    }

    /// The headers beside those of every request.
    pub(super) fn headers(self, key: Option<&str>) -> Vec<(&'static str, String)> {
        match self {
            Protocol::OpenAi => key.map(|key| ("authorization", format!("Bearer {key}"))).into_iter().collect(),
            Protocol::Anthropic => {
                let version = [("anthropic-version", "2023-06-01".to_owned())];
                version.into_iter().chain(key.map(|key| ("x-api-key", key.to_owned()))).collect()
            }
        }
    }

    /// What is sent. Some models want the limit of the answer under its newer name.
    pub(super) fn body(self, model: &str, asked: &Asked, newer: bool) -> String {
        let body = match self {
            Protocol::OpenAi => json!({
                "model": model,
                (if newer { "max_completion_tokens" } else { "max_tokens" }): TOKENS,
                "messages": [
                    { "role": "system", "content": asked.rules },
                    { "role": "user", "content": asked.data },
                ],
            }),
            Protocol::Anthropic => json!({
                "model": model,
                "max_tokens": TOKENS,
                "system": asked.rules,
                "messages": [{ "role": "user", "content": asked.data }],
            }),
        };
        body.to_string()
    }

    /// The text of an answer; why there is none, or not all of it.
    pub(super) fn answer(self, body: &Value) -> Result<String, String> {
        let (content, ended) = match self {
            Protocol::OpenAi => {
                let choice = &body["choices"][0];
                (&choice["message"]["content"], &choice["finish_reason"])
            }
            Protocol::Anthropic => (&body["content"], &body["stop_reason"]),
        };
        let text = match content {
            Value::String(text) => text.clone(),
            Value::Array(parts) => {
                let text = |part: &Value| part["text"].as_str().map(str::to_owned);
                parts.iter().filter(|part| part["type"] == "text").filter_map(text).collect::<Vec<_>>().join("\n")
            }
            _ => String::new(),
        };
        if text.trim().is_empty() {
            let ended = ended.as_str().map_or(String::new(), |why| format!(" (it ended with {why:?})"));
            return Err(format!("its answer holds no text{ended}: is protocol = {:?} right?", self.name()));
        }
        // Its last sentence may be half of one, and nobody knows which of the others it would have taken back.
        if ended.as_str().is_some_and(|why| CUT_OFF.contains(&why)) {
            return Err(format!("its answer was cut off at the limit of {TOKENS} tokens: name another model"));
        }
        Ok(text)
    }
}

/// What a service says went wrong, in one line; empty where it says nothing.
pub(super) fn complaint(body: &[u8]) -> String {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let error = &body["error"];
    let said = error["message"].as_str().or(error.as_str()).or(body["message"].as_str()).unwrap_or_default();
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    line[..line.floor_char_boundary(300)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_was_cut_off_is_no_answer() {
        let open_ai =
            |ended: &str| json!({"choices": [{"message": {"content": "It ran. The"}, "finish_reason": ended}]});
        let anthropic = |ended: &str| json!({"content": [{"type": "text", "text": "It ran."}], "stop_reason": ended});
        for (protocol, body, whole) in [
            (Protocol::OpenAi, open_ai("length"), false),
            (Protocol::OpenAi, open_ai("stop"), true),
            (Protocol::OpenAi, json!({"choices": [{"message": {"content": "It ran."}}]}), true),
            (Protocol::Anthropic, anthropic("max_tokens"), false),
            (Protocol::Anthropic, anthropic("end_turn"), true),
        ] {
            let got = protocol.answer(&body);
            assert_eq!(got.is_ok(), whole, "{body}: {got:?}");
            assert!(got.err().is_none_or(|why| why.contains("cut off")), "{body}");
        }
    }
}
