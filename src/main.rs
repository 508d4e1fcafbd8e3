//! The `stet` command: the command line, and the terminal that it opens sessions on.

/// An audit makes millions of short strings.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    stet::cli::run(|desk, background, screen, theme| {
        let mut settings = stet::tui::Settings::of_environment(|name| std::env::var(name).ok());
        settings.screen = screen;
        if let Some(name) = theme {
            settings.theme(name)?;
        }
        stet::tui::run(desk, background, settings)
    })
}
