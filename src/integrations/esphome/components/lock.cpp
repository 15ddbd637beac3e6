// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kLockCommand = 60;
constexpr std::string_view kLockValues[] = {"",        "locked",    "unlocked", "jammed",
                                            "locking", "unlocking", "opening",  "open"};
constexpr std::string_view kLockServices[] = {"unlock", "lock", "open"};

struct Lock {
  using List = proto::ListLock;
  using State = proto::LockState;

  static const domains::Kind& kind() { return domains::kLock; }
  static const Component& component() { return kLockComponent; }
  static domains::Abilities abilities(const List& list) {
    domains::Abilities can;
    if (list.open()) can.features = "open";
    if (list.requires_code() && !list.code_format().empty())
      can.attributes["code_format"] = clean_text(list.code_format());
    return can;
  }
  static domains::Report report(const List&, const State& state) {
    const auto word = word_of(kLockValues, state.state());
    return {.value = word ? json::value(*word) : json::value()};
  }
  static bool assumed(const List& list) { return list.assumed_state(); }
  static void perform(NodeEntity& entity, const List&, const domains::Action& action, const json::object& data) {
    proto::LockCommand command;
    command.set_command(number_of(kLockServices, action.service).value_or(0));
    if (const json::value* const code = data.if_contains("code")) {
      command.set_has_code(true);
      command.set_code(std::string(code->get_string()));
    }
    entity.send(kLockCommand, command);
  }
};

}  // namespace

const Component kLockComponent{"lock", "lock", 58, 59, make_entity<ThingOf<Lock>>, receive_state<ThingOf<Lock>>};

}  // namespace hearth::integrations::esphome
