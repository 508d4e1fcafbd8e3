//! The words under which the session's own enums stand in the database and in the interchange format.

use crate::session::{Role, Speaker, Trigger};

pub(super) fn role(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::System => "system",
    }
}

pub(super) fn role_named(name: &str) -> Option<Role> {
    [Role::User, Role::Assistant, Role::System].into_iter().find(|value| role(*value) == name)
}

pub(super) fn speaker(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
        Speaker::Tool => "tool",
        Speaker::System => "system",
    }
}

pub(super) fn speaker_named(name: &str) -> Option<Speaker> {
    [Speaker::User, Speaker::Assistant, Speaker::Tool, Speaker::System]
        .into_iter()
        .find(|value| speaker(*value) == name)
}

pub(super) fn trigger(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Auto => "auto",
        Trigger::Manual => "manual",
        Trigger::Seam => "seam",
        Trigger::Pressure => "pressure",
        Trigger::Length => "length",
        Trigger::Topic => "topic",
        Trigger::Unknown => "unknown",
    }
}

pub(super) fn trigger_named(name: &str) -> Option<Trigger> {
    [
        Trigger::Auto,
        Trigger::Manual,
        Trigger::Seam,
        Trigger::Pressure,
        Trigger::Length,
        Trigger::Topic,
        Trigger::Unknown,
    ]
    .into_iter()
    .find(|value| trigger(*value) == name)
}
