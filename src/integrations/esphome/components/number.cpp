// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kNumberCommand = 51;
constexpr std::string_view kNumberModes[] = {"auto", "box", "slider"};

struct Number {
  using List = proto::ListNumber;
  using State = proto::NumberState;

  static const domains::Kind& kind() { return domains::kNumber; }
  static const Component& component() { return kNumberComponent; }
  static domains::Abilities abilities(const List& list) {
    domains::Abilities can{.attributes = {{"mode", word_of(kNumberModes, list.mode()).value_or("auto")}}};
    const std::pair<std::string_view, float> bounds[] = {
        {"min", list.min_value()}, {"max", list.max_value()}, {"step", list.step()}};
    for (const auto& [name, value] : bounds) {
      if (const auto number = decimal_of(value)) can.attributes[name] = *number;
    }
    if (!list.unit().empty()) can.attributes["unit_of_measurement"] = clean_text(list.unit());
    return can;
  }
  static domains::Report report(const List& list, const State& state) {
    const auto value = decimal_of(state.state());
    if (state.missing_state() || !value) return {.value = json::value()};
    return {.value =
                rounded_to_step(*value, decimal_of(list.min_value()).value_or(0), decimal_of(list.step()).value_or(0))};
  }
  static void perform(NodeEntity& entity, const List&, const domains::Action&, const json::object& data) {
    proto::NumberCommand command;
    command.set_state(static_cast<float>(data.at("value").to_number<double>()));
    entity.send(kNumberCommand, command);
  }
};

}  // namespace

const Component kNumberComponent{
    "number", "number", 49, 50, make_entity<ThingOf<Number>>, receive_state<ThingOf<Number>>};

}  // namespace hearth::integrations::esphome
