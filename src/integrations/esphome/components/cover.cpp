// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/components/travel.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kCoverCommand = 30;

struct Cover {
  using List = proto::ListCover;
  using State = proto::CoverState;

  static const domains::Kind& kind() { return domains::kCover; }
  static const Component& component() { return kCoverComponent; }
  static domains::Abilities abilities(const List& list) {
    domains::Abilities can{.features = "open close"};
    if (list.position()) can.feature_bits |= kind().features_of("set_position");
    if (list.stop()) can.feature_bits |= kind().features_of("stop");
    if (list.tilt()) can.feature_bits |= kind().features_of("open_tilt close_tilt set_tilt_position");
    return can;
  }
  static domains::Report report(const List& list, const State& state) {
    domains::Report report{.value = travel_value(state.operation(), state.position())};
    if (list.position()) report.attributes["current_position"] = percent_json(state.position());
    if (list.tilt()) report.attributes["current_tilt_position"] = percent_json(state.tilt());
    return report;
  }
  static bool assumed(const List& list) { return list.assumed_state(); }
  static void perform(NodeEntity& entity, const List&, const domains::Action& action, const json::object& data) {
    const std::string_view service = action.service;
    proto::CoverCommand command;
    const auto move_to = [&](float position) {
      command.set_has_position(true);
      command.set_position(position);
    };
    const auto tilt_to = [&](float position) {
      command.set_has_tilt(true);
      command.set_tilt(position);
    };
    if (service == "open_cover") move_to(1);
    if (service == "close_cover") move_to(0);
    if (service == "set_cover_position") move_to(data.at("position").to_number<float>() / 100);
    if (service == "open_cover_tilt") tilt_to(1);
    if (service == "close_cover_tilt") tilt_to(0);
    if (service == "set_cover_tilt_position") tilt_to(data.at("tilt_position").to_number<float>() / 100);
    if (service == "stop_cover" || service == "stop_cover_tilt") command.set_stop(true);
    entity.send(kCoverCommand, command);
  }
};

}  // namespace

const Component kCoverComponent{"cover", "cover", 13, 22, make_entity<ThingOf<Cover>>, receive_state<ThingOf<Cover>>};

}  // namespace hearth::integrations::esphome
