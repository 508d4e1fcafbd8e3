//! Numbers that nobody says and that whoever sums up may work out: a share, what is left, a sum, the same hour by another
//! clock, a rounded value.

use std::sync::OnceLock;

use crate::extract::words;

/// A number as it stands in a line of a summary.
pub(super) struct Worked<'a> {
    pub value: f64,
    /// The line before it and behind it.
    pub before: &'a str,
    pub behind: &'a str,
    /// The numbers beside it that an `of` joins with it.
    pub joined: Vec<f64>,
}

/// So many numbers of a sentence, and so many sentences, are put together.
const MOST: usize = 12;
/// So far a rounded value may be off, as a share.
const ROUGH: f64 = 0.15;

struct Cues {
    total: Vec<&'static str>,
    rest: Vec<&'static str>,
    about: Vec<&'static str>,
}

fn cues() -> &'static Cues {
    static CUES: OnceLock<Cues> = OnceLock::new();
    CUES.get_or_init(|| {
        let list = include_str!("../../assets/lexicon/en/sums.txt");
        let of = |name: &str| {
            let rows = list.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            rows.flat_map(str::split_whitespace).collect()
        };
        Cues { total: of("total"), rest: of("rest"), about: of("about") }
    })
}

impl Worked<'_> {
    /// Whether it comes of the numbers of these sentences.
    pub(super) fn comes_of(&self, sentences: &[Vec<f64>]) -> bool {
        let short = || sentences.iter().take(MOST).map(|one| &one[..one.len().min(MOST)]);
        let cues = cues();
        short().any(|one| self.is_share(one) || self.is_rest(one) || self.is_hour(one))
            || self.has(&cues.total) && short().any(|one| self.is_total(one))
            || self.has(&cues.rest) && {
                let all: Vec<f64> = short().flatten().copied().collect();
                all.iter().any(|a| all.iter().any(|b| is(a - b, self.value)))
            }
    }

    /// `About ten` of 11.
    pub(super) fn rounds(&self, said: f64) -> bool {
        let about = words(self.before).last().is_some_and(|last| cues().about.contains(&&*last.lower));
        about && (said - self.value).abs() <= ROUGH * said
    }

    fn has(&self, cues: &[&str]) -> bool {
        [self.before, self.behind].iter().any(|side| words(side).iter().any(|word| cues.contains(&&*word.lower)))
    }

    /// `25 %` of 61 and 244.
    fn is_share(&self, said: &[f64]) -> bool {
        let near = |part: f64, all: f64| {
            let share = 100.0 * part / all;
            part < all && [share, 100.0 - share].iter().any(|share| (share - self.value).abs() < 0.6)
        };
        self.behind.trim_start().starts_with('%') && said.iter().any(|part| said.iter().any(|all| near(*part, *all)))
    }

    /// `183 of 244` where 61 of 244 are something else, and `3 of 213` where 210 are.
    fn is_rest(&self, said: &[f64]) -> bool {
        self.joined.iter().filter(|other| said.contains(other)).any(|other| {
            let both = [(other - self.value).abs(), other + self.value];
            self.value >= 2.0 && both.iter().any(|one| *one >= 2.0 && !is(*one, *other) && said.contains(one))
        })
    }

    /// `10 pm` of 22.
    fn is_hour(&self, said: &[f64]) -> bool {
        let behind = self.behind.trim_start().to_lowercase();
        let later = behind.starts_with("pm") || behind.starts_with("p.m");
        later && self.value <= 12.0 && said.iter().any(|one| is(*one, self.value + 12.0))
    }

    /// All of some numbers that follow each other, or two of them multiplied.
    fn is_total(&self, said: &[f64]) -> bool {
        let sum = (0..said.len()).any(|from| {
            let mut sum = 0.0;
            said[from..].iter().enumerate().any(|(at, one)| {
                sum += one;
                at > 0 && is(sum, self.value)
            })
        });
        sum || said.iter().any(|one| said.iter().any(|other| is(one * other, self.value)))
    }
}

fn is(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_worked_out_is_no_invention_and_all_else_is() {
        for (before, value, behind, joined, said, want) in [
            ("", 183.0, " of 244 rows are good", &[244.0][..], &[61.0, 244.0][..], true),
            ("", 184.0, " of 244 rows are good", &[244.0], &[61.0, 244.0], false),
            ("3 of ", 213.0, " tests fail", &[3.0], &[3.0, 210.0], true),
            ("", 25.0, " % are bad", &[], &[61.0, 244.0], true),
            ("", 27.0, " % are bad", &[], &[61.0, 244.0], false),
            ("Lyon and Graz: ", 67.0, " shops in total", &[], &[55.0, 12.0], true),
            ("Lyon and Graz: ", 67.0, " shops", &[], &[55.0, 12.0], false),
            ("", 9.0, " days altogether", &[], &[3.0, 40.0], true),
            ("Remaining: ", 750.0, " euros", &[], &[900.0, 150.0], true),
            ("from ", 10.0, " pm", &[], &[22.0, 7.0], true),
            ("from ", 11.0, " pm", &[], &[22.0, 7.0], false),
        ] {
            let worked = Worked { value, before, behind, joined: joined.to_vec() };
            assert_eq!(worked.comes_of(&[said.to_vec()]), want, "{before}{value}{behind}");
        }
        for (before, said, want) in [("about ", 11.0, true), ("about ", 17.0, false), ("after ", 11.0, false)] {
            let worked = Worked { value: 10.0, before, behind: " minutes", joined: Vec::new() };
            assert_eq!(worked.rounds(said), want, "{before}{said}");
        }
    }
}
