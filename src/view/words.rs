//! Numbers, times and counted nouns as a person reads them.

use std::sync::Arc;

/// Seconds east of UTC at an instant (milliseconds since 1970), as the reader's own clock has it.
#[derive(Clone)]
pub struct Zone(Arc<dyn Fn(i64) -> i32 + Send + Sync>);

impl Zone {
    /// The zone in which this function gives the offset.
    pub fn new(offset: impl Fn(i64) -> i32 + Send + Sync + 'static) -> Self {
        Self(Arc::new(offset))
    }

    /// No offset at any time.
    pub fn utc() -> Self {
        Self::new(|_| 0)
    }

    /// `09:14`; empty for an instant that no calendar holds.
    pub fn clock(&self, at: i64) -> String {
        self.civil(at).map_or_else(String::new, |t| t.strftime("%H:%M").to_string())
    }

    /// `2 Mar 2026`; empty for an instant that no calendar holds.
    pub fn day(&self, at: i64) -> String {
        self.civil(at).map_or_else(String::new, |t| t.strftime("%-d %b %Y").to_string())
    }

    fn civil(&self, at: i64) -> Option<jiff::civil::DateTime> {
        let instant = jiff::Timestamp::from_millisecond(at).ok()?;
        let offset = jiff::tz::Offset::from_seconds((self.0)(at)).ok()?;
        Some(offset.to_datetime(instant))
    }
}

impl std::fmt::Debug for Zone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Zone")
    }
}

/// `48,120`.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 turn`, `12 turns`.
pub fn counted(n: u64, one: &str) -> String {
    let many = match one {
        "entry" => "entries",
        "ledger entry" => "ledger entries",
        "reply" => "replies",
        _ if n == 1 => one,
        _ => return format!("{} {one}s", thousands(n)),
    };
    format!("{} {}", thousands(n), if n == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_nouns_counted() {
        for (n, want) in [(0, "0"), (999, "999"), (1_000, "1,000"), (48_120, "48,120"), (4_812_330, "4,812,330")] {
            assert_eq!(thousands(n), want);
        }
        assert_eq!(counted(1, "turn"), "1 turn");
        assert_eq!(counted(2, "turn"), "2 turns");
        assert_eq!(counted(1, "entry"), "1 entry");
        assert_eq!(counted(1_200, "entry"), "1,200 entries");
    }

    #[test]
    fn times_are_told_in_the_readers_zone_and_never_panic() {
        let berlin = Zone::new(|_| 3600);
        assert_eq!(berlin.clock(1_772_443_440_000), "10:24");
        assert_eq!(berlin.day(1_772_443_440_000), "2 Mar 2026");
        assert_eq!(Zone::utc().clock(i64::MAX), "");
    }
}
