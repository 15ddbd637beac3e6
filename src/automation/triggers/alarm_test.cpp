// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/alarm.h"

#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct AlarmTest : testing::Test {
  // The last ones of a span of that length, and how often the alarm had to ask for the next one.
  std::vector<DueTime> last(base::Duration span, base::Duration every, std::size_t most) {
    asked = 0;
    const auto next = [&, every](base::Timestamp after) {
      ++asked;
      const auto steps = after.time_since_epoch() / every + 1;
      return std::optional(DueTime{base::Timestamp(steps * every)});
    };
    const Alarm alarm(home.home.hub, [] { return true; }, next, [](const DueTime&) {}, [](const DueTime&) {});
    return alarm.between(until - span, until, most);
  }

  TestAutomations home;
  const base::Timestamp until{base::Duration(0) + 20'000 * 24h};
  int asked = 0;
};

TEST_F(AlarmTest, TellsTheLastOnesOfALongSpan) {
  for (const base::Duration span : {base::Duration(10 * 24h), base::Duration(10 * 365 * 24h)}) {
    for (const base::Duration every : {base::Duration(1s), base::Duration(1min), base::Duration(1h)}) {
      const auto times = last(span, every, 100);
      ASSERT_EQ(times.size(), 100U);
      EXPECT_EQ(times.back().at, until);
      EXPECT_EQ(times.front().at, until - 99 * every);
      EXPECT_LT(asked, 3'000);
    }
  }
}

TEST_F(AlarmTest, TellsAllOfASpanThatHasFew) {
  EXPECT_EQ(last(10s, 1s, 100).size(), 10U);
  EXPECT_EQ(last(365 * 24h, 7 * 24h, 100).size(), 52U);
  EXPECT_TRUE(last(10s, 1h * 24 * 4'001, 100).empty());
  EXPECT_TRUE(last(-10s, 1s, 100).empty());
}

}  // namespace
}  // namespace hearth::automation
