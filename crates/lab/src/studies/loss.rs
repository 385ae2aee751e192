//! The loss of a fit of weights over its epochs, drawn.

use crate::fit::Loss;
use threefold_report::formats::svg::ChartFile;

/// The loss on the positions fitted to and on those held out, as an SVG file.
pub fn loss_curve(losses: &[Loss]) -> String {
    let training: Vec<f64> = losses.iter().map(|loss| loss.training).collect();
    let held_out: Vec<f64> = losses.iter().map(|loss| loss.held_out).collect();
    ChartFile {
        title: "Loss over epochs",
        x_label: "epoch",
        y_label: "mean square error",
        curves: [("fitted to", &training), ("held out", &held_out)],
    }
    .svg_text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_shows_training_and_held_out_loss() {
        let losses = [0, 1, 2].map(|epoch| Loss { epoch, training: 0.1 / (epoch + 1) as f64, held_out: 0.1 });
        let drawn = loss_curve(&losses);
        assert_eq!(drawn.matches("<path ").count(), 2);
        assert!(drawn.contains("fitted to") && drawn.contains("held out"), "{drawn}");
    }
}
