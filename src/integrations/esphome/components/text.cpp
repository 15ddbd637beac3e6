// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kTextCommand = 99;
constexpr std::uint32_t kPasswordMode = 1;
constexpr std::uint32_t kLongestText = 255;

struct Text {
  using List = proto::ListText;
  using State = proto::TextState;

  static const domains::Kind& kind() { return domains::kText; }
  static const Component& component() { return kTextComponent; }
  static domains::Abilities abilities(const List& list) {
    domains::Abilities can{.attributes = {{"mode", list.mode() == kPasswordMode ? "password" : "text"},
                                          {"min", std::min(list.min_length(), kLongestText)},
                                          {"max", std::min(list.max_length(), kLongestText)}}};
    if (!list.pattern().empty()) can.attributes["pattern"] = clean_text(list.pattern());
    return can;
  }
  static domains::Report report(const List&, const State& state) {
    return {.value = state.missing_state() ? json::value() : json::value(clean_text(state.state()))};
  }
  static void perform(NodeEntity& entity, const List&, const domains::Action&, const json::object& data) {
    proto::TextCommand command;
    command.set_state(std::string(data.at("value").get_string()));
    entity.send(kTextCommand, command);
  }
};

}  // namespace

const Component kTextComponent{"text", "text", 97, 98, make_entity<ThingOf<Text>>, receive_state<ThingOf<Text>>};

}  // namespace hearth::integrations::esphome
