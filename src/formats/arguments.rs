//! What a call was given, as JSON, taken out of its raw line: the text of a part shows it, and this is its bytes.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// Only where the blocks of a message are: most of a line is passed over.
#[derive(Deserialize)]
struct Holder<'a> {
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Call {
    id: Option<Value>,
    #[serde(alias = "arguments")]
    input: Option<Value>,
}

/// The JSON of what each call in this line was given, by the call's id; empty where the line is of no agent's that is
/// known here, or is no JSON.
pub fn arguments(raw: &[u8]) -> Vec<(String, String)> {
    let Ok(line) = serde_json::from_slice::<Holder>(raw) else { return Vec::new() };
    let message = line.message.and_then(|message| serde_json::from_str::<Holder>(message.get()).ok());
    let content = message.as_ref().unwrap_or(&line).content.map_or("[]", RawValue::get);
    let blocks: Vec<&RawValue> = serde_json::from_str(content).unwrap_or_default();
    let call = |block: &RawValue| {
        let Call { id, input } = serde_json::from_str(block.get()).ok()?;
        Some((id?.as_str()?.to_owned(), input?.to_string()))
    };
    blocks.into_iter().filter_map(call).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_call_was_given_is_taken_from_its_line() {
        let claude = br#"{"message":{"content":[{"type":"text","text":"so"},{"type":"tool_use","id":"c1","name":"Read","input":{"path":"a.rs","n":2}}]}}"#;
        let pi =
            br#"{"message":{"content":[{"type":"toolCall","id":"c2","name":"read","arguments":{"path":"b.rs"}}]}}"#;
        assert_eq!(arguments(claude), [("c1".to_owned(), r#"{"path":"a.rs","n":2}"#.to_owned())]);
        assert_eq!(arguments(pi), [("c2".to_owned(), r#"{"path":"b.rs"}"#.to_owned())]);
        for nothing in
            ["{", "[]", r#"{"message":"said"}"#, r#"{"content":"said"}"#, r#"{"content":[{"id":7,"input":{}}]}"#]
        {
            assert_eq!(arguments(nothing.as_bytes()), [], "{nothing}");
        }
    }
}
