// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "import_ha/history/test_old_history.h"
#include "recorder/test_history.h"

namespace hearth::import_ha {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kTriggered =
    R"({"name":"Hall","entity_id":"automation.hall","source":"state of light.hall"})";
constexpr std::string_view kScene =
    R"({"domain":"scene","service":"turn_on","service_data":{"entity_id":"scene.film"}})";
constexpr std::string_view kLight = R"({"domain":"light","service":"turn_on","service_data":{}})";

std::vector<std::string> events(const PastHome& old) {
  base::ManualClock clock(kOldNow);
  recorder::TestHome home(clock, old.folder / "home");
  recorder::HistoryFileReader reader(*home.recorder);
  std::vector<std::string> lines;
  reader
      .events(kOldNow - 24h * 9'000, kOldNow + 24h,
              [&](const recorder::HistoryReader::KeptEvent& event) {
                lines.push_back(fmt::format("{} {} {} {}", (event.fired - kOldNow).count(), event.type, event.data,
                                            std::string_view(event.context.id)));
                return true;
              })
      .value();
  return lines;
}

TEST(ImportEvents, CarriesThoseOfTheLogbook) {
  for (const int schema : {38, 53}) {
    PastHome home(schema);
    home.old.add_event("automation_triggered", kOldSeconds - 30, kTriggered, old_id(1));
    home.old.add_event("state_reported", kOldSeconds - 29, "{}", old_id(2));
    home.old.add_event("call_service", kOldSeconds - 28.5, kScene, old_id(3));
    home.old.add_event("call_service", kOldSeconds - 27, kLight, old_id(4));
    home.old.add_event("call_service", kOldSeconds - 26.5, R"({"domain":"scene","service":"reload"})", old_id(4));
    home.old.add_event("script_started", kOldSeconds - 26, "{broken", old_id(5));
    home.old.add_event("logbook_entry", kOldSeconds - 25, R"({"name":"A","message":"b"})", old_id(6));
    home.old.add_event("logbook_entry", kOldSeconds + 9'000, "{}", old_id(7));
    home.old.add_event("state_reported", kOldSeconds - 24, "{}", old_id(8));
    import_events(home.plan(), home.report).value();
    EXPECT_EQ((std::vector<std::string>{
                  fmt::format("-30000000 automation_triggered {} 01HWX000000000000000000001", kTriggered),
                  fmt::format("-28500000 call_service {} 01HWX000000000000000000003", kScene),
                  "-26000000 script_started {} 01HWX000000000000000000005",
                  R"(-25000000 logbook_entry {"name":"A","message":"b"} 01HWX000000000000000000006)"}),
              events(home));
    EXPECT_EQ((Report::Counts{.carried = 4, .left = 5}), home.counts("events"));
    EXPECT_EQ("Events that the logbook does not show are left: 2 call_service, 2 state_reported.",
              home.report.notes().at(0));
  }
}

TEST(ImportEvents, AddsOnlyWhatIsOlderThanTheFirstOwnEvent) {
  PastHome home;
  home.old.add_event("logbook_entry", kOldSeconds - 9'000, R"({"name":"old"})", old_id(1));
  {
    base::ManualClock clock(kOldNow - 1h);
    recorder::TestHome own(clock, home.folder / "home");
    own.hub.bus.fire("logbook_entry", R"({"name":"own"})", core::Origin::local, {"C", {}, {}});
    own.hub.bus.run_pending();
    own.save();
  }
  home.old.add_event("logbook_entry", kOldSeconds - 60, R"({"name":"late"})", old_id(2));
  import_events(home.plan(), home.report).value();
  EXPECT_EQ((Report::Counts{.carried = 1, .left = 1}), home.counts("events"));
  ASSERT_EQ(2u, events(home).size());
  EXPECT_TRUE(events(home)[0].contains("old"));
  EXPECT_TRUE(events(home)[1].contains("own"));
}

TEST(ImportEvents, EndsTheSameAfterKills) {
  const auto fill = [](OldHistory& old) {
    old.run("BEGIN");
    for (int i = 0; i < 30'000; ++i)
      old.add_event(i % 3 ? "logbook_entry" : "other", kOldSeconds - i, fmt::format(R"({{"name":"{}"}})", i % 40),
                    old_id(1));
    old.run("COMMIT");
  };
  PastHome whole, killed;
  fill(whole.old);
  fill(killed.old);
  import_events(whole.plan(), whole.report).value();
  std::mt19937 random(1);
  int kills = 0;
  for (; kills < 10; ++kills) {
    auto plan = killed.plan();
    plan.rows_at_once = 2'000;
    int left = static_cast<int>(random() % 2);
    plan.go_on = [&left] { return left-- > 0; };
    Report ignored;
    if (import_events(plan, ignored)) break;
  }
  EXPECT_LT(2, kills);
  import_events(killed.plan(), killed.report).value();
  EXPECT_EQ(20'000u, events(whole).size());
  EXPECT_EQ(events(whole), events(killed));
  EXPECT_EQ(whole.report.counts(), killed.report.counts());
  EXPECT_EQ(whole.report.notes(), killed.report.notes());
}

}  // namespace
}  // namespace hearth::import_ha
