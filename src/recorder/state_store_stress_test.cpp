// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "core/hub.h"
#include "recorder/state_store.h"
#include "storage/temporary_folder.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

std::map<std::string, std::string> all(const core::StateMachine& states) {
  std::map<std::string, std::string> texts;
  states.snapshot()->for_each([&](const core::State& state) { texts.emplace(state.entity_id(), state.json()); });
  return texts;
}

void write_at_random(core::Hub& hub, unsigned seed) {
  for (int i = 0; i < 2'000; ++i) {
    seed = seed * 1'664'525 + 1'013'904'223;
    const std::string id = "light.l" + std::to_string(seed >> 24);
    if (seed >> 8 & 7) {
      const std::string attributes = R"({"n":)" + std::to_string(i) + "}";
      static_cast<void>(hub.states.set(core::EntityId::parse(id).value(),
                                       {std::to_string(i), attributes, core::Context::create(hub.clock.now()), false}));
    } else {
      static_cast<void>(hub.states.remove(id, {"C", {}, {}}));
    }
  }
}

// Writes from many threads with a store beside them, calls `written`, stops, and returns the states at the end.
std::map<std::string, std::string> live(const base::Clock& clock, const std::filesystem::path& file,
                                        const std::function<void()>& written) {
  core::Hub hub(clock);
  const auto store = StateStore::open(file, 1ms).value();
  store->listen(hub.bus);
  store->start();
  hub.bus.start();
  std::vector<std::thread> writers;
  for (unsigned i = 0; i < 3; ++i) writers.emplace_back([&hub, i] { write_at_random(hub, i + 1); });
  for (auto& writer : writers) writer.join();
  written();
  hub.bus.stop();
  store->stop();
  return all(hub.states);
}

std::map<std::string, std::string> restored(const base::Clock& clock, const std::filesystem::path& file) {
  core::Hub hub(clock);
  StateStore::open(file).value()->restore(hub.states).value();
  return all(hub.states);
}

TEST(StateStore, HasEveryStateAfterManyWritersAndStop) {
  storage::TemporaryFolder folder;
  const base::SystemClock clock;
  const auto before = live(clock, folder / "home.db", [] {});
  EXPECT_GT(before.size(), 100u);
  EXPECT_EQ(before, restored(clock, folder / "home.db"));
}

TEST(StateStore, LosesNothingWhereWritesFailForAWhile) {
  const base::SystemClock clock;
  for (int round = 0; round < 10; ++round) {
    storage::TemporaryFolder folder;
    auto other = storage::Database::open(folder / "home.db").value();
    static_cast<void>(StateStore::open(folder / "home.db").value());
    // Fails in the middle of a transaction, when more has changed already.
    other
        .execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON last_states WHEN NEW.entity_id LIKE 'light.l_' "
            "BEGIN SELECT RAISE(ABORT, 'refused'); END")
        .value();
    const auto before = live(clock, folder / "home.db", [&] { other.execute("DROP TRIGGER refuse").value(); });
    ASSERT_EQ(before, restored(clock, folder / "home.db"));
  }
}

}  // namespace
}  // namespace hearth::recorder
