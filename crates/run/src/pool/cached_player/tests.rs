//! Which idle players a job gets.

use std::sync::Mutex;

use super::*;

/// Options as cases and games set them.
fn options(set: &[(&str, &str)]) -> OptionOverrides {
    set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Takes a player as a game does, and puts it back.
fn play(cache: &mut PlayerCache<'_>, options: &OptionOverrides) {
    let spec: EngineSpec = "echo,name=A,Hash=1".parse().expect("sound");
    cache.set_options(&spec, options, ClockSource::Wall);
    let Ok(player) = cache.take(&spec, options, ClockSource::Wall, &Control::default()) else {
        panic!("it starts")
    };
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
        play(&mut cache, &earlier);
        play(&mut cache, &next);
        assert_eq!(*launches.lock().expect("no panic"), expected, "{earlier:?}, then {next:?}");
    }
}
