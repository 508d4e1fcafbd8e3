//! The `stet` command.

fn main() -> std::process::ExitCode {
    stet::cli::run()
}
