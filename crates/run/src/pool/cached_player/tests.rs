//! Which idle players a job gets.

use std::sync::Mutex;

use super::*;

/// Options as cases and games set them.
fn options(set: &[(&str, &str)]) -> OptionOverrides {
    set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Takes a player as a game with this control does, and puts it back.
fn play(cache: &mut PlayerCache<'_>, options: &OptionOverrides, control: &Control) {
    let spec: EngineSpec = "echo,name=A,Hash=1".parse().expect("sound");
    cache.set_options(&spec, options, ClockSource::Wall);
    let Ok(player) = cache.take(&spec, options, ClockSource::Wall, control) else { panic!("it starts") };
    assert_eq!(player.overrides, *options);
    cache.put_back(player);
}

#[test]
fn option_that_a_game_does_not_set_has_the_value_of_the_spec() {
    // The options of an earlier case or game, those of the next, the launches.
    let table = [
        (options(&[("Threads", "4")]), options(&[]), 2),
        (options(&[("Threads", "4"), ("Hash", "2")]), options(&[("Hash", "3")]), 2),
        (options(&[("Hash", "2")]), options(&[("hash", "3")]), 1),
        (options(&[]), options(&[("Hash", "3")]), 1),
    ];
    for (earlier, next, expected) in table {
        let launches = Mutex::new(0);
        let launch = |spec: &EngineSpec, options: &LaunchOptions| {
            *launches.lock().expect("no panic") += 1;
            threefold_player::launch(spec, options)
        };
        let mut cache = PlayerCache::new(&launch, LaunchOptions::new(ClockSource::Wall, Stop::default()));
        play(&mut cache, &earlier, &Control::default());
        play(&mut cache, &next, &Control::default());
        assert_eq!(*launches.lock().expect("no panic"), expected, "{earlier:?}, then {next:?}");
    }
}

#[test]
fn player_has_the_time_margin_of_its_job() {
    let graces = Mutex::new(Vec::new());
    let launch = |spec: &EngineSpec, options: &LaunchOptions| {
        graces.lock().expect("no panic").push(options.grace);
        threefold_player::launch(spec, options)
    };
    let options = LaunchOptions::new(ClockSource::Wall, Stop::default());
    let (grace, margin) = (options.grace, Duration::from_millis(500));
    let mut cache = PlayerCache::new(&launch, options);
    let with_margin = Control { margin: Some(margin), ..Control::default() };
    for control in [Control::default(), with_margin, with_margin] {
        play(&mut cache, &OptionOverrides::new(), &control);
    }
    assert_eq!(*graces.lock().expect("no panic"), [grace, grace + margin]);
    assert_eq!(cache.idle.len(), 1, "the process with another margin was shut down");
}
