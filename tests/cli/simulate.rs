//! The experiments as they are printed: figures beside the published ones, a plot, what was assumed. Figures that a
//! seed gives are in the goldens, and hold on every machine.

use crate::golden::golden;
use crate::home::Home;

#[test]
fn each_experiment_is_told_with_the_published_figures() {
    let home = Home::new();
    golden("simulate-survival", &home.told(&["simulate", "survival", "--seed", "1"]));
    golden("simulate-drift", &home.told(&["simulate", "drift", "--runs", "200", "--seed", "1"]));
    golden("simulate-hedges", &home.told(&["simulate", "hedges", "--seed", "1"]));
    golden("simulate-inversion", &home.told(&["simulate", "inversion", "--runs", "2000", "--seed", "1"]));
    golden("simulate-triggers", &home.told(&["simulate", "triggers", "--runs", "100", "--seed", "1"]));
    golden("simulate-arms", &home.told(&["simulate", "arms", "--seed", "1"]));
}

#[test]
fn help_says_what_each_shows_and_where_the_assumption_lies() {
    let home = Home::new();
    let told: Vec<String> = ["", "survival", "drift", "hedges", "inversion", "triggers", "arms"]
        .into_iter()
        .map(|name| {
            let args = ["simulate", name, "--help"];
            home.told(&args.into_iter().filter(|arg| !arg.is_empty()).collect::<Vec<_>>())
        })
        .collect();
    assert!(told[1..].iter().all(|help| help.contains("What it shows") && help.contains("assumption lies")));
    golden("simulate-help", &told.join("\n"));
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_one_others() {
    let home = Home::new();
    for format in ["text", "json"] {
        let run = |seed| home.run(["simulate", "survival", "--runs", "5", "--format", format, "--seed", seed]).out;
        assert_eq!(run("7"), run("7"));
        assert_ne!(run("7"), run("8"));
    }
}

#[test]
fn the_plot_is_written_where_it_was_asked_for() {
    let home = Home::new();
    let printed = home.run(["simulate", "hedges", "--items", "100", "--svg", "plot.svg"]);
    assert_eq!((printed.code, printed.err.as_str()), (0, ""));
    let plot = std::fs::read_to_string(home.path().join("plot.svg")).unwrap();
    assert!(plot.starts_with("<svg ") && plot.contains("prefers-color-scheme: dark"), "{plot}");
    let ran = home.run(["simulate", "hedges", "--items", "100", "--svg", "no/such/folder.svg"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.starts_with("stet: cannot write the plot to no/such/folder.svg: "), "{}", ran.err);
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let home = Home::new();
    for args in [
        &["simulate", "survival", "--loss", "1.5"][..],
        &["simulate", "survival", "--loss", "NaN"],
        &["simulate", "survival", "--window", "0"],
        &["simulate", "survival", "--profile", "s4"],
        &["simulate", "arms", "--every", "0"],
        &["simulate", "nothing"],
    ] {
        let ran = home.run(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.starts_with("stet: cannot understand the command line: "), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_terminal_gets_colour_and_a_pipe_none() {
    let home = Home::new();
    let args = ["simulate", "arms", "--items", "100"];
    let (code, sent) = home.at_a_terminal(&args, "");
    assert_eq!(code, 0, "{sent}");
    assert!(sent.contains("\u{1b}[34m") && !home.run(args).out.contains('\u{1b}'), "{sent}");
}
