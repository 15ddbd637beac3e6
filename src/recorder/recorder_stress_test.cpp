// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "core/hub.h"
#include "recorder/recorder.h"
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

// Writes from many threads beside a recorder that keeps no history for some of the entities, calls `written`, stops,
// and returns the final states.
std::map<std::string, std::string> live(const base::Clock& clock, const std::filesystem::path& folder,
                                        const std::function<void()>& written) {
  core::Hub hub(clock);
  RecorderOptions options;
  options.commit_interval = 1ms;
  options.retention.filter.exclude = {{}, {}, {"light.l1*"}};
  const auto recorder = Recorder::open(folder, clock, options).value();
  recorder->listen(hub.bus);
  recorder->start();
  hub.bus.start();
  std::vector<std::thread> writers;
  for (unsigned i = 0; i < 3; ++i) writers.emplace_back([&hub, i] { write_at_random(hub, i + 1); });
  for (auto& writer : writers) writer.join();
  written();
  hub.bus.stop();
  recorder->stop();
  return all(hub.states);
}

std::map<std::string, std::string> restored(const base::Clock& clock, const std::filesystem::path& folder) {
  core::Hub hub(clock);
  Recorder::open(folder, clock).value()->restore(hub.states).value();
  return all(hub.states);
}

TEST(Recorder, HasEveryStateAfterManyWritersAndStop) {
  storage::TemporaryFolder folder;
  const base::SystemClock clock;
  const auto before = live(clock, folder.path(), [] {});
  EXPECT_GT(before.size(), 100u);
  EXPECT_EQ(before, restored(clock, folder.path()));
}

TEST(Recorder, LosesNothingIfWritesFailForAWhile) {
  const base::SystemClock clock;
  for (int round = 0; round < 10; ++round) {
    storage::TemporaryFolder folder;
    static_cast<void>(Recorder::open(folder.path(), clock).value());
    auto other = storage::Database::open(folder / "history.db").value();
    // Fails in the middle of a transaction, after it has changed something.
    other
        .execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON changes WHEN NEW.id > 50 "
            "BEGIN SELECT RAISE(ABORT, 'refused'); END")
        .value();
    const auto before = live(clock, folder.path(), [&] { other.execute("DROP TRIGGER refuse").value(); });
    ASSERT_EQ(before, restored(clock, folder.path()));
  }
}

}  // namespace
}  // namespace hearth::recorder
