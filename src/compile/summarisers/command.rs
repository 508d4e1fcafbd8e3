//! Any program that reads the brief on stdin and prints a few sentences: `claude -p`, `llm`, `ollama run NAME`. It is run
//! as it is named, without a shell, and never a second time for one brief.

use super::parse::parse;
use super::process::{Bounds, Ended, run};
use super::prompt::asked;
use super::settings::Limits;
use super::{Brief, Sentence, Summariser, SummaryError};

/// A program of the user's.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// How long, and how much.
    pub limits: Limits,
}

impl Summariser for Program {
    fn name(&self) -> String {
        // The arguments may hold what is nobody's business.
        format!("command {}", self.argv.first().map_or("", String::as_str))
    }

    fn window(&self) -> u64 {
        self.limits.window
    }

    fn summarise(&self, brief: &Brief, stop: &dyn Fn() -> bool) -> Result<Vec<Sentence>, SummaryError> {
        let asked = asked(brief, self.limits.window)?;
        let failed = |why: String| SummaryError::Failed { who: self.name(), why };
        let bounds = Bounds { time: self.limits.timeout, bytes: self.limits.max_bytes };
        let out = run(&self.argv, asked.whole(), bounds, stop).map_err(|ended| match ended {
            Ended::Stopped => SummaryError::Cancelled,
            Ended::Failed(why) => failed(why),
        })?;
        let sentences = parse(&String::from_utf8_lossy(&out), brief.sentences);
        if sentences.is_empty() {
            return Err(failed("it answered nothing that reads as a sentence".to_owned()));
        }
        Ok(sentences)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::time::{Duration, Instant};

    use super::super::world::spoken;
    use super::*;

    fn run(script: &str, limits: Limits, stop: &dyn Fn() -> bool) -> Result<Vec<String>, SummaryError> {
        let argv = ["sh", "-c", script].map(str::to_owned).to_vec();
        let originals = spoken("u: Fix the export.\na: Fixed the export.");
        let brief = Brief { originals: &originals, sentences: 4 };
        let all = Program { argv, limits }.summarise(&brief, stop)?;
        Ok(all.into_iter().map(|one| one.text).collect())
    }

    fn why(script: &str, limits: Limits) -> String {
        run(script, limits, &|| false).unwrap_err().to_string()
    }

    #[test]
    fn a_program_reads_the_brief_and_its_answer_is_drafts() {
        let echo = run("grep -o 'Fixed the export.'", Limits::default(), &|| false).unwrap();
        assert_eq!(echo, ["Fixed the export."]);
        let deaf = run("exec <&-; echo It runs.", Limits::default(), &|| false).unwrap();
        assert_eq!(deaf, ["It runs."]);
    }

    #[test]
    fn a_program_that_fails_says_how_in_one_line() {
        let none = Program { argv: vec!["no-such-program-here".to_owned()], limits: Limits::default() };
        let brief = Brief { originals: &[], sentences: 4 };
        let error = none.summarise(&brief, &|| false).unwrap_err().to_string();
        assert!(error.starts_with("command no-such-program-here: cannot be started"), "{error}");
        for (script, want) in [
            ("echo one >&2; echo 'no such model' >&2; exit 3", "exit code 3: no such model"),
            ("exit 4", "exit code 4: it says nothing of why"),
            ("kill -9 $$", "a signal ended it"),
            ("true", "nothing that reads as a sentence"),
            ("echo password=hunter2222 >&2; exit 1", "exit code 1: password=[hidden]"),
        ] {
            let error = why(script, Limits::default());
            assert!(error.contains(want), "{script}: {error}");
        }
    }

    #[test]
    fn an_endless_answer_and_an_endless_wait_are_cut_off() {
        let small = Limits { max_bytes: 1_000, ..Limits::default() };
        assert!(why("yes", small).contains("more than 1000 bytes"));
        let quick = Limits { timeout: Duration::from_millis(300), ..Limits::default() };
        assert!(why("sleep 30", quick.clone()).contains("no answer within 0.3 s"));
        assert!(why("while :; do echo x >&2; done", quick).contains("no answer within"));
    }

    #[test]
    fn a_stop_kills_everything_that_the_program_started() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let script = format!("sleep 60 & echo $! > {}; wait", file.display());
        let begun = Instant::now();
        let stopped =
            run(&script, Limits::default(), &|| std::fs::read_to_string(&file).is_ok_and(|pid| pid.ends_with('\n')));
        assert_eq!(stopped, Err(SummaryError::Cancelled));
        assert!(begun.elapsed() < Duration::from_secs(20));
        let pid = std::fs::read_to_string(&file).unwrap();
        let gone = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
            stat.is_empty() || stat.contains(") Z ")
        };
        let until = Instant::now() + Duration::from_secs(5);
        while !gone() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(gone(), "the child of the program still runs");
    }
}
