// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

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
  states.snapshot()->for_each([&](const core::StatePtr& state) { texts.emplace(state->entity_id(), state->json()); });
  return texts;
}

void write_at_random(core::Hub& hub, unsigned seed) {
  for (int i = 0; i < 5'000; ++i) {
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

TEST(StateStore, HasEveryStateAfterManyWritersAndStop) {
  storage::TemporaryFolder folder;
  const base::SystemClock clock;
  std::map<std::string, std::string> before;
  {
    core::Hub hub(clock);
    const auto store = StateStore::open(folder / "home.db", 1ms).value();
    store->listen(hub.bus);
    store->start();
    hub.bus.start();
    std::vector<std::thread> writers;
    for (unsigned i = 0; i < 3; ++i) writers.emplace_back([&hub, i] { write_at_random(hub, i + 1); });
    for (auto& writer : writers) writer.join();
    hub.bus.stop();
    store->stop();
    before = all(hub.states);
  }
  core::Hub hub(clock);
  const auto restored = StateStore::open(folder / "home.db").value()->restore(hub.states).value();
  EXPECT_GT(restored, 100u);
  EXPECT_EQ(before, all(hub.states));
}

}  // namespace
}  // namespace hearth::recorder
