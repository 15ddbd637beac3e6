// SPDX-License-Identifier: Apache-2.0
// Settings that pages keep for the home as a whole, such as its favourites: administrators write it, everybody reads it
// who may read all that it names.
#include <fmt/format.h>

#include "api/gateway/connection.h"
#include "api/gateway/live_batch.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/socket_hub.h"
#include "api/rows.h"
#include "core/hub.h"

namespace hearth::api {
namespace {

constexpr std::string_view kCollection = core::kPageData;
constexpr std::size_t kMaxKey = 255;  // bytes

std::string value_object(const core::View& home, std::string_view key) {
  const auto registry = home.registry();
  const core::Item* const item = registry.find_item(kCollection, key);
  const json::value* const value = item ? item->fields.if_contains("value") : nullptr;
  std::string text = value ? base::to_json(*value) : "null";
  if (home.names_hidden(text)) text = "null";
  return fmt::format(R"({{"value":{}}})", text);
}

class SystemDataSubscription final : public LiveSubscription {
 public:
  using LiveSubscription::deliver;
  SystemDataSubscription(std::int64_t id, std::string key, core::View home, SocketHub::Listener listener,
                         std::string sent)
      : id_(id), key_(std::move(key)), home_(std::move(home)), listener_(std::move(listener)), sent_(std::move(sent)) {}

  void deliver(LiveBatch& batch, http::WebSocket& socket) override {
    for (const core::EventPtr& event : batch.events()) {
      const core::RegistryChange* const change = event->registry_change.get();
      if (event->sequence <= listener_.start() || !change || change->collection != kCollection || change->id != key_)
        continue;
      // The value is the newest: one message stands for all changes of the batch. Nothing is sent of a change that the
      // caller may not see.
      std::string value = value_object(home_, key_);
      if (value == sent_) return;
      sent_ = std::move(value);
      socket.send(event_message(id_, sent_));
      return;
    }
  }

 private:
  const std::int64_t id_;
  const std::string key_;
  const core::View home_;
  const SocketHub::Listener listener_;
  std::string sent_;  // the last value
};

CommandResult get_system_data(const CommandCall& call) {
  std::string key;
  MessageReader in(call.message);
  in.required("key", key);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return value_object(call.home, key);
}

CommandResult set_system_data(const CommandCall& call) {
  std::string key;
  json::value value;
  MessageReader in(call.message);
  in.required("key", key);
  in.required_value("value", value);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (key.empty() || key.size() > kMaxKey) {
    return std::unexpected(
        CommandError(command_error::kInvalidFormat, fmt::format("key: expected a text of 1 to {} bytes", kMaxKey)));
  }
  core::Registry& registry = call.home.administered().registry;
  const std::string collection(kCollection);
  json::object fields{{"value", std::move(value)}};
  const auto done = registry.snapshot()->find_item(collection, key)
                        ? registry.update_item(collection, key, fields, std::nullopt, call.context())
                        : registry.create_item(collection, key, fields, call.context());
  if (!done) return std::unexpected(done.error());
  return "null";
}

void subscribe_system_data(const CommandCall& call, CommandReply reply) {
  std::string key;
  MessageReader in(call.message);
  in.required("key", key);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (auto room = call.connection.may_subscribe(); !room) return reply.send(std::unexpected(room.error()));
  core::EventFilter filter;
  filter.types.emplace(core::event_type::kCollectionUpdated);
  auto listener = call.connection.sockets().listen(std::move(filter), call.connection.worker());
  std::string value = value_object(call.home, key);
  reply.send("null");
  call.connection.send_event(call.id, value);
  call.connection.subscribe(call.id, std::make_unique<SystemDataSubscription>(call.id, key, call.home,
                                                                              std::move(listener), std::move(value)));
}

}  // namespace

constexpr Command kSystemDataCommandRows[] = {
    {"frontend/get_system_data", Access::user, get_system_data, Durable::no},
    {"frontend/set_system_data", Access::admin, set_system_data, Durable::registry},
    {"frontend/subscribe_system_data", Access::user, subscribe_system_data, Durable::no},
};
constexpr Commands kSystemDataCommands = kSystemDataCommandRows;

}  // namespace hearth::api
