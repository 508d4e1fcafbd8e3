//! What compacting costs in tokens read: again and again over the last summary, against each block once and a span now
//! and then.

/// Tokens read in one kind of step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps {
    /// What is read: `block`, `span`, `compaction`.
    pub what: &'static str,
    /// How often.
    pub times: u64,
    /// Tokens read, all of them together.
    pub tokens: u64,
}

impl Steps {
    /// The tokens of each, where every step reads as many; `None` where they differ, or where there are none.
    pub fn each(&self) -> Option<u64> {
        let each = self.tokens.checked_div(self.times)?;
        (each * self.times == self.tokens).then_some(each)
    }
}

/// How tokens were counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Count {
    /// Four bytes of what was said are one.
    #[default]
    Said,
    /// As the agent tells them: everything in its context, its own instructions and tools too.
    Agents,
}

/// One way of compacting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// How its tokens were counted.
    pub count: Count,
    /// In the order in which they are told.
    pub steps: Vec<Steps>,
    /// The most summarising steps between a turn and the last request.
    pub depth: u32,
}

impl Way {
    /// Tokens that it reads.
    pub fn tokens(&self) -> u64 {
        self.steps.iter().map(|step| step.tokens).sum()
    }
}

/// Both ways over the same session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Each compaction reads the summary before it and what was said since.
    pub recursive: Way,
    /// Each block is read once when it closes, and spans are made from originals.
    pub hierarchical: Way,
}

impl Cost {
    /// How many times as much the second way reads; `None` where the first reads nothing, and where the two were not
    /// counted alike.
    pub fn ratio(&self) -> Option<f64> {
        let recursive = self.recursive.tokens();
        (recursive > 0 && self.recursive.count == self.hierarchical.count)
            .then(|| self.hierarchical.tokens() as f64 / recursive as f64)
    }
}

/// Dollars for so many tokens at a price for a million, in hundredths of a cent.
pub fn dollars(tokens: u64, per_million: f64) -> f64 {
    tokens as f64 / 1_000_000.0 * per_million
}

/// What a million tokens read cost where nobody says otherwise, in dollars.
pub const PRICE: f64 = 0.40;

/// How a session is compacted, where figures of its own are not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Habits {
    /// Turns between two compactions.
    pub every: u64,
    /// Tokens of a summary.
    pub summary: u64,
    /// Turns of a block.
    pub block: u64,
    /// Tokens that a summariser reads at once.
    pub window: u64,
}

impl Default for Habits {
    fn default() -> Self {
        Self { every: 25, summary: 1000, block: 40, window: 200_000 }
    }
}

/// The figures of the literature as they are printed there: 300 turns, 12 compactions of 13,000 tokens; 7 blocks of 48,000
/// and 2 spans of 360,000.
pub fn paper() -> Cost {
    let steps = |what, times, each: u64| Steps { what, times, tokens: times * each };
    Cost {
        recursive: Way { steps: vec![steps("compaction", 12, 13_000)], depth: 12, ..Way::default() },
        hierarchical: Way {
            steps: vec![steps("block", 7, 48_000), steps("span", 2, 360_000)],
            depth: 2,
            ..Way::default()
        },
    }
}

/// A session's own figures: what its compactions read as the agent tells it, and the turns that were said between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Own {
    /// Tokens of each turn of the session itself.
    pub turns: Vec<u64>,
    /// For each marker the tokens that its summariser read, where the agent tells.
    pub markers: Vec<Option<u64>>,
    /// The tokens of each closed block; empty where none was made, and blocks of a fixed length are counted.
    pub blocks: Vec<u64>,
    /// The tokens that each span read.
    pub spans: Vec<u64>,
}

/// What this session cost, or would.
pub fn own(own: &Own, habits: &Habits) -> Cost {
    Cost { recursive: recursive(own, habits), hierarchical: hierarchical(own, habits) }
}

fn recursive(own: &Own, habits: &Habits) -> Way {
    let told: Vec<u64> = own.markers.iter().copied().flatten().collect();
    if !told.is_empty() {
        let tokens = told.iter().sum();
        let steps = vec![Steps { what: "compaction", times: told.len() as u64, tokens }];
        return Way { count: Count::Agents, steps, depth: own.markers.len() as u32 };
    }
    // The first reads no summary; what is left at the end is not compacted.
    let every = usize::try_from(habits.every.max(1)).unwrap_or(usize::MAX);
    let chunks = own.turns.chunks_exact(every);
    let times = chunks.len() as u64;
    let tokens = chunks.flatten().sum::<u64>() + times.saturating_sub(1) * habits.summary;
    Way { steps: vec![Steps { what: "compaction", times, tokens }], depth: times as u32, ..Way::default() }
}

