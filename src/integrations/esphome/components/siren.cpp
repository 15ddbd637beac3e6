// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kSirenCommand = 57;

struct Siren {
  using List = proto::ListSiren;
  using State = proto::SirenState;

  static const domains::Kind& kind() { return domains::kSiren; }
  static const Component& component() { return kSirenComponent; }
  static domains::Abilities abilities(const List& list) {
    domains::Abilities can{.features = "turn_on turn_off"};
    if (list.duration()) can.feature_bits |= kind().features_of("duration");
    if (list.volume()) can.feature_bits |= kind().features_of("volume_set");
    if (list.tones_size() > 0) {
      can.feature_bits |= kind().features_of("tones");
      can.attributes["available_tones"] = texts_of(list.tones());
    }
    return can;
  }
  static domains::Report report(const List&, const State& state) { return {.value = state.state()}; }
  static void perform(NodeEntity& entity, const List&, const domains::Action& action, const json::object& data) {
    proto::SirenCommand command;
    command.set_has_state(true);
    command.set_state(action.service == "turn_on");
    if (const json::value* const tone = data.if_contains("tone")) {
      command.set_has_tone(true);
      command.set_tone(std::string(tone->get_string()));
    }
    if (const json::value* const duration = data.if_contains("duration")) {
      command.set_has_duration(true);
      command.set_duration(static_cast<std::uint32_t>(std::lround(duration->to_number<double>())));
    }
    if (const json::value* const volume = data.if_contains("volume_level")) {
      command.set_has_volume(true);
      command.set_volume(volume->to_number<float>());
    }
    entity.send(kSirenCommand, command);
  }
};

}  // namespace

const Component kSirenComponent{"siren", "siren", 55, 56, make_entity<ThingOf<Siren>>, receive_state<ThingOf<Siren>>};

}  // namespace hearth::integrations::esphome
