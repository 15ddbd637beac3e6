// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/text/timestamp.h"
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::string_view kStateClasses[] = {"", "measurement", "total_increasing", "total", "measurement_angle"};
constexpr int kMaxDecimals = 9;

struct Sensor {
  using List = proto::ListSensor;
  using State = proto::SensorState;

  static const domains::Kind& kind() { return domains::kSensor; }
  static const Component& component() { return kSensorComponent; }
  static domains::Abilities abilities(const List& list) {
    domains::Abilities can{.decimals = std::clamp(list.decimals(), 0, kMaxDecimals)};
    if (const auto word = word_of(kStateClasses, list.state_class())) can.attributes["state_class"] = *word;
    if (!list.unit().empty()) can.attributes["unit_of_measurement"] = clean_text(list.unit());
    return can;
  }
  static domains::Report report(const List&, const State& state) {
    return {.value = state.missing_state() ? json::value() : number_json(state.state())};
  }
  static void describe(const List& list, domains::EntityInfo& info) { info.force_update = list.force_update(); }
};

// One of the device class timestamp counts seconds since 1970.
class SensorEntity final : public ThingOf<Sensor> {
 public:
  using ThingOf::ThingOf;

  void show(const State& state) {
    const auto seconds = decimal_of(state.state());
    if (!is_time_ || state.missing_state() || !seconds || *seconds < 0) return ThingOf::show(state);
    const base::Timestamp time(std::chrono::seconds(static_cast<std::int64_t>(std::min(*seconds, 1e11))));
    report({.value = base::to_string(time)});
  }

 private:
  const bool is_time_ = common().device_class == "timestamp";
};

}  // namespace

const Component kSensorComponent{"sensor", "sensor", 16, 25, make_entity<SensorEntity>, receive_state<SensorEntity>};

}  // namespace hearth::integrations::esphome
