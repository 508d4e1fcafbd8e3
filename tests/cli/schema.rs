//! What is printed is what the schemas say.

use serde_json::Value;

use crate::home::{Home, kept, orders};

/// Checks a value against as much of JSON Schema as our schemas use.
fn check(root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
    let fail = |why: String| Err(format!("{path}: {why}"));
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/")) {
        return check(root, &root["$defs"][name], value, path);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let all: Result<Vec<()>, String> = Err(format!("{path}: nothing of anyOf fits {value}"));
        return if any.iter().any(|one| check(root, one, value, path).is_ok()) { Ok(()) } else { all.map(|_| ()) };
    }
    if let Some(wanted) = schema.get("const").filter(|wanted| *wanted != value) {
        return fail(format!("{value} is not {wanted}"));
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        return fail(format!("{value} is none of {}", schema["enum"]));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the schema says {other}"),
    };
    if !types.is_empty() && !types.iter().any(|name| is(name)) {
        return fail(format!("{value} is no {types:?}"));
    }
    if let (Some(object), Some(properties)) = (value.as_object(), schema["properties"].as_object()) {
        for key in schema["required"].as_array().into_iter().flatten() {
            if !object.contains_key(key.as_str().unwrap()) {
                return fail(format!("{key} is missing"));
            }
        }
        for (key, inner) in object {
            let Some(property) = properties.get(key) else { return fail(format!("{key} is not in the schema")) };
            check(root, property, inner, &format!("{path}.{key}"))?;
        }
    }
    for (at, inner) in value.as_array().into_iter().flatten().enumerate() {
        check(root, &schema["items"], inner, &format!("{path}[{at}]"))?;
    }
    Ok(())
}

#[test]
fn every_document_is_what_its_schema_says() {
    let home = Home::new();
    home.may_pin();
    home.file("orders.jsonl", orders().text().replacen('\n', "\nbroken\n", 1));
    home.file("night.jsonl", kept());
    home.run(["import", "night.jsonl"]);
    home.run(["ledger", "correct", "orders.jsonl", "m1.d1", "--as", "reopened"]);
    home.run(["ledger", "withdraw", "orders.jsonl", "L1"]);
    for (name, args) in [
        ("audit", &["audit", "orders.jsonl"][..]),
        ("audit", &["audit", "night-shift"]),
        ("blocks", &["compile", "orders.jsonl", "--target", "1", "--records"]),
        ("lineage", &["lineage", "orders.jsonl", "m1.d1"]),
        ("transcript", &["show", "orders.jsonl"]),
        ("record", &["show", "orders.jsonl", "-m", "1"]),
        ("record", &["show", "night-shift", "-m", "1"]),
        ("ledger", &["ledger", "list", "orders.jsonl"]),
        ("ledger-verify", &["ledger", "verify", "orders.jsonl"]),
        ("told", &["ledger", "print", "orders.jsonl"]),
        ("sessions", &["ls"]),
        ("doctor", &["doctor"]),
        ("simulation", &["simulate", "survival", "--runs", "2"]),
        ("simulation", &["simulate", "arms", "--items", "10"]),
        ("window", &["window", "night-shift", "--budget", "900", "--text"]),
        ("window", &["window", "orders.jsonl", "--budget", "40"]),
        ("cost", &["cost", "orders.jsonl"]),
        ("cost", &["cost", "--profile", "paper"]),
    ] {
        let schema: Value = serde_json::from_str(&home.run(["schema", name]).out).unwrap();
        let printed = home.run(args.iter().copied().chain(["--format", "json"]));
        let value: Value = serde_json::from_str(&printed.out).unwrap();
        assert_eq!(value.as_object().unwrap().keys().next().unwrap(), "schema");
        check(&schema, &schema, &value, name).unwrap();
    }
    let schema: Value = serde_json::from_str(&home.run(["schema", "part"]).out).unwrap();
    let exported = home.run(["export", "orders.jsonl"]).out;
    let parts = exported.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let parts: Vec<Value> = parts.filter(|line| line["type"] == "part").collect();
    assert_eq!(parts.len(), 7);
    for part in &parts {
        check(&schema, &schema, part, "part").unwrap();
    }
    let schema: Value = serde_json::from_str(&home.run(["schema", "extract"]).out).unwrap();
    let text = "We ruled out 7 MB: it was cold.\nMaybe `a_b`?\nHet is niet zo, en wij gaan dat ook niet doen.\n";
    for extra in [&[][..], &["--lines"]] {
        let args = ["extract", "--format", "json"].iter().chain(extra);
        let items = home.feed(args, text).out;
        assert!(items.lines().count() > 5, "{items}");
        for item in items.lines() {
            check(&schema, &schema, &serde_json::from_str(item).unwrap(), "extract").unwrap();
        }
    }
    let schema: Value = serde_json::from_str(&home.run(["schema", "ack"]).out).unwrap();
    let line = crate::home::part("p1", "t1", "user", "hi").to_string();
    let acks = home.feed(["append", "--session", "live"], &format!("{line}\n")).out;
    assert_eq!(acks.lines().count(), 1);
    check(&schema, &schema, &serde_json::from_str(&acks).unwrap(), "ack").unwrap();
    assert!(home.run(["schema", "interchange"]).out.contains("stet.interchange/1"));
}
