// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kSelectCommand = 54;

struct Select {
  using List = proto::ListSelect;
  using State = proto::SelectState;

  static const domains::Kind& kind() { return domains::kSelect; }
  static const Component& component() { return kSelectComponent; }
  static domains::Abilities abilities(const List& list) {
    return {.attributes = {{"options", texts_of(list.options())}}};
  }
  static domains::Report report(const List&, const State& state) {
    return {.value = state.missing_state() ? json::value() : json::value(clean_text(state.state()))};
  }
  static void perform(NodeEntity& entity, const List&, const domains::Action&, const json::object& data) {
    proto::SelectCommand command;
    command.set_state(std::string(data.at("option").get_string()));
    entity.send(kSelectCommand, command);
  }
};

}  // namespace

const Component kSelectComponent{
    "select", "select", 52, 53, make_entity<ThingOf<Select>>, receive_state<ThingOf<Select>>};

}  // namespace hearth::integrations::esphome
