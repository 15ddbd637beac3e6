// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"

namespace hearth::domains {
namespace media_player {

constexpr Feature kFeatures[] = {
    {"pause", 1, "pause"},
    {"seek", 2, "seek"},
    {"volume_set", 4, "set its volume"},
    {"volume_mute", 8, "be muted"},
    {"previous_track", 16, "go back a track"},
    {"next_track", 32, "go on a track"},
    {"turn_on", 128, "be turned on"},
    {"turn_off", 256, "be turned off"},
    {"play_media", 512, "play what it is told"},
    {"volume_step", 1024, "change its volume"},
    {"select_source", 2048, "choose its source"},
    {"stop", 4096, "stop"},
    {"clear_playlist", 8192, "clear its playlist"},
    {"play", 16384, "play"},
    {"shuffle_set", 32768, "shuffle"},
    {"select_sound_mode", 65536, "choose its sound"},
    {"browse_media", 131072},
    {"repeat_set", 262144, "repeat"},
    {"grouping", 524288, "play together with others"},
    {"media_announce", 1048576, "announce"},
    {"media_enqueue", 2097152, "put into a queue"},
    {"search_media", 4194304},
};
constexpr field::Number kLevel{0, 1};
constexpr field::Option kRepeats{"off all one"};
constexpr field::Number kSeconds{0, 1e9};
constexpr Attribute kAttributes[] = {
    {"source_list", field::TextList{}, Shown::once, "select_source"},
    {"sound_mode_list", field::TextList{}, Shown::once, "select_sound_mode"},
    {"group_members", field::TextList{}, Shown::if_reported, "grouping"},
    {"volume_level", kLevel, Shown::if_reported, {}, true},
    {"is_volume_muted", field::Boolean{}, Shown::if_reported, {}, true},
    {"media_content_id", field::Text{}, Shown::if_reported},
    {"media_content_type", field::Text{}, Shown::if_reported},
    {"media_duration", kSeconds, Shown::if_reported},
    {"media_position", kSeconds, Shown::if_reported},
    {"media_position_updated_at", field::DateTime{}, Shown::if_reported},
    {"media_title", field::Text{}, Shown::if_reported},
    {"media_artist", field::Text{}, Shown::if_reported},
    {"media_album_name", field::Text{}, Shown::if_reported},
    {"media_album_artist", field::Text{}, Shown::if_reported},
    {"media_track", field::Integer{0, 100'000}, Shown::if_reported},
    {"media_series_title", field::Text{}, Shown::if_reported},
    {"media_season", field::Text{}, Shown::if_reported},
    {"media_episode", field::Text{}, Shown::if_reported},
    {"media_channel", field::Text{}, Shown::if_reported},
    {"media_playlist", field::Text{}, Shown::if_reported},
    {"app_id", field::Text{}, Shown::if_reported},
    {"app_name", field::Text{}, Shown::if_reported},
    {"source", field::Text{}, Shown::if_reported, "select_source", true, false, "source_list"},
    {"sound_mode", field::Text{}, Shown::if_reported, "select_sound_mode", true, false, "sound_mode_list"},
    {"shuffle", field::Boolean{}, Shown::if_reported, {}, true},
    {"repeat", kRepeats, Shown::if_reported, {}, true},
    {"entity_picture", field::Text{}, Shown::if_reported},
};

constexpr Input kVolume[] = {{{"volume_level", "How loud, from 0 to 1.", 0.35, kLevel, true}}};
constexpr Input kMute[] = {{{"is_volume_muted", "Whether to be silent.", true, field::Boolean{}, true}}};
constexpr Input kSeek[] = {
    {.field = {"seek_position", "Seconds from the beginning.", 100, kSeconds, true}, .sets = "media_position"}};
constexpr Input kSource[] = {{{"source", "A source from the player's source_list.", "HDMI 1", field::Text{}, true},
                              {.options = "source_list", .cannot = "play from the source"}}};
constexpr Input kSound[] = {{{"sound_mode", "A mode from the player's sound_mode_list.", "Music", field::Text{}, true},
                             {.options = "sound_mode_list", .cannot = "play in the sound mode"}}};
constexpr Input kShuffle[] = {{{"shuffle", "Whether to play in any order.", true, field::Boolean{}, true}}};
constexpr Input kRepeat[] = {{{"repeat", "What to repeat.", "off", kRepeats, true}}};
constexpr Input kPlay[] = {
    {{"media_content_id", "What to play, as the player calls it.", "https://example.org/song.mp3", field::Text{},
      true}},
    {{"media_content_type", "What that is.", "music", field::Text{}, true}},
    {.field = {"enqueue", "When.", "play", field::Option{"play next add replace"}}, .needs = "media_enqueue"},
    {.field = {"announce", "Whether what plays goes on afterwards.", true, field::Boolean{}},
     .needs = "media_announce"},
    {{"extra", "What else the player wants to know.", core::Example::Json{R"({"title": "Song"})"}, field::Object{}}},
};
constexpr Input kJoin[] = {{{"group_members", "Players that play along.",
                             core::Example::Json{R"(["media_player.kitchen"])"}, field::TextList{}, true}}};

constexpr Action kActions[] = {
    {"turn_on", "Turn on", "Turns players on.", {}, "turn_on", "idle"},
    {"turn_off", "Turn off", "Turns players off.", {}, "turn_off", "off"},
    {.service = "toggle",
     .name = "Toggle",
     .description = "Turns players on that are off, and off that are on.",
     .toggles = true},
    {"volume_up", "Louder", "Makes players louder."},
    {"volume_down", "Quieter", "Makes players quieter."},
    {"volume_set", "Set volume", "Sets how loud players are.", kVolume, "volume_set"},
    {"volume_mute", "Mute", "Makes players silent, or not any more.", kMute, "volume_mute"},
    {"media_play", "Play", "Plays, or goes on with it.", {}, "play", "playing"},
    {"media_pause", "Pause", "Pauses what plays.", {}, "pause", "paused"},
    {"media_play_pause", "Play or pause", "Pauses what plays, and plays what does not.", {}, "play pause"},
    {"media_stop", "Stop", "Stops what plays.", {}, "stop", "idle"},
    {"media_next_track", "Next", "Goes on to the next track.", {}, "next_track"},
    {"media_previous_track", "Previous", "Goes back to the track before.", {}, "previous_track"},
    {"media_seek", "Seek", "Goes to a place in what plays.", kSeek, "seek"},
    {"select_source", "Select source", "Selects where what plays comes from.", kSource, "select_source"},
    {"select_sound_mode", "Select sound mode", "Selects how it sounds.", kSound, "select_sound_mode"},
    {"shuffle_set", "Shuffle", "Plays in any order, or in that of the list.", kShuffle, "shuffle_set"},
    {"repeat_set", "Repeat", "Sets what is repeated.", kRepeat, "repeat_set"},
    {"clear_playlist", "Clear playlist", "Takes everything out of the playlist.", {}, "clear_playlist"},
    {"play_media", "Play media", "Plays something.", kPlay, "play_media", "playing"},
    {"join", "Join", "Plays on several players together.", kJoin, "grouping"},
    {"unjoin", "Unjoin", "Takes players out of their group.", {}, "grouping"},
};

// Steps for a player without its own, and play_pause: a device knows media_play and media_pause only.
base::Result<void> to_simple(const Thing& player, Order& order) {
  constexpr double kStep = 0.1;
  const std::string_view service = order.action->service;
  if (service == "media_play_pause") {
    order.action = player.kind().find_action(player.reported() == "playing" ? "media_pause" : "media_play");
  } else if ((service == "volume_up" || service == "volume_down") && player.lacks("volume_step")) {
    const double to = player.number("volume_level").value_or(0) + (service == "volume_up" ? kStep : -kStep);
    order.data = {{"volume_level", std::clamp(to, 0.0, 1.0)}};
    order.action = player.kind().find_action("volume_set");
  }
  return {};
}

}  // namespace media_player

constexpr Kind kMediaPlayer{.domain = "media_player",
                            .description = "What plays music, films or a radio.",
                            .value = field::Option{"off on idle playing paused buffering standby"},
                            .on = "turn_on",
                            .off = "turn_off",
                            .active = "on idle playing paused buffering",
                            .features = media_player::kFeatures,
                            .attributes = media_player::kAttributes,
                            .actions = media_player::kActions,
                            .check = media_player::to_simple};

}  // namespace hearth::domains
