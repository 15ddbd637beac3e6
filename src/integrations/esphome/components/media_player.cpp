// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kPlayerCommand = 65;
constexpr std::string_view kPlayerValues[] = {"", "idle", "playing", "paused", "playing", "off", "on"};
// By the number of the command.
constexpr std::string_view kPlayerServices[] = {"media_play", "media_pause", "media_stop", "", "", "",
                                                "volume_up",  "volume_down", "",           "", "", "",
                                                "turn_on",    "turn_off"};
constexpr std::uint32_t kMuteCommand = 3, kUnmuteCommand = 4;

struct MediaPlayer {
  using List = proto::ListMediaPlayer;
  using State = proto::MediaPlayerState;

  static const domains::Kind& kind() { return domains::kMediaPlayer; }
  static const Component& component() { return kMediaPlayerComponent; }
  static domains::Abilities abilities(const List& list) {
    // Nodes number these features as the domain does. Old ones say only whether they pause.
    const unsigned commanded = kind().features_of(
        "pause volume_set volume_mute turn_on turn_off play_media volume_step stop play media_announce");
    if (list.feature_flags() != 0) return {.feature_bits = list.feature_flags() & commanded};
    return {.features = list.pause() ? "volume_set volume_mute play_media stop media_announce volume_step play pause"
                                     : "volume_set volume_mute play_media stop media_announce volume_step"};
  }
  static domains::Report report(const List&, const State& state) {
    const auto word = word_of(kPlayerValues, state.state());
    return {.value = word ? json::value(*word) : json::value(),
            .attributes = {{"volume_level", number_json(state.volume())}, {"is_volume_muted", state.muted()}}};
  }
  static void perform(NodeEntity& entity, const List&, const domains::Action& action, const json::object& data) {
    const std::string_view service = action.service;
    proto::MediaPlayerCommand command;
    const auto order = [&](std::uint32_t number) {
      command.set_has_command(true);
      command.set_command(number);
    };
    if (const auto number = number_of(kPlayerServices, service)) order(*number);
    if (service == "volume_mute") order(data.at("is_volume_muted").get_bool() ? kMuteCommand : kUnmuteCommand);
    if (service == "volume_set") {
      command.set_has_volume(true);
      command.set_volume(data.at("volume_level").to_number<float>());
    }
    if (service == "play_media") {
      command.set_has_media_url(true);
      command.set_media_url(std::string(data.at("media_content_id").get_string()));
      if (const json::value* const announce = data.if_contains("announce")) {
        command.set_has_announcement(true);
        command.set_announcement(announce->get_bool());
      }
    }
    entity.send(kPlayerCommand, command);
  }
};

}  // namespace

const Component kMediaPlayerComponent{
    "media_player", "media_player", 63, 64, make_entity<ThingOf<MediaPlayer>>, receive_state<ThingOf<MediaPlayer>>};

}  // namespace hearth::integrations::esphome
