//! What a call was given, as JSON, taken out of its raw line: the text of a part shows it, and this is its bytes.

use serde_json::Value;

/// The JSON of what each call in this line was given, by the call's id; empty where the line is of no agent's that is
/// known here, or is no JSON.
pub fn arguments(raw: &[u8]) -> Vec<(String, String)> {
    let Ok(line) = serde_json::from_slice::<Value>(raw) else { return Vec::new() };
    let message = line.get("message").unwrap_or(&line);
    let blocks = message.get("content").and_then(Value::as_array).into_iter().flatten();
    let call = |block: &Value| {
        let id = block.get("id")?.as_str()?;
        let given = block.get("input").or_else(|| block.get("arguments"))?;
        Some((id.to_owned(), given.to_string()))
    };
    blocks.filter_map(call).collect()
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
        assert_eq!(arguments(b"{"), []);
    }
}
