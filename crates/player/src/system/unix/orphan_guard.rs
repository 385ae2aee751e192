//! The guard: a shell that kills the engines of a harness that was killed.
//!
//! An engine that computes and never reads its input does not notice that the harness has ended. The guard is
//! in a process group of its own. It learns of every engine's group, and kills those that are left when its
//! input closes: the system closes it when the harness ends. Linux's `PR_SET_PDEATHSIG` needs `unsafe`, fires
//! when the *thread* ends that started an engine, and does not reach an engine that a script has started.

use std::io::{self, Write};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

/// Reads `+ GROUP` and `- GROUP`, and at the end of its input kills what is left.
const SCRIPT: &str = "trap '' HUP INT QUIT TERM TSTP
groups=
while read -r sign group; do
  case $sign in
    +) groups=\"$groups $group\" ;;
    -)
      left=
      for one in $groups; do [ \"$one\" = \"$group\" ] || left=\"$left $one\"; done
      groups=$left ;;
  esac
done
for group in $groups; do kill -s KILL -- \"-$group\"; done";

/// The shell. Dropped, it is waited for.
pub(crate) struct Guard(Child);

impl Guard {
    /// It shares nothing with the harness that somebody could wait for: no output, no folder.
    pub(crate) fn start() -> io::Result<Self> {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", SCRIPT, "threefold-guard"]).current_dir("/").process_group(0);
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        shell.spawn().map(Self)
    }

    pub(crate) fn notify(&mut self, sign: char, group: u32) -> io::Result<()> {
        let input = self.0.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{sign} {group}\n").as_bytes())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // Waiting closes its input, and with that it ends.
        let _ = self.0.wait();
    }
}
