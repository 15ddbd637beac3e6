// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

struct BinarySensor {
  using List = proto::ListBinarySensor;
  using State = proto::BinarySensorState;

  static const domains::Kind& kind() { return domains::kBinarySensor; }
  static const Component& component() { return kBinarySensorComponent; }
  static domains::Abilities abilities(const List&) { return {}; }
  static domains::Report report(const List&, const State& state) {
    return {.value = state.missing_state() ? json::value() : json::value(state.state())};
  }
  static void describe(const List& list, domains::EntityInfo& info) {
    if (list.is_status()) info.available = true;
  }
};

// A sensor that says if the node is there stays available, and turns off without it.
class BinarySensorEntity final : public ThingOf<BinarySensor> {
 public:
  using ThingOf::ThingOf;

  void set_available(bool available) override {
    if (!list().is_status())
      NodeEntity::set_available(available);
    else if (!available && entity())
      report({.value = false});
  }
};

}  // namespace

const Component kBinarySensorComponent{
    "binary_sensor", "binary_sensor", 12, 21, make_entity<BinarySensorEntity>, receive_state<BinarySensorEntity>};

}  // namespace hearth::integrations::esphome
