// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/entities/node_entity.h"

#include <fmt/format.h>

#include <stdexcept>

#include "integrations/esphome/entities/component.h"

namespace hearth::integrations::esphome {

base::Result<void> NodeEntity::start(domains::EntityInfo info) {
  describe(info);
  const auto registry = node_.hub.registry.snapshot();
  const auto* const known = registry->find_entity(info.integration, component_.domain, info.unique_id);
  const core::StatePtr last = known ? node_.hub.states.find(known->entity_id) : nullptr;
  const bool was_available = last && last->value() != core::kUnavailable;
  auto added = node_.domains.entities().add(make(std::move(info), was_available ? last.get() : nullptr));
  if (!added) return std::unexpected(added.error());
  entity_ = *added;
  common_.reset();
  return {};
}

void NodeEntity::withdraw() {
  if (entity_) node_.domains.entities().withdraw(entity_id());
  entity_ = nullptr;
}

void NodeEntity::set_available(bool available) {
  if (entity_) entity_->set_available(available);
}

void NodeEntity::send_message(std::uint32_t type, const google::protobuf::MessageLite& message) {
  if (!node_.sender.send(type, message)) throw std::runtime_error(fmt::format("{} is not connected.", node_.name));
}

void NodeEntity::complain(std::string_view message) {
  node_.complain(entity_id(), fmt::format("{} of {}: {}", component_.name, node_.name, message));
}

}  // namespace hearth::integrations::esphome
