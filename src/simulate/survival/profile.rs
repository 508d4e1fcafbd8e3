//! What questions, searches, pages and notes take of a window: two families of numbers. What is done with them stands in
//! `window`.

/// What one task is made of, in tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// As the command calls it.
    pub name: &'static str,
    /// System prompt and task.
    pub base: u32,
    /// A question.
    pub question: u32,
    /// What a search gives.
    pub search: u32,
    /// A page that is read.
    pub page: u32,
    /// The note of an answer.
    pub note: u32,
    /// A fact in the summary.
    pub line: u32,
    /// In which order the questions come.
    pub order: Order,
    /// How likely a read page is the right one; after three the last one is.
    pub hit: f64,
    /// Whether the answer is a call of its own.
    pub answer: Answer,
}

/// In which order the questions come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// All of an article, then the next one.
    ByArticle,
    /// One of each article in turn.
    InTurn,
}

/// Where the answer is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// In a call after the page was read.
    OwnCall,
    /// In the call that reads.
    WithReading,
}

/// Six articles of six facts.
pub const FACTS: usize = 36;
/// Facts of one article.
pub const OF_ARTICLE: usize = 6;
/// Facts on one page.
pub const ON_PAGE: usize = 2;
/// Pages that are read at the most after one search.
pub const READS: u32 = 3;

/// The nearest to the published figures that a search over such numbers found.
pub const S3: Profile = Profile {
    name: "s3",
    base: 300,
    question: 11,
    search: 143,
    page: 96,
    note: 60,
    line: 36,
    order: Order::ByArticle,
    hit: 1.0,
    answer: Answer::OwnCall,
};

/// The other family: it compacts more often, and loses more than was published where `S3` loses less.
pub const S3B: Profile = Profile {
    name: "s3b",
    base: 60,
    question: 10,
    search: 96,
    page: 242,
    note: 23,
    line: 35,
    order: Order::InTurn,
    hit: 0.65,
    answer: Answer::WithReading,
};

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 2] = [S3, S3B];

    /// The profile of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name == name)
    }

    /// The facts in the order in which they are asked for.
    pub fn questions(&self) -> Vec<usize> {
        match self.order {
            Order::ByArticle => (0..FACTS).collect(),
            Order::InTurn => {
                (0..OF_ARTICLE).flat_map(|fact| (0..FACTS / OF_ARTICLE).map(move |of| of * OF_ARTICLE + fact)).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FACTS, Profile, S3, S3B};

    #[test]
    fn every_fact_is_asked_for_once() {
        for profile in Profile::ALL {
            let mut asked = profile.questions();
            asked.sort_unstable();
            assert_eq!(asked, (0..FACTS).collect::<Vec<_>>());
            assert_eq!(Profile::named(profile.name), Some(profile));
        }
        assert_eq!(S3.questions()[..3], [0, 1, 2]);
        assert_eq!(S3B.questions()[..7], [0, 6, 12, 18, 24, 30, 1]);
        assert_eq!(Profile::named("s4"), None);
    }
}
