// SPDX-License-Identifier: Apache-2.0
// One entity that a node describes: its place in the home, and its commands. A component adds the meaning. Bus thread
// only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "domains/integration.h"
#include "integrations/esphome/protocol/messages.h"

namespace hearth::integrations::esphome {

struct Component;

// Sends to the node.
class NodeSender {
 public:
  virtual ~NodeSender() = default;
  // False if the node cannot be reached, or the message is too long.
  virtual bool send(std::uint32_t type, const google::protobuf::MessageLite& message) = 0;
};

// The objects that the entities of a node share; they outlive them.
struct NodeContext {
  core::Hub& hub;
  domains::Domains& domains;
  domains::IntegrationBus& bus;
  NodeSender& sender;
  std::string name;      // of the node, for the log
  std::string entry_id;  // of its connection
  // Logs each sort of complaint once a session.
  std::function<void(std::string_view what, std::string_view message)> complain;
};

// The fields that all descriptions have, cleaned.
struct CommonFields {
  std::string object_id, name;
  std::uint32_t key = 0, device_id = 0;
  std::string icon, device_class;
  std::uint32_t category = 0;  // 1 is config, 2 is diagnostic
  bool disabled = false;       // initially
};

// Takes the fields out of the message, which then holds the component's own only.
template <class List>
CommonFields take_common(List& list) {
  CommonFields common;
  common.object_id = clean_text(list.object_id());
  common.name = clean_text(list.name());
  common.key = list.key();
  common.device_id = list.device_id();
  common.icon = clean_text(list.icon());
  common.category = list.entity_category();
  common.disabled = list.disabled_by_default();
  if constexpr (requires { list.device_class(); }) {
    common.device_class = clean_text(list.device_class());
    const std::unique_ptr<std::string> taken(list.release_device_class());
  }
  // Cleared texts keep their memory.
  const std::unique_ptr<std::string> taken[] = {std::unique_ptr<std::string>(list.release_object_id()),
                                                std::unique_ptr<std::string>(list.release_name()),
                                                std::unique_ptr<std::string>(list.release_icon())};
  return common;
}

class NodeEntity {
 public:
  // `info` lacks what only the component knows.
  NodeEntity(NodeContext& node, const Component& component, CommonFields common)
      : node_(node),
        component_(component),
        key_(common.key),
        device_id_(common.device_id),
        common_(std::make_unique<CommonFields>(std::move(common))) {}
  virtual ~NodeEntity() = default;
  NodeEntity(const NodeEntity&) = delete;
  NodeEntity& operator=(const NodeEntity&) = delete;

  // Adds the entity to the home, with its last state. Fails as EntityTable::add does.
  base::Result<void> start(domains::EntityInfo info);
  // Takes the entity out of the home, which keeps its state and registry entry.
  void withdraw();

  const Component& component() const { return component_; }
  std::uint32_t key() const { return key_; }
  std::uint32_t device_id() const { return device_id_; }
  const CommonFields& common() const { return *common_; }  // REQUIRES: it has not been in the home yet
  NodeContext& node() const { return node_; }
  domains::Entity* entity() const { return entity_; }  // null while it is not in the home
  std::string_view entity_id() const { return entity_ ? entity_->entity_id() : std::string_view(); }
  virtual void set_available(bool available);
  // The node is connected and tells its states from now on.
  virtual void node_is_ready() {}

  // Sends the command, with the entity's key. Throws if it cannot, so that the service call fails.
  template <class Command>
  void send(std::uint32_t type, Command& command) {
    if constexpr (requires { command.set_key(0U); }) command.set_key(key_);
    if constexpr (requires { command.set_device_id(0U); }) command.set_device_id(device_id_);
    send_message(type, command);
  }
  // A line in the log about what the node sends.
  void complain(std::string_view message);

 protected:
  // The entity, in the state that it had (null if unknown).
  virtual std::unique_ptr<domains::Entity> make(domains::EntityInfo info, const core::State* last) = 0;
  // Fields of the description that the component adds.
  virtual void describe(domains::EntityInfo&) const {}

 private:
  void send_message(std::uint32_t type, const google::protobuf::MessageLite& message);

  NodeContext& node_;
  const Component& component_;
  const std::uint32_t key_, device_id_;
  std::unique_ptr<const CommonFields> common_;  // null once the registry has them
  domains::Entity* entity_ = nullptr;
};

}  // namespace hearth::integrations::esphome
