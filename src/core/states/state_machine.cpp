// SPDX-License-Identifier: Apache-2.0
#include "core/states/state_machine.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text/utf8.h"

namespace hearth::core {
namespace {

// Attributes are equal regardless of the order of keys. Different lengths mean different attributes, because write_json
// wrote both.
bool same_attributes(const State& state, std::string_view attributes_json) {
  const std::string_view old = state.attributes_json();
  if (old == attributes_json) return true;
  if (old.size() != attributes_json.size()) return false;
  // Attributes that differ by more than order nearly always differ in this sum, which saves parsing.
  const auto sum_of_bytes = [](std::string_view text) {
    std::uint64_t sum = 0;
    for (const unsigned char c : text) sum += c * (c + std::uint64_t(0x9E3779B9));
    return sum;
  };
  if (sum_of_bytes(old) != sum_of_bytes(attributes_json)) return false;
  return base::parse_json(attributes_json).value() == base::parse_json(old).value();
}

// Null if the entity has an attribute of that name.
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

// Not before `known`, unless a wrong clock gave that.
base::Timestamp time_after(base::Timestamp known, base::Timestamp now) {
  return known - now > StateMachine::kWrongClock ? now : std::max(known, now);
}

std::shared_ptr<Event> change_event(std::string_view type, StatePtr before, StatePtr after, const Context& context) {
  return std::make_shared<Event>(type, StateChange{std::move(before), std::move(after)}, Origin::local, context);
}

}  // namespace

StatePtr StateMachine::awaited(std::string_view entity_id) const {
  if (awaited_.empty()) return nullptr;
  const auto found = awaited_.find(entity_id);
  return found == awaited_.end() ? nullptr : found->second;
}

// A state that does not grow is accepted even beyond the limits, which may have been lowered.
base::Result<void> StateMachine::check_room(const State* old, const State& state) const {
  if (!old && writer_.newest()->size() >= limits_.entities) {
    return base::fail(base::ErrorCode::full,
                      fmt::format("The home has {} entities, which is the limit (entities).", limits_.entities));
  }
  const std::size_t before = old ? old->json().size() : 0;
  const std::size_t now = state.json().size();
  if (now <= before || bytes() - before + now <= limits_.states_bytes) return {};
  return base::fail(base::ErrorCode::full, fmt::format("All states together would take more than {}, which is the "
                                                       "limit (states_size).",
                                                       bytes_text(limits_.states_bytes)));
}

void StateMachine::count(const State* old, const State* state) {
  const std::size_t before = old ? old->json().size() : 0;
  const std::size_t now = state ? state->json().size() : 0;
  bytes_.store(bytes() - before + now, std::memory_order_relaxed);
}

// In each turn, everything that may fail (the state, the event, the next table) comes before anything visible.
base::Result<StateMachine::Written> StateMachine::set(const EntityId& id, Write write) {
  const auto length = base::utf8_length(write.value);
  if (!length || *length > kMaxValueLength) return base::fail(base::ErrorCode::invalid, "Invalid state specified.");
  if (auto fits = check_attributes(write.attributes_json.size(), limits_); !fits)
    return std::unexpected(std::move(fits.error()));

  table_.release();
  StateTableWriter::Garbage garbage;  // freed after the turn, not within it
  StatePtr before;                    // an awaited entity's former state, likewise
  EventBus::Turn turn(bus_, write.if_full);
  if (!turn) return EventBus::full();
  StatePtr old = writer_.newest()->find(id.str());
  before = awaited(id.str());
  const bool same_value = old && old->value() == write.value;
  if (before && same_value && !write.force_update && same_attributes(*before, write.attributes_json)) {
    auto event = change_event(event_type::kStateConfirmed, old, before, write.context);
    table_.publish(writer_.put(before, turn.next_sequence()));
    count(old.get(), before.get());
    writer_.collect(garbage);
    turn.fire(std::move(event));
    awaited_.erase(before->entity_id());
    return Written{std::move(before), Outcome::unchanged};
  }
  if (same_value && !write.force_update && same_attributes(*old, write.attributes_json)) {
    if (bus_.wants_reported()) {
      turn.fire(change_event(event_type::kStateReported, old, old, write.context));
    }
    if (before) awaited_.erase(before->entity_id());
    return Written{old, Outcome::unchanged};
  }

  const base::Timestamp updated = time_after(old ? old->last_updated() : last_removed_, turn.now());
  const bool keeps = same_value && !write.force_update && old->last_changed() <= updated;
  const State::Times times = write.times.value_or(State::Times{keeps ? old->last_changed() : updated, updated});
  auto state = State::create(id, write.value, write.attributes_json, times, write.context);
  if (auto room = check_room(old.get(), *state); !room) return std::unexpected(std::move(room.error()));
  const Outcome outcome = old ? Outcome::changed : Outcome::created;
  auto event = change_event(event_type::kStateChanged, old, state, write.context);
  event->by_connection = write.by_connection;
  table_.publish(writer_.put(state, turn.next_sequence()));
  count(old.get(), state.get());
  changes_.increase();
  writer_.collect(garbage);
  turn.fire(std::move(event));
  if (before) awaited_.erase(before->entity_id());
  return Written{std::move(state), outcome};
}

base::Result<StatePtr> StateMachine::remove(std::string_view entity_id, const Context& context, IfFull if_full) {
  table_.release();
  StateTableWriter::Garbage garbage;
  StatePtr before;
  EventBus::Turn turn(bus_, if_full);
  if (!turn) return EventBus::full();
  StatePtr old = writer_.newest()->find(entity_id);
  if (!old) return base::fail(base::ErrorCode::not_found, "Entity not found.");
  auto event = change_event(event_type::kStateChanged, old, nullptr, context);
  table_.publish(writer_.remove(entity_id, turn.next_sequence()));
  count(old.get(), nullptr);
  changes_.increase();
  writer_.collect(garbage);
  turn.fire(std::move(event));
  before = awaited(entity_id);
  if (before) awaited_.erase(before->entity_id());
  const auto right = [&](base::Timestamp time) { return time - turn.now() > kWrongClock ? base::Timestamp() : time; };
  last_removed_ = std::max(right(last_removed_), right(old->last_updated()));
  return old;
}

std::vector<StatePtr> StateMachine::take_what_is_too_much(std::vector<StatePtr>& states) const {
  std::size_t room = limits_.states_bytes - std::min(bytes(), limits_.states_bytes);
  std::size_t places = limits_.entities - std::min(writer_.newest()->size(), limits_.entities);
  std::size_t wanted = 0;
  for (const StatePtr& state : states) wanted += state->json().size();
  if (wanted <= room && states.size() <= places) return {};
  const auto too_long = [&](const StatePtr& state) {
    return state->attributes_json().size() > limits_.attributes_bytes;
  };
  std::ranges::sort(states, [&](const StatePtr& a, const StatePtr& b) {
    if (too_long(a) != too_long(b)) return too_long(b);
    return a->last_updated() > b->last_updated();
  });
  std::vector<StatePtr> rest, fitting;
  for (StatePtr& state : states) {
    if (places == 0 || state->json().size() > room) {
      rest.push_back(std::move(state));
      continue;
    }
    --places;
    room -= state->json().size();
    fitting.push_back(std::move(state));
  }
  states = std::move(fitting);
  return rest;
}

std::vector<StatePtr> StateMachine::restore(std::vector<StatePtr> states,
                                            const std::function<bool(const State&)>& awaited) {
  std::unordered_map<std::string_view, StatePtr> marked;
  for (StatePtr& state : states) {
    StatePtr mark = awaited && awaited(*state) ? marked_restored(*state) : nullptr;
    if (!mark) continue;
    marked.emplace(state->entity_id(), state);
    state = std::move(mark);
  }
  table_.release();
  StateTableWriter::Garbage garbage;
  EventBus::Turn turn(bus_, IfFull::wait, 0);
  std::erase_if(states, [&](const StatePtr& state) { return writer_.newest()->find(state->entity_id()) != nullptr; });
  std::vector<StatePtr> left_out = take_what_is_too_much(states);
  for (const StatePtr& state : states) {
    if (auto mark = marked.extract(state->entity_id())) awaited_.insert(std::move(mark));
    count(nullptr, state.get());
  }
  table_.publish(writer_.put_missing(states));
  writer_.collect(garbage);
  return left_out;
}

}  // namespace hearth::core
