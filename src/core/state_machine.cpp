// SPDX-License-Identifier: Apache-2.0
#include "core/state_machine.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace hearth::core {
namespace {

// Attributes are the same whatever the order of their keys. Texts of different length differ: both are written by
// write_json.
bool same_attributes(const State& state, std::string_view attributes_json) {
  const std::string_view old = state.attributes_json();
  if (old == attributes_json) return true;
  if (old.size() != attributes_json.size()) return false;
  // Texts that differ by more than order nearly always differ in this sum: the usual case, without parsing.
  const auto sum_of_bytes = [](std::string_view text) {
    std::uint64_t sum = 0;
    for (const unsigned char c : text) sum += c * (c + std::uint64_t(0x9E3779B9));
    return sum;
  };
  if (sum_of_bytes(old) != sum_of_bytes(attributes_json)) return false;
  return base::parse_json(attributes_json).value() == base::parse_json(old).value();
}

// Null where the attribute is somebody's own already.
StatePtr marked_restored(const State& state) {
  constexpr std::string_view kMark = R"("restored")";
  std::string attributes(state.attributes_json());
  if (attributes.find(kMark) != std::string::npos) return nullptr;
  attributes.pop_back();
  if (attributes.size() > 1) attributes += ',';
  attributes.append(kMark).append(":true}");
  return State::create(EntityId::parse(state.entity_id()).value(), state.value(), attributes,
                       {state.last_changed(), state.last_updated()}, state.context());
}

std::shared_ptr<Event> change_event(std::string_view type, StatePtr before, StatePtr after, const Context& context) {
  return std::make_shared<Event>(type, StateChange{std::move(before), std::move(after)}, Origin::local, context);
}

}  // namespace

StatePtr StateMachine::take_awaited(std::string_view entity_id) {
  if (awaited_.empty()) return nullptr;
  const auto found = awaited_.find(entity_id);
  if (found == awaited_.end()) return nullptr;
  StatePtr before = std::move(found->second);
  awaited_.erase(found);
  return before;
}

base::Result<StateMachine::Written> StateMachine::set(const EntityId& id, Write write) {
  const auto length = base::utf8_length(write.value);
  if (!length || *length > kMaxValueLength) return base::fail(base::ErrorCode::invalid, "Invalid state specified.");

  table_.release();
  StateTableWriter::Garbage garbage;  // freed after the turn, not within
  EventBus::Turn turn(bus_);
  StatePtr old = writer_.newest()->find(id.str());
  const bool same_value = old && old->value() == write.value;
  if (StatePtr before = take_awaited(id.str());
      before && same_value && !write.force_update && same_attributes(*before, write.attributes_json)) {
    table_.publish(writer_.put(before, turn.next_sequence()));
    writer_.collect(garbage);
    turn.fire(change_event(event_type::kStateConfirmed, old, before, write.context));
    return Written{std::move(before), Outcome::unchanged};
  }
  if (same_value && !write.force_update && same_attributes(*old, write.attributes_json)) {
    if (bus_.wants_reported()) {
      turn.fire(change_event(event_type::kStateReported, old, old, write.context));
    }
    return Written{old, Outcome::unchanged};
  }

  const base::Timestamp updated = std::max(turn.now(), old ? old->last_updated() : last_removed_);
  const base::Timestamp changed = same_value && !write.force_update ? old->last_changed() : updated;
  auto state = State::create(id, write.value, write.attributes_json, {changed, updated}, write.context);
  table_.publish(writer_.put(state, turn.next_sequence()));
  writer_.collect(garbage);
  const Outcome outcome = old ? Outcome::changed : Outcome::created;
  turn.fire(change_event(event_type::kStateChanged, std::move(old), state, write.context));
  return Written{std::move(state), outcome};
}

base::Result<StatePtr> StateMachine::remove(std::string_view entity_id, const Context& context) {
  table_.release();
  StateTableWriter::Garbage garbage;
  EventBus::Turn turn(bus_);
  StatePtr old = writer_.newest()->find(entity_id);
  if (!old) return base::fail(base::ErrorCode::not_found, "Entity not found.");
  take_awaited(entity_id);
  last_removed_ = std::max(last_removed_, old->last_updated());
  table_.publish(writer_.remove(entity_id, turn.next_sequence()));
  writer_.collect(garbage);
  turn.fire(change_event(event_type::kStateChanged, old, nullptr, context));
  return old;
}

void StateMachine::restore(const std::vector<StatePtr>& states, const std::function<bool(const State&)>& awaited) {
  std::vector<StatePtr> put(states);
  std::unordered_map<std::string_view, StatePtr> marked;
  for (StatePtr& state : put) {
    StatePtr mark = awaited && awaited(*state) ? marked_restored(*state) : nullptr;
    if (!mark) continue;
    marked.emplace(state->entity_id(), state);
    state = std::move(mark);
  }
  table_.release();
  StateTableWriter::Garbage garbage;
  EventBus::Turn turn(bus_);
  std::erase_if(marked, [&](const auto& entry) { return writer_.newest()->find(entry.first) != nullptr; });
  awaited_.merge(marked);
  table_.publish(writer_.put_missing(put));
  writer_.collect(garbage);
}

}  // namespace hearth::core
