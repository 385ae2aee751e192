//! Process groups: an engine and the processes that it starts get signals together.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// Has the command lead a process group. Ctrl-C at the terminal then reaches the harness alone.
pub(crate) fn isolate(command: &mut Command) {
    command.process_group(0);
}

/// Kills every process of the group that this process leads.
pub(crate) fn kill(leader: u32) {
    send(leader, Signal::SIGKILL);
}

/// Stops every process of the group until [`resume`].
pub(crate) fn stop(leader: u32) {
    send(leader, Signal::SIGSTOP);
}

/// Lets every process of the group continue.
pub(crate) fn resume(leader: u32) {
    send(leader, Signal::SIGCONT);
}

fn send(leader: u32, signal: Signal) {
    if let Ok(group) = i32::try_from(leader) {
        // An error means that the group is empty: all its processes have ended.
        let _ = killpg(Pid::from_raw(group), signal);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::process::Stdio;

    use super::*;

    #[test]
    fn process_group_is_killed_with_its_children() {
        let mut command = Command::new("sh");
        // The child keeps standard output open after its parent has ended.
        command.args(["-c", "sleep 600 & echo started; wait"]).stdout(Stdio::piped());
        isolate(&mut command);
        let mut leader = command.spawn().expect("a shell");
        let mut output = leader.stdout.take().expect("piped");
        output.read_exact(&mut [0; 8]).expect("it has started its child");
        kill(leader.id());
        let mut rest = String::new();
        output.read_to_string(&mut rest).expect("all writers have ended");
        assert_eq!(rest, "");
        assert!(!leader.wait().expect("it has ended").success());
    }
}