fn hierarchical(own: &Own, habits: &Habits) -> Way {
    let size = usize::try_from(habits.block.max(1)).unwrap_or(usize::MAX);
    let blocks: Vec<u64> = if own.blocks.is_empty() {
        // A block needs something behind it: the last one is open.
        let closed = own.turns.len().saturating_sub(1) / size * size;
        own.turns[..closed].chunks(size).map(|turns| turns.iter().sum()).collect()
    } else {
        own.blocks.clone()
    };
    let spans = if own.spans.is_empty() && blocks.len() > 1 {
        super::spans::siblings(&blocks[..blocks.len() - 1], habits.window).iter().map(|one| one.tokens).collect()
    } else {
        own.spans.clone()
    };
    let depth = u32::from(!blocks.is_empty());
    let mut steps = vec![Steps { what: "block", times: blocks.len() as u64, tokens: blocks.iter().sum() }];
    steps.push(Steps { what: "span", times: spans.len() as u64, tokens: spans.iter().sum() });
    Way { steps, depth, ..Way::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A1.12: 156,000 against 1,056,000, $0.06 against $0.42, ratio 6.77.
    #[test]
    fn the_paper_profile_gives_the_printed_figures() {
        let cost = paper();
        assert_eq!((cost.recursive.tokens(), cost.hierarchical.tokens()), (156_000, 1_056_000));
        let cents = |way: &Way| format!("${:.2}", dollars(way.tokens(), PRICE));
        assert_eq!((cents(&cost.recursive), cents(&cost.hierarchical)), ("$0.06".into(), "$0.42".into()));
        assert_eq!(cost.ratio().map(|ratio| format!("{ratio:.2} {ratio:.3}")), Some("6.77 6.769".into()));
        assert_eq!(cost.hierarchical.steps.iter().map(Steps::each).collect::<Vec<_>>(), [Some(48_000), Some(360_000)]);
    }

    /// C4: 1,200 tokens a turn give 48,000 for a block and 360,000 for the session; 1,333 give 400,000. What is really
    /// read for spans are the closed blocks but the last: 240 turns, 288,000.
    #[test]
    fn a_session_is_counted_by_what_is_really_read() {
        let session = Own { turns: vec![1_200; 300], ..Own::default() };
        let habits = Habits { window: 1_000_000, ..Habits::default() };
        let cost = own(&session, &habits);
        assert_eq!(session.turns.iter().sum::<u64>(), 360_000);
        let [blocks, spans] = cost.hierarchical.steps.as_slice() else { return assert_eq!(cost, Cost::default()) };
        assert_eq!((blocks.times, blocks.each()), (7, Some(48_000)));
        assert_eq!((spans.times, spans.tokens), (1, 288_000));
        assert_eq!((cost.recursive.depth, cost.hierarchical.depth), (12, 1));
        assert_eq!(cost.recursive.tokens(), 360_000 + 11 * 1_000);
        assert_eq!((1_333_u64 * 300).div_ceil(1000), 400);
        let narrow = own(&session, &Habits { window: 100_000, ..habits });
        assert_eq!(narrow.hierarchical.steps[1].times, 3, "two blocks at a time fit");
    }

    #[test]
    fn what_the_agent_tells_of_its_compactions_goes_before_what_is_reckoned() {
        let session = Own {
            turns: vec![10; 100],
            markers: vec![Some(48_120), None, Some(50_000)],
            blocks: vec![400, 410],
            spans: vec![400],
        };
        let cost = own(&session, &Habits::default());
        assert_eq!((cost.recursive.tokens(), cost.recursive.depth, cost.recursive.steps[0].times), (98_120, 3, 2));
        assert_eq!(cost.hierarchical.tokens(), 1210);
        assert_eq!(cost.ratio(), None, "an agent counts its instructions and tools too");
        assert_eq!(cost.hierarchical.steps[0].each(), None.or(Some(405)));
        let empty = own(&Own::default(), &Habits::default());
        assert_eq!((empty.recursive.tokens(), empty.hierarchical.tokens(), empty.ratio()), (0, 0, None));
    }
}
