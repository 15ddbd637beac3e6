// SPDX-License-Identifier: Apache-2.0
// The states of the home: reads from an immutable published table, writes in one order with the events they cause.
//
// Any thread. A reader never waits; a write takes microseconds and has published its table and queued its event when it
// returns. One that fails, as where memory is short, has done nothing.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/published.h"
#include "base/result.h"
#include "core/event_bus.h"
#include "core/limits.h"
#include "core/state_table.h"
#include "core/state_table_writer.h"

namespace hearth::core {

class StateMachine {
 public:
  using Snapshot = std::shared_ptr<const StateTable>;

  explicit StateMachine(EventBus& bus, const Limits& limits = {})
      : bus_(bus), limits_(limits), table_(writer_.newest()) {}

  // Nothing in it ever changes; keep it as long as you like.
  Snapshot snapshot() const { return table_.load(); }
  StatePtr find(std::string_view entity_id) const { return snapshot()->find(entity_id); }

  enum class Outcome { created, changed, unchanged };
  struct Written {
    StatePtr state;
    Outcome outcome;
  };
  struct Write {
    std::string_view value;            // at most kMaxValueLength code points
    std::string_view attributes_json;  // the text of a JSON object, as base::write_json makes it
    Context context;
    bool force_update = false;  // an event and new times even if nothing differs
    IfFull if_full = IfFull::wait;
  };

  // By the contract's rules: the same value and attributes change nothing and fire state_reported; the same value keeps
  // last_changed; last_updated never goes back, except from a time that lies more than kWrongClock ahead. Fails with
  // invalid if the value or the attributes are too long, with full if the home would have more entities, or larger
  // states together, than the limits allow, with unavailable if the bus is full and the write does not wait.
  base::Result<Written> set(const EntityId& id, Write write);

  // Takes the entity out: state_changed with new_state null. Fails with not_found, and with unavailable as `set` does.
  base::Result<StatePtr> remove(std::string_view entity_id, const Context& context, IfFull if_full = IfFull::wait);

  // Puts back what was there before a restart, without events; an entity that has a state already keeps it. All at
  // once, within one turn: before others write. Those whose integration is yet to report them, as `awaited` says, carry
  // the attribute `restored: true` until they are written. Whoever then writes what was there before the restart takes
  // the mark away and changes nothing else: state_confirmed. Returns what the limits leave no room for: those with the
  // largest attributes, then the oldest.
  std::vector<StatePtr> restore(std::vector<StatePtr> states, const std::function<bool(const State&)>& awaited = {});

  const Limits& limits() const { return limits_; }
  // What all states take, as JSON.
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

  static constexpr std::size_t kMaxValueLength = 255;
  // A time so far ahead of the clock was taken from a clock that was wrong.
  static constexpr base::Duration kWrongClock = std::chrono::hours(1);

 private:
  // Null if the entity is not awaited.
  StatePtr awaited(std::string_view entity_id) const;
  std::vector<StatePtr> take_what_is_too_much(std::vector<StatePtr>& states) const;
  base::Result<void> check_room(const State* old, const State& state) const;
  void count(const State* old, const State* state);

  EventBus& bus_;  // whose turn orders the writes
  const Limits limits_;
  StateTableWriter writer_;             // within a turn only
  std::atomic<std::size_t> bytes_ = 0;  // changed within a turn only
  base::Published<StateTable> table_;
  // What those that are awaited were before the restart. Within a turn only.
  std::unordered_map<std::string_view, StatePtr> awaited_;
  // The latest time of any entity that was removed: whoever comes back is not older. Within a turn only.
  base::Timestamp last_removed_;
};

}  // namespace hearth::core
