// SPDX-License-Identifier: Apache-2.0
// The states of the home: reads from an immutable published table, writes in one order together with their events.
//
// Any thread. A reader never waits; a write takes microseconds and has published its table and queued its event when it
// returns. A failed one, also for lack of memory, has changed nothing.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/threads/published.h"
#include "core/bus/event_bus.h"
#include "core/states/state_table.h"
#include "core/states/state_table_writer.h"
#include "core/values/counters.h"
#include "core/values/limits.h"

namespace hearth::core {

class StateMachine {
 public:
  using Snapshot = std::shared_ptr<const StateTable>;

  explicit StateMachine(EventBus& bus, const Limits& limits = {})
      : bus_(bus), limits_(limits), table_(writer_.newest()) {}

  // Immutable; may be kept for any time.
  Snapshot snapshot() const { return table_.load(); }
  StatePtr find(std::string_view entity_id) const { return snapshot()->find(entity_id); }

  enum class Outcome { created, changed, unchanged };
  struct Written {
    StatePtr state;
    Outcome outcome;
  };
  struct Write {
    std::string_view value;            // at most kMaxValueLength code points
    std::string_view attributes_json;  // a JSON object as base::write_json writes it
    Context context;
    bool force_update = false;  // fires an event and sets new times even if nothing differs
    IfFull if_full = IfFull::wait;
    std::optional<State::Times> times = {};  // of another hub's state; null: this write's
    bool by_connection = false;              // Event::by_connection of the change
  };

  // By the contract's rules: equal value and attributes change nothing and fire state_reported; an equal value keeps
  // last_changed; last_updated never goes back, except from a time more than kWrongClock ahead. Fails with invalid if
  // the value or the attributes are too long, with full if the limits of entities or of all states are reached, with
  // unavailable if the bus is full and the write does not wait.
  base::Result<Written> set(const EntityId& id, Write write);

  // Removes the entity: state_changed with new_state null. Fails with not_found, and with unavailable as `set` does.
  base::Result<StatePtr> remove(std::string_view entity_id, const Context& context, IfFull if_full = IfFull::wait);

  // Restores the states of the last run, without events, in one turn, before others write; an entity that has a state
  // keeps it. Those for which `awaited` is true, because their integration has yet to report them, get the attribute
  // `restored: true` until they are written. A first write equal to the restored state only removes that mark:
  // state_confirmed. Returns the states beyond the limits: those with the largest attributes, then the oldest.
  std::vector<StatePtr> restore(std::vector<StatePtr> states, const std::function<bool(const State&)>& awaited = {});

  const Limits& limits() const { return limits_; }
  // How often a state was written, made or removed since the hub started.
  std::uint64_t changes() const { return changes_.value(); }
  // The size of all states as JSON.
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

  static constexpr std::size_t kMaxValueLength = 255;
  // A time this far ahead of the clock came from a wrong clock.
  static constexpr base::Duration kWrongClock = std::chrono::hours(1);

 private:
  // Null if the entity is not awaited.
  StatePtr awaited(std::string_view entity_id) const;
  std::vector<StatePtr> take_what_is_too_much(std::vector<StatePtr>& states) const;
  base::Result<void> check_room(const State* old, const State& state) const;
  void count(const State* old, const State* state);

  EventBus& bus_;  // its turn orders the writes
  const Limits limits_;
  StateTableWriter writer_;             // within a turn only
  std::atomic<std::size_t> bytes_ = 0;  // changed within a turn only
  Counter changes_;                     // likewise
  base::Published<StateTable> table_;
  // The former states of awaited entities. Within a turn only.
  std::unordered_map<std::string_view, StatePtr> awaited_;
  // The latest time of any removed entity: a new one is not older. Within a turn only.
  base::Timestamp last_removed_;
};

}  // namespace hearth::core
