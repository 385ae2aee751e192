//! Bench signatures: positions with the nodes that an engine uses for them at a fixed depth.
//!
//! The file describes an engine, not the truth: make it again whenever the search is changed on purpose.

use threefold_chess::clock::Limits;
use threefold_chess::score::Ply;
use threefold_player::{EngineFault, Player, Question};
use threefold_suites::epd::EpdRecord;

/// The file of an engine's signatures: each position with `acd` and `acn`, after a header with the command.
pub fn file(
    player: &mut dyn Player,
    records: &[EpdRecord],
    depth: Ply,
    command: &str,
) -> Result<String, EngineFault> {
    let mut text = format!(
        "# Signatures of {}: `acn`, the nodes it spends to the depth `acd` with an empty hash table.\n\
         # Made by: {command}\n",
        player.name()
    );
    for (record, number) in records.iter().zip(1..) {
        player.new_game()?;
        let limits = Limits::depth(depth);
        let answer = player.answer(&Question {
            position: record.position.clone(),
            limits,
            searchmoves: Vec::new(),
        })?;
        let Ply(depth) = depth;
        let row = format!(
            "{} acd {depth}; acn {}; id \"signature.{number:03}\";\n",
            record.position.start, answer.nodes
        );
        text.push_str(&row);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_player::{Answer, ScriptedPlayer};
    use threefold_suites::{SourceFile, Suite, SuiteSource, Timing, epd, kinds, run_case};

    #[test]
    fn written_traps_are_accepted_by_the_suite() {
        let page = |text: &str| SourceFile { file: "s.epd".to_owned(), text: text.to_owned() };
        let records =
            epd::parse_epd(&page("k7/8/1K6/8/8/8/8/1R6 w - -\nk7/8/1K6/8/8/8/8/7R b - - id \"x\";\n"));
        let mut nodes = 40;
        let mut player = ScriptedPlayer::new("A", move |question| {
            assert_eq!(question.limits, Limits::depth(Ply(5)));
            nodes += 2;
            Ok(Answer { nodes, ..Answer::silent() })
        });
        let text = file(&mut player, &records.expect("sound"), Ply(5), "threefold …").expect("no fault");
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "k7/8/1K6/8/8/8/8/1R6 w - - 0 1 acd 5; acn 42; id \"signature.001\";",
                "k7/8/1K6/8/8/8/8/7R b - - 0 1 acd 5; acn 44; id \"signature.002\";",
            ]
        );
        let suite = Suite::read(&SuiteSource::from_positions(
            &kinds::signature::KIND,
            page(&text),
            &Limits::default(),
        ));
        for (number, (_, mut case)) in (0_u64..).zip(suite.expect("sound").cases()) {
            let same =
                ScriptedPlayer::new("A", move |_| Ok(Answer { nodes: 42 + 2 * number, ..Answer::silent() }));
            let verdict = run_case(case.as_mut(), &mut [Box::new(same)], Timing::default())
                .expect("there is no interruption");
            assert_eq!(verdict.reason(), "same nodes");
        }
    }
}
