// SPDX-License-Identifier: Apache-2.0
#include "api/states/readable_subscription.h"

#include <unordered_map>

#include "api/gateway/connection.h"
#include "api/gateway/live_batch.h"
#include "api/gateway/socket_hub.h"
#include "api/states/entity_changes.h"

namespace hearth::api {
namespace {

namespace type = core::event_type;

class ReadableSubscription final : public LiveSubscription {
 public:
  using LiveSubscription::deliver;
  ReadableSubscription(std::int64_t id, core::View home, std::shared_ptr<const WantedEntities> wanted,
                       SocketHub::Listener listener)
      : id_(id), home_(std::move(home)), wanted_(std::move(wanted)), listener_(std::move(listener)) {}

  // Of the states that the client gets first, whose last change has this number. Returns about what it takes in memory.
  std::size_t begin(const core::ReadableStates& states, std::uint64_t start) {
    start_ = start;
    std::size_t bytes = wanted_->weight();
    states.for_each([&](const core::State& state) {
      if (!(*wanted_)(state.entity_id())) return;
      shown_.emplace(state.entity_id(), start);
      bytes += kEntry + state.entity_id().size();
    });
    return bytes;
  }

  void deliver(LiveBatch& batch, http::WebSocket& socket) override {
    Sight sight;
    for (const core::EventPtr& event : batch.events()) {
      if (event->sequence > start_ && !event->by_client) look_again(*event, sight);
    }
    if (!send(entities_shown(sight.added, sight.removed), socket)) return;
    const EntityChanges::ChangePredicate wanted = [this](const core::StateChange& change, std::uint64_t sequence) {
      return tell(change, sequence);
    };
    send(batch.changes().behind(start_, wanted), socket);
  }

 private:
  static constexpr std::size_t kEntry = 96;  // bytes of one of `shown_`, about, beside the id

  struct Sight {
    std::vector<core::StatePtr> added;
    std::vector<std::string> removed;
  };

  bool send(const std::vector<std::string>& texts, http::WebSocket& socket) const {
    for (const std::string& text : texts) {
      if (!socket.send(event_message(id_, text))) return false;
    }
    return true;
  }

  // The places of entities have changed.
  void look_again(const core::Event& event, Sight& sight) {
    if (!event.registry_change) return;
    const std::string& changed = event.registry_change->id;
    if (event.type == type::kEntityRegistryUpdated) {
      look_at(changed, sight);
    } else if (event.type == type::kDeviceRegistryUpdated) {
      for (const std::string& id : home_.registry().entities_of_device(changed)) look_at(id, sight);
      look_at_shown(sight);
    } else if (event.type == type::kAreaRegistryUpdated) {
      home_.states().for_each([&](const core::State& state) { look_at(std::string(state.entity_id()), sight); });
      look_at_shown(sight);
    }
  }
  void look_at_shown(Sight& sight) {
    std::vector<std::string> ids;
    for (const auto& [id, since] : shown_) ids.push_back(id);
    for (const std::string& id : ids) look_at(id, sight);
  }
  void look_at(const std::string& id, Sight& sight) {
    const auto shown = shown_.find(id);
    if (shown != shown_.end()) {
      if (home_.reads(id)) return;
      shown_.erase(shown);
      sight.removed.push_back(id);
    } else if ((*wanted_)(id)) {
      const std::uint64_t now = home_.states().sequence();
      core::StatePtr state = home_.find(id);
      if (!state) return;
      shown_.emplace(id, now);
      sight.added.push_back(std::move(state));
    }
  }

  // True if the client is told of the change: it knows the entity, or gets to know it.
  bool tell(const core::StateChange& change, std::uint64_t sequence) {
    const std::string id(change.entity_id());
    const auto shown = shown_.find(id);
    if (shown == shown_.end()) {
      if (change.old_state || !(*wanted_)(id) || !home_.reads(id)) return false;
      shown_.emplace(id, sequence);
      return true;
    }
    if (sequence <= shown->second) return false;
    if (!change.new_state) {
      shown_.erase(shown);
      return true;
    }
    return home_.reads(id);
  }

  const std::int64_t id_;
  const core::View home_;
  const std::shared_ptr<const WantedEntities> wanted_;
  const SocketHub::Listener listener_;
  std::uint64_t start_ = 0;
  // The client's entities, each with the number of the last change that it had when it came.
  std::unordered_map<std::string, std::uint64_t> shown_;
};

}  // namespace

void subscribe_readable(const CommandCall& call, CommandReply reply, std::shared_ptr<const WantedEntities> wanted) {
  core::EventFilter filter;
  for (const auto name : {type::kStateChanged, type::kStateConfirmed, type::kEntityRegistryUpdated,
                          type::kDeviceRegistryUpdated, type::kAreaRegistryUpdated}) {
    filter.types.emplace(name);
  }
  auto listener = call.connection.sockets().listen(std::move(filter), call.connection.worker());
  const std::uint64_t heard = listener.start();
  auto subscription = std::make_unique<ReadableSubscription>(call.id, call.home, wanted, std::move(listener));
  const core::ReadableStates states = call.home.states();
  const std::size_t weight = subscription->begin(states, std::max(heard, states.sequence()));
  if (auto room = call.connection.may_subscribe(weight); !room) return reply.send(std::unexpected(room.error()));
  reply.send("null");
  call.connection.send_event(
      call.id, entity_snapshot(states, [wanted](std::string_view entity_id) { return (*wanted)(entity_id); }));
  call.connection.subscribe(call.id, std::move(subscription), weight);
}

}  // namespace hearth::api
