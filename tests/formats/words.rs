//! What each kind of line says, and who said it.

use super::{CLAUDE, PI, check};

#[test]
fn claude_code_lines_say_who_spoke() {
    check(
        CLAUDE,
        &[
            (
                r#"{"type":"user","message":{"role":"user","content":"keep port 8080"}}"#,
                r#"user | user: text "keep port 8080""#,
            ),
            (
                r#"{"type":"user","message":{"content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAAAAAA"}}]}}"#,
                r#"user | user: text "a" | user: [image/png, 6 bytes]"#,
            ),
            (
                r#"{"type":"user","message":{"content":"do it<system-reminder>never</system-reminder>"}}"#,
                r#"user | user: text "do it" | tool: text "<system-reminder>never</system-reminder>""#,
            ),
            (
                r#"{"type":"user","origin":{"kind":"task-notification"},"message":{"content":"agent finished"}}"#,
                r#"user | tool: text "agent finished""#,
            ),
            (
                r#"{"type":"user","isVisibleInTranscriptOnly":true,"message":{"content":"only for the eye"}}"#,
                r#"(shown only) "only for the eye""#,
            ),
            (r#"{"type":"user","isMeta":true,"message":{"content":"Caveat: x"}}"#, r#"(meta) "Caveat: x""#),
            (
                r#"{"type":"user","message":{"content":"<command-name>/exit</command-name>\n<command-args></command-args>"}}"#,
                r#"(command) "<command-name>/exit</command-name>\n<command-args></command-args>""#,
            ),
            (
                r#"{"type":"user","message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}}"#,
                r#"(interrupted) "[Request interrupted by user]""#,
            ),
            (
                r#"{"type":"user","toolUseResult":{"agentId":"ab12"},"message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"one"},{"type":"text","text":"two"},{"type":"image","source":{"media_type":"image/png","data":"AAAA"}}]}]}}"#,
                r#"user | tool: result t1 "one\ntwo" | tool: [image/png, 3 bytes] started ab12"#,
            ),
            (
                r#"{"type":"user","toolUseResult":"Error: no","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"The user doesn't want to proceed with this tool use. The user said:\nnot on main"}]}}"#,
                r#"user | user: result t1 failed "The user doesn't want to proceed with this tool use. The user said:\nnot on main""#,
            ),
            (
                r#"{"type":"user","toolUseResult":{"stdout":"x"},"message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"User has approved your plan"}]}}"#,
                r#"user | tool: result t1 "User has approved your plan""#,
            ),
            (
                r#"{"type":"attachment","uuid":"q","attachment":{"type":"queued_command","prompt":"also test it","commandMode":"prompt"}}"#,
                r#"user | user: text "also test it""#,
            ),
            (
                r#"{"type":"attachment","uuid":"q","attachment":{"type":"queued_command","prompt":"done","commandMode":"task-notification"}}"#,
                r#"user | tool: text "done""#,
            ),
            (
                r#"{"type":"assistant","message":{"id":"m1","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"ok"},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls","n":1}}]}}"#,
                r#"assistant m1 | agent: thinking "hm" | agent: text "ok" | agent: call t1 Bash "command: ls\nn: 1""#,
            ),
            (
                r#"{"type":"assistant","message":{"id":"m1","content":[{"type":"thinking","thinking":"","signature":"AAAA"},{"type":"hologram","x":1}]}}"#,
                "assistant m1 | agent: [thinking, encrypted, 4 bytes] | agent: [unknown block hologram, 25 bytes]",
            ),
            (
                r#"{"type":"assistant","isApiErrorMessage":true,"message":{"id":"m1","content":[{"type":"text","text":"API Error"}]}}"#,
                r#"(api error) "API Error""#,
            ),
            (
                r#"{"type":"assistant","isSidechain":true,"agentId":"ab","message":{"id":"m1","content":"hi"}}"#,
                r#"assistant m1 | agent: text "hi" side "ab""#,
            ),
        ],
    );
}

#[test]
fn claude_code_lines_mark_compactions() {
    check(
        CLAUDE,
        &[
            (
                r#"{"type":"system","subtype":"compact_boundary","uuid":"b","logicalParentUuid":"u0","compactMetadata":{"trigger":"auto","preTokens":176700}}"#,
                "compaction auto 176700 to ?",
            ),
            (
                r#"{"type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"manual","preTokens":9,"postTokens":3,"preservedMessages":{"anchorUuid":"x","uuids":["a","b"]}}}"#,
                r#"compaction manual 9 to 3 ["a", "b"]"#,
            ),
            (
                r#"{"type":"system","subtype":"compact_boundary","compact_metadata":{"trigger":"auto","pre_tokens":9,"preserved_segment":{"head_uuid":"a","tail_uuid":"c"}}}"#,
                "compaction auto 9 to ? a..c",
            ),
            (r#"{"type":"system","subtype":"compact_boundary"}"#, "compaction ? ? to ?"),
            (
                r#"{"type":"user","isCompactSummary":true,"message":{"content":"Summary:\n1. x"}}"#,
                r#"summary "Summary:\n1. x""#,
            ),
            (
                r#"{"type":"user","isCompactSummary":true,"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}"#,
                r#"summary "a\nb""#,
            ),
            (
                r#"{"type":"system","subtype":"microcompact_boundary","microcompactMetadata":{"preTokens":5,"tokensSaved":2,"compactedToolIds":["a","b"]}}"#,
                "note Some(5) Some(2) 2",
            ),
            (
                r#"{"type":"custom-title","sessionId":"s1","customTitle":"Orders"}"#,
                r#"(custom title) named "Orders" "Orders""#,
            ),
            (r#"{"type":"progress","data":{"type":"bash_progress","output":"50 %"}}"#, r#"(progress) "50 %""#),
            (r#"{"type":"system","subtype":"turn_duration","durationMs":12}"#, r#"(turn duration) "12""#),
        ],
    );
}

#[test]
fn pi_lines_of_every_version_are_read() {
    check(
        PI,
        &[
            (
                r#"{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-02T09:14:00Z","message":{"role":"user","content":"hi"}}"#,
                r#"user | user: text "hi""#,
            ),
            (
                r#"{"type":"message","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"ok"},{"type":"toolCall","id":"t","name":"read","arguments":{"path":"a.rs"}}],"usage":{"input":1,"cacheRead":2}}}"#,
                r#"assistant | agent: thinking "hm" | agent: text "ok" | agent: call t read "path: a.rs""#,
            ),
            (
                r#"{"type":"message","message":{"role":"toolResult","toolCallId":"t","content":[{"type":"text","text":"fn main"},{"type":"image","data":"AAAA","mimeType":"image/png"}],"isError":true}}"#,
                r#"user | tool: result t failed "fn main" | tool: [image/png, 3 bytes]"#,
            ),
            (
                r#"{"type":"message","message":{"role":"bashExecution","command":"ls","output":"a\nb"}}"#,
                r#"user | tool: text "! ls\na\nb""#,
            ),
            (
                r#"{"type":"custom_message","customType":"x","content":"from an extension"}"#,
                r#"user | tool: text "from an extension""#,
            ),
            (
                r#"{"type":"message","message":{"role":"assistant","content":[],"errorMessage":"aborted"}}"#,
                r#"(empty message) "aborted""#,
            ),
            (
                r#"{"type":"compaction","id":"c","summary":"Goal","firstKeptEntryId":"a","tokensBefore":9}"#,
                r#"compaction ? 9 to ? kept from Id("a") "Goal""#,
            ),
            (
                r#"{"type":"compaction","summary":"Goal","firstKeptEntryIndex":293,"tokensBefore":9}"#,
                r#"compaction ? 9 to ? kept from Line(293) "Goal""#,
            ),
            (r#"{"type":"branch_summary","fromId":"a","summary":"went back"}"#, r#"(branch summary) "went back""#),
            (r#"{"type":"session_info","name":"Orders"}"#, r#"(custom title) named "Orders" "Orders""#),
            (r#"{"type":"model_change","modelId":"m"}"#, r#"(model) "m""#),
            (
                r#"{"type":"message","message":{"role":"hologram"}}"#,
                r#"(unknown role hologram) "{\"role\":\"hologram\"}""#,
            ),
        ],
    );
}
