// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kButtonCommand = 62;

struct Button {
  using List = proto::ListButton;
  using State = void;

  static const domains::Kind& kind() { return domains::kButton; }
  static const Component& component() { return kButtonComponent; }
  static domains::Abilities abilities(const List&) { return {}; }
  static void perform(NodeEntity& entity, const List&, const domains::Action&, const json::object&) {
    proto::ButtonCommand command;
    entity.send(kButtonCommand, command);
  }
};

}  // namespace

const Component kButtonComponent{"button", "button", 61, 0, make_entity<ThingOf<Button>>, nullptr};

}  // namespace hearth::integrations::esphome
