// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

struct TextSensor {
  using List = proto::ListTextSensor;
  using State = proto::TextSensorState;

  static const domains::Kind& kind() { return domains::kSensor; }
  static const Component& component() { return kTextSensorComponent; }
  static domains::Abilities abilities(const List&) { return {}; }
  static domains::Report report(const List&, const State& state) {
    return {.value = state.missing_state() ? json::value() : json::value(clean_text(state.state()))};
  }
};

}  // namespace

const Component kTextSensorComponent{
    "text_sensor", "sensor", 18, 27, make_entity<ThingOf<TextSensor>>, receive_state<ThingOf<TextSensor>>};

}  // namespace hearth::integrations::esphome
