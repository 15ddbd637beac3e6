// SPDX-License-Identifier: Apache-2.0
#include "api/history/context_events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace hearth::api {
namespace {

using Kept = ContextEvents::Kept;

base::Timestamp second(int number) {
  return base::Timestamp(std::chrono::seconds(number));
}

struct ContextEventsTest : testing::Test {
  void keep(int seconds, std::string type, std::string_view context, std::string_view parent = "",
            std::string_view user = "") {
    core::Context of;
    of.id = context;
    if (!parent.empty()) of.parent_id = parent;
    if (!user.empty()) of.user_id = user;
    kept.push_back({std::move(type), std::to_string(kept.size()), second(seconds), of});
  }
  static std::string find(ContextEvents& events, std::string_view context, int from, int until) {
    return text(events.find(context, second(from), second(until)).value());
  }
  // As find(), by a look at all events.
  std::string sought(std::string_view context, int from, int until) const {
    ContextEvents::Found found;
    for (const Kept& event : kept) {
      if (event.context.id != context || event.fired < second(from) || event.fired > second(until)) continue;
      if (event.context.parent_id) found.parent_id = event.context.parent_id;
      if (event.context.user_id) found.user_id = event.context.user_id;
      if (event.type == "call_service") found.call = event;
      if (event.type == "automation_triggered" || event.type == "script_started") found.run = event;
    }
    return text(found);
  }
  static std::string text(const ContextEvents::Found& found) {
    std::string all;
    if (found.call) all += "call " + found.call->data + ' ';
    if (found.run) all += "run " + found.run->data + ' ';
    if (found.parent_id) all += "of " + std::string(found.parent_id->str()) + ' ';
    if (found.user_id) all += "by " + std::string(found.user_id->str()) + ' ';
    return all;
  }

  std::vector<Kept> kept;  // by time
  std::size_t shown = 0;   // events
  const ContextEvents::Read read = [this](base::Timestamp from, base::Timestamp until,
                                          const auto& take) -> base::Result<bool> {
    for (const Kept& event : kept) {
      if (event.fired < from || event.fired > until) continue;
      ++shown;
      if (!take(event)) return false;
    }
    return true;
  };
};

TEST_F(ContextEventsTest, AreTheLastCallAndTheLastRunOfTheContext) {
  keep(1, "automation_triggered", "a", "p");
  keep(2, "call_service", "a", "p");
  keep(3, "call_service", "b");
  keep(4, "call_service", "a", "p", "u");
  keep(4, "other", "a");
  keep(9, "script_started", "a", "q");
  ContextEvents events(read);
  EXPECT_EQ(find(events, "a", 0, 8), "call 3 run 0 of p by u ");
  EXPECT_EQ(find(events, "a", 2, 3), "call 1 of p ");
  EXPECT_EQ(find(events, "b", 0, 3), "call 2 ");
  EXPECT_EQ(find(events, "c", 0, 3), "");
}

TEST_F(ContextEventsTest, AreThoseOfALookAtAllEvents) {
  std::mt19937 random(7);
  const auto any = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
  constexpr std::string_view kIds[] = {"a", "b", "c", "d"};
  for (int round = 0; round < 500; ++round) {
    kept.clear();
    std::vector<int> times(30);
    for (int& time : times) time = any(20);
    std::ranges::sort(times);
    for (const int time : times)
      keep(time,
           any(3) == 0   ? "automation_triggered"
           : any(2) == 0 ? "call_service"
                         : "other",
           kIds[any(4)], any(2) == 0 ? "p" + std::to_string(any(3)) : "",
           any(4) == 0 ? "u" + std::to_string(any(3)) : "");
    ContextEvents events(read);
    for (int until = 20 + any(3); until > 0; until -= any(6)) {
      const int from = until - any(12);
      const std::string_view id = kIds[any(4)];
      ASSERT_EQ(find(events, id, from, until), sought(id, from, until)) << id << ' ' << from << ' ' << until;
    }
  }
}

TEST_F(ContextEventsTest, ReadEachEventOnceHoweverManyContextsAreAskedFor) {
  constexpr int kSpan = 10'000, kContexts = 64;
  for (int time = 0; time < kSpan; ++time) keep(time, "call_service", "c" + std::to_string(time % kContexts));
  ContextEvents events(read);
  for (int i = 0; i < kContexts; ++i) {
    const std::string id = "c" + std::to_string(i);
    EXPECT_EQ(find(events, id, 0, kSpan - i), sought(id, 0, kSpan - i));
  }
  EXPECT_LE(shown, kSpan + kContexts);
}

}  // namespace
}  // namespace hearth::api
