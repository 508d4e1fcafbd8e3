//! The person's own editor on a private file. The loop gives the screen away before and takes it back after.

use std::io::{Read, Write};
use std::process::Command;
use std::sync::mpsc::Sender;
use std::thread;

use anyhow::{Context, bail};

use crate::text::Shown;

use super::event::Event;

/// Bytes read back; nobody writes that much about one item.
const LIMIT: u64 = 1 << 20;

/// Starts the editor; the loop hears of its end.
pub(super) fn start(command: String, text: &str, events: Sender<Event>) -> anyhow::Result<()> {
    let text = Shown::lines(text);
    thread::Builder::new()
        .name("editor".to_owned())
        .spawn(move || {
            // Nobody listens when the loop has ended already.
            let _ = events.send(Event::Edited(edit(&command, &text)));
        })
        .context("starting the thread that waits for the editor")?;
    Ok(())
}

/// The text as the editor left it; `None` when it was left without a change.
fn edit(command: &str, text: &Shown) -> anyhow::Result<Option<String>> {
    // Only its owner can read it, whatever the umask is.
    let mut file = tempfile::Builder::new()
        .prefix("stet-")
        .suffix(".md")
        .tempfile()
        .context("making a private file for the editor")?;
    file.write_all(text.as_str().as_bytes()).context("writing the file for the editor")?;
    file.flush().context("writing the file for the editor")?;
    // The variable may hold arguments; the shell splits it as everybody expects it to.
    let status = Command::new("sh")
        .arg("-c")
        .arg(format!("{command} \"$1\""))
        .arg("stet")
        .arg(file.path())
        .status()
        .with_context(|| format!("starting the editor {command:?}; set $VISUAL or $EDITOR to another one"))?;
    if status.code() == Some(127) {
        bail!("the editor {command:?} was not found; set $VISUAL or $EDITOR to another one");
    }
    if !status.success() {
        bail!("the editor ended with an error ({status}): what it wrote is not taken, the text is as before");
    }
    // Opened anew: many editors write a new file in the place of the old one.
    let saved = std::fs::File::open(file.path()).context("reading what the editor saved")?;
    let mut bytes = Vec::new();
    saved.take(LIMIT + 1).read_to_end(&mut bytes).context("reading what the editor saved")?;
    if bytes.len() as u64 > LIMIT {
        bail!("the edited text is longer than 1 MB; write less");
    }
    let saved = String::from_utf8_lossy(&bytes);
    let saved = saved.trim_end_matches(['\n', '\r']);
    Ok((saved != text.as_str().trim_end_matches('\n')).then(|| saved.to_owned()))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::edit;
    use crate::text::Shown;

    #[test]
    fn the_editor_gives_text_back_or_nothing() {
        let table = [
            ("printf 'new\\n' >", Some("new")),
            ("true", None),
            ("sed -i s/old/young/", Some("young text")),
            ("stat -c %a > /dev/null; stat -c %a \"$1\" > \"$1.x\"; mv \"$1.x\"", Some("600")),
        ];
        for (command, expected) in table {
            assert_eq!(edit(command, &Shown::lines("old text\n")).unwrap().as_deref(), expected, "{command}");
        }
    }

    #[test]
    fn an_editor_that_fails_is_told_and_nothing_of_it_is_taken() {
        let error = edit("printf new > \"$1\"; false", &Shown::lines("old")).unwrap_err();
        assert!(error.to_string().contains("exit status: 1"), "{error}");
    }

    #[test]
    fn an_editor_that_is_not_there_is_named() {
        let error = edit("no-such-editor-here", &Shown::lines("")).unwrap_err();
        assert!(error.to_string().contains("no-such-editor-here"), "{error}");
    }
}
