// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/connection.h"
#include "api/gateway/live_batch.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/socket_hub.h"
#include "api/rows.h"
#include "api/states/entity_changes.h"
#include "api/states/readable_subscription.h"
#include "api/states/state_pieces.h"

namespace hearth::api {
namespace {

// `start` is the number of the last event that the snapshot holds.
class EntitySubscription final : public LiveSubscription {
 public:
  using LiveSubscription::deliver;
  EntitySubscription(std::int64_t id, std::shared_ptr<const WantedEntities> wanted, SocketHub::Listener listener,
                     std::uint64_t start)
      : id_(id), wanted_(std::move(wanted)), listener_(std::move(listener)), start_(start) {}

  void deliver(LiveBatch& batch, http::WebSocket& socket) override {
    if (wanted_->all()) {
      for (const http::MessagePtr& message : batch.changes_for(id_, start_)) {
        if (!socket.send(message)) return;
      }
    } else {
      for (const std::string& text : batch.changes().behind(start_, std::cref(*wanted_))) {
        if (!socket.send(event_message(id_, text))) return;
      }
    }
  }

 private:
  const std::int64_t id_;
  const std::shared_ptr<const WantedEntities> wanted_;
  const SocketHub::Listener listener_;
  const std::uint64_t start_;
};

using Rule = core::EntityFilter::Rule;

base::Result<Rule> read_rule(MessageReader& in, std::string_view key, const core::Limits& limits) {
  json::object object;
  std::vector<std::string> entity_ids, domains, globs;
  in.optional(key, object);
  MessageReader inner(object, std::string(key) + '.');
  inner.optional("entities", entity_ids);
  inner.optional("domains", domains);
  inner.optional("entity_globs", globs);
  if (auto read = inner.finish(); !read) return std::unexpected(read.error());
  return Rule::create(std::move(entity_ids), std::move(domains), std::move(globs), limits);
}

base::Result<WantedEntities> read_wanted(const json::object& message, const core::Limits& limits) {
  WantedEntities wanted;
  std::optional<std::vector<std::string>> entity_ids;
  MessageReader in(message);
  in.optional("entity_ids", entity_ids);
  auto include = read_rule(in, "include", limits);
  auto exclude = read_rule(in, "exclude", limits);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (!include) return std::unexpected(std::move(include.error()));
  if (!exclude) return std::unexpected(std::move(exclude.error()));
  wanted.filter = {std::move(*include), std::move(*exclude)};
  if (!entity_ids) return wanted;
  auto only = Rule::create(std::move(*entity_ids), {}, {}, limits);
  if (!only) return std::unexpected(std::move(only.error()));
  wanted.entity_ids = std::move(*only);
  return wanted;
}

void get_states(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  const auto append = [](std::string& out, const core::State& state) {
    out += state.json();
    return true;
  };
  reply.send(state_pieces(call.home.states(), "[", append, "]"));
}

void subscribe_entities(const CommandCall& call, CommandReply reply) {
  auto read = read_wanted(call.message, call.home.limits());
  if (!read) return reply.send(std::unexpected(read.error()));
  const auto wanted = std::make_shared<const WantedEntities>(std::move(*read));
  if (auto room = call.connection.may_subscribe(wanted->weight()); !room)
    return reply.send(std::unexpected(room.error()));

  if (!call.home.rights().reads_all()) return subscribe_readable(call, std::move(reply), wanted);
  // Listening begins before the snapshot is taken: what happens between is in both, and left out by its number.
  auto listener = call.connection.sockets().listen(
      {{std::string(core::event_type::kStateChanged), std::string(core::event_type::kStateConfirmed)}},
      call.connection.worker());
  const auto states = call.home.states();
  const std::uint64_t start = std::max(listener.start(), states.sequence());
  reply.send("null");
  call.connection.send_event(
      call.id, entity_snapshot(states, [wanted](std::string_view entity_id) { return (*wanted)(entity_id); }));
  const std::size_t weight = wanted->weight();
  call.connection.subscribe(call.id, std::make_unique<EntitySubscription>(call.id, wanted, std::move(listener), start),
                            weight);
}

}  // namespace

constexpr Command kStateCommandRows[] = {
    {"get_states", Access::user, get_states, Durable::no},
    {"subscribe_entities", Access::user, subscribe_entities, Durable::no},
};
constexpr Commands kStateCommands = kStateCommandRows;

}  // namespace hearth::api
