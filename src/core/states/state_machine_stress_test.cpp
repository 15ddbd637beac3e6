// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <unordered_map>
#include <vector>

#include "core/states/state_machine.h"

namespace hearth::core {
namespace {

constexpr int kWriters = 4, kWrites = 4'000, kEntities = 12;

// Checks each change against those before it, on the bus thread.
class Checker final : public EventListener {
 public:
  explicit Checker(const StateMachine& states) : states_(states) {}

  void on_event(const EventPtr& event) override {
    EXPECT_GT(event->sequence, last_sequence_);
    last_sequence_ = event->sequence;

    const auto& [old_state, new_state] = *event->state_change();
    const std::string id((new_state ? new_state : old_state)->entity_id());
    StatePtr& known = last_[id];
    EXPECT_EQ(old_state, known) << "a change does not begin where the one before it ended";
    if (known && new_state) {
      EXPECT_GE(new_state->last_updated(), known->last_updated());
    }
    known = new_state;
    ++events;

    const auto snapshot = states_.snapshot();
    EXPECT_GE(snapshot->sequence(), event->sequence);
    const auto found = snapshot->find(id);
    if (snapshot->sequence() == event->sequence) {
      EXPECT_EQ(found, new_state);
    }
    if (found && new_state) {
      EXPECT_GE(found->last_updated(), new_state->last_updated());
    }
  }

  const std::unordered_map<std::string, StatePtr>& last() const { return last_; }
  int events = 0;

 private:
  const StateMachine& states_;
  std::uint64_t last_sequence_ = 0;
  std::unordered_map<std::string, StatePtr> last_;
};

EntityId entity(unsigned number) {
  return *EntityId::parse("sensor.number_" + std::to_string(number));
}

// Writes at random; returns how many of the writes had an effect.
int write(StateMachine& states, unsigned seed, unsigned first, unsigned count) {
  std::mt19937 random(seed);
  int effective = 0;
  for (int i = 0; i < kWrites; ++i) {
    const EntityId id = entity(first + random() % count);
    const Context context{std::to_string(seed), {}, {}};
    if (random() % 10 == 0) {
      effective += states.remove(id.str(), context).has_value();
      continue;
    }
    const std::string value = std::to_string(random() % 3);
    const std::string attributes = random() % 2 ? R"({"a":1,"b":2})" : R"({"b":2,"a":1})";
    const auto written = states.set(id, {value, attributes, context, random() % 10 == 0}).value();
    EXPECT_EQ(written.state->value(), value);
    effective += written.outcome != StateMachine::Outcome::unchanged;
  }
  return effective;
}

// Reads until stopped, and checks that nothing goes back.
void read(const StateMachine& states, const std::atomic<bool>& done) {
  std::uint64_t last_sequence = 0;
  std::unordered_map<std::string, base::Timestamp> last_updated;
  while (!done) {
    const auto snapshot = states.snapshot();
    ASSERT_GE(snapshot->sequence(), last_sequence);
    last_sequence = snapshot->sequence();
    std::size_t count = 0;
    snapshot->for_each([&](const State& state) {
      ++count;
      auto& last = last_updated[std::string(state.entity_id())];
      ASSERT_GE(state.last_updated(), last);
      last = state.last_updated();
      ASSERT_EQ(snapshot->find(state.entity_id()).get(), &state);
      ASSERT_GE(state.json().size(), state.list_json_open().size());
    });
    ASSERT_EQ(count, snapshot->size());
  }
}

// Keeps versions for a while and drops them in random order; each must stay as it was.
void keep(const StateMachine& states, const std::atomic<bool>& done) {
  struct Kept {
    StateMachine::Snapshot snapshot;
    std::vector<std::string> seen;
  };
  const auto seen_in = [](const StateTable& table) {
    std::vector<std::string> seen;
    table.for_each([&](const State& state) { seen.emplace_back(state.json()); });
    return seen;
  };
  std::mt19937 random(1);
  std::vector<Kept> kept(16);
  while (!done) {
    Kept& next = kept[random() % kept.size()];
    if (next.snapshot) {
      ASSERT_EQ(seen_in(*next.snapshot), next.seen);
    }
    next.snapshot = states.snapshot();
    next.seen = seen_in(*next.snapshot);
  }
}

// `apart`: each writer has entities of its own, otherwise they share them.
void run(bool apart) {
  base::ManualClock clock;
  EventBus bus(clock);
  StateMachine states(bus);
  Checker checker(states);
  const auto subscription = bus.listen(EventFilter{{"state_changed"}}, checker);
  bus.start();
  std::atomic<bool> done = false;
  std::atomic<int> effective = 0;
  std::vector<std::jthread> others;
  for (int i = 0; i < 2; ++i) others.emplace_back([&] { read(states, done); });
  for (int i = 0; i < 2; ++i) others.emplace_back([&] { keep(states, done); });
  others.emplace_back([&] {
    // A clock that is set back and forth all the time.
    const auto start = clock.now();
    for (unsigned i = 0; !done; ++i) clock.set(start + std::chrono::milliseconds(i * 7919 % 5'000));
  });
  {
    std::vector<std::jthread> writers;
    for (unsigned i = 0; i < kWriters; ++i) {
      constexpr unsigned own = kEntities / kWriters;
      writers.emplace_back(
          [&, i] { effective += apart ? write(states, i, i * own, own) : write(states, i, 0, kEntities); });
    }
  }
  done = true;
  others.clear();
  bus.stop();

  EXPECT_EQ(checker.events, effective);
  const auto snapshot = states.snapshot();
  std::size_t there = 0;
  for (const auto& [id, state] : checker.last()) {
    EXPECT_EQ(snapshot->find(id), state);
    there += state != nullptr;
  }
  EXPECT_EQ(snapshot->size(), there);
}

TEST(StateMachineStress, HasOneOrderForWritersOfTheSameEntities) {
  run(false);
}

TEST(StateMachineStress, HasOneOrderForWritersOfEntitiesOfTheirOwn) {
  run(true);
}

TEST(StateMachineStress, ShowsAWriterItsOwnWriteAtOnce) {
  const base::SystemClock clock;
  EventBus bus(clock);
  StateMachine states(bus);
  bus.start();
  std::vector<std::jthread> writers;
  for (unsigned i = 0; i < kWriters; ++i) {
    writers.emplace_back([&, i] {
      const EntityId id = entity(i);
      for (int n = 0; n < kWrites; ++n) {
        const auto written = states.set(id, {std::to_string(n), "{}", Context{"A", {}, {}}}).value();
        ASSERT_EQ(states.find(id.str()), written.state);
      }
    });
  }
}

}  // namespace
}  // namespace hearth::core
