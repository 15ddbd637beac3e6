// SPDX-License-Identifier: Apache-2.0
// history_stats: how long, how often and for what share a source was in a state, by history and by what happens.
#include "base/text/timestamp.h"
#include "derived/test_derived.h"

namespace hearth::derived {
namespace {

using namespace std::chrono_literals;

// A home at noon, whose history has what the test says, with a sensor of these keys.
class Counted {
 public:
  explicit Counted(std::string_view keys, std::string_view time = "2026-11-21T11:00:00Z") {
    home.automations.home.clock.set(base::parse_timestamp(time).value());
    keys_ = keys;
  }
  // Seconds ago.
  void was(double ago, std::string_view value) {
    home.history.add("switch.pump", value,
                     home.automations.home.clock.now() - base::Duration(static_cast<std::int64_t>(ago * 1e6)));
  }
  void begin() {
    home.apply("sensor", fmt::format(R"([{{"platform": "history_stats", "name": "S", "entity_id": "switch.pump",
                                        "state": "on", {}}}])",
                                     keys_));
    EXPECT_EQ(home.errors(), "");
  }
  std::string value() { return home.value("sensor.s"); }

  TestDerived home;

 private:
  std::string keys_;
};

constexpr std::string_view kToday = R"("start": "{{ today_at() }}", "end": "{{ now() }}")";

TEST(HistoryStatsTest, CountsTheHoursOfToday) {
  Counted counted(kToday);
  counted.was(50'000, "off");
  counted.was(7'200, "on");
  counted.was(3'600, "off");
  counted.home.set("switch.pump", "off");
  counted.begin();
  EXPECT_EQ(counted.value(), "1.0");
  EXPECT_EQ(counted.home.attribute("sensor.s", "unit_of_measurement"), "\"h\"");
  EXPECT_EQ(counted.home.attribute("sensor.s", "device_class"), "\"duration\"");
  counted.home.set("switch.pump", "on");
  counted.home.advance(30min, 1min);
  EXPECT_EQ(counted.value(), "1.5");
  // A change counts at once, not with the next minute.
  counted.home.advance(36s);
  counted.home.set("switch.pump", "off");
  EXPECT_EQ(counted.value(), "1.51");
  counted.home.advance(1h, 1min);
  EXPECT_EQ(counted.value(), "1.51");
}

TEST(HistoryStatsTest, BeginsAnewAtMidnight) {
  Counted counted(kToday, "2026-11-21T22:00:00Z");
  counted.was(3'600, "on");
  counted.home.set("switch.pump", "on");
  counted.begin();
  EXPECT_EQ(counted.value(), "1.0");
  counted.home.advance(1h, 1min);
  EXPECT_EQ(counted.value(), "0.0");
  counted.home.advance(2h, 1min);
  EXPECT_EQ(counted.value(), "2.0");
}

TEST(HistoryStatsTest, CountsHowOftenWithTheStateAtTheBeginning) {
  Counted counted(R"("type": "count", "duration": {"hours": 2}, "end": "{{ now() }}")");
  counted.was(9'000, "on");
  counted.was(7'000, "off");
  counted.was(6'000, "on");
  counted.was(5'000, "off");
  counted.home.set("switch.pump", "off");
  counted.begin();
  EXPECT_EQ(counted.value(), "2");
  counted.home.set("switch.pump", "on");
  EXPECT_EQ(counted.value(), "3");
  counted.home.set("switch.pump", "on", R"({"x": 1})");
  EXPECT_EQ(counted.value(), "3");
  counted.home.advance(10min, 1min);
  EXPECT_EQ(counted.value(), "2");
}

TEST(HistoryStatsTest, OfATimeThatGoesOnIsAShareOfAllOfIt) {
  Counted counted(R"("type": "ratio", "start": "{{ today_at() }}", "duration": "24:00:00")");
  counted.was(21'600, "on");
  counted.was(10'800, "off");
  counted.home.set("switch.pump", "off");
  counted.begin();
  EXPECT_EQ(counted.value(), "12.5");
  EXPECT_EQ(counted.home.attribute("sensor.s", "unit_of_measurement"), "\"%\"");
}

TEST(HistoryStatsTest, AsksHistoryAgainIfTheTimeBeginsEarlier) {
  Counted counted(R"("start": "{{ states('sensor.from') }}", "end": "{{ now() }}")");
  counted.home.set("sensor.from", "2026-11-21 11:30:00");
  counted.was(7'200, "on");
  counted.was(3'600, "off");
  counted.was(3'000, "on");
  counted.was(1'200, "off");
  counted.home.set("switch.pump", "off");
  counted.begin();
  EXPECT_EQ(counted.value(), "0.17");
  EXPECT_EQ(counted.home.history.questions.size(), 1U);
  counted.home.set("sensor.from", "2026-11-21 10:00:00");
  EXPECT_EQ(counted.value(), "1.5");
  EXPECT_EQ(counted.home.history.questions.size(), 2U);
  counted.home.set("sensor.from", "2026-11-21 11:35:00");
  EXPECT_EQ(counted.value(), "0.08");
  EXPECT_EQ(counted.home.history.questions.size(), 2U);
}

TEST(HistoryStatsTest, OfYesterdayStaysAsItIs) {
  Counted counted(R"("end": "{{ today_at() }}", "duration": 86400)");
  counted.was(60'000, "on");
  counted.was(50'000, "off");
  counted.home.set("switch.pump", "off");
  counted.begin();
  EXPECT_EQ(counted.value(), "2.78");
  counted.home.set("switch.pump", "on");
  EXPECT_EQ(counted.value(), "2.78");
}

TEST(HistoryStatsTest, CannotTellTheFuture) {
  Counted counted(R"("start": "{{ today_at('15:00') }}", "duration": 3600)");
  counted.home.set("switch.pump", "on");
  counted.begin();
  EXPECT_EQ(counted.value(), "unknown");
  counted.home.advance(3h + 30min, 1min);
  EXPECT_EQ(counted.value(), "0.5");
  counted.home.advance(1h, 1min);
  EXPECT_EQ(counted.value(), "1.0");
}

TEST(HistoryStatsTest, IsUnavailableIfItsTimeIsNone) {
  Counted counted(R"("start": "{{ states('sensor.from') }}", "duration": 3600)");
  counted.home.set("sensor.from", "soon");
  counted.home.set("switch.pump", "on");
  counted.begin();
  EXPECT_EQ(counted.value(), "unavailable");
  // Seconds since 1970, half an hour ago.
  counted.home.set("sensor.from", "1795257000");
  EXPECT_EQ(counted.value(), "0.0");
}

TEST(HistoryStatsTest, SaysWhatIsWrong) {
  const auto errors = [](std::string_view keys) { return TestEngine("history_stats", "sensor", keys).errors(); };
  EXPECT_EQ(errors(R"({"entity_id": "a.b", "state": "on", "start": "{{ now() }}"})"),
            "f.yaml:1: expected two of start, end and duration\n");
  EXPECT_EQ(
      errors(R"({"entity_id": "a.b", "end": "{{ now( }}", "duration": 5, "type": "sum"})").contains("state is missing"),
      true);
}

}  // namespace
}  // namespace hearth::derived
