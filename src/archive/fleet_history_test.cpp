// SPDX-License-Identifier: Apache-2.0
// The answers of a portal from a real PostgreSQL are those of the home from its file.
#include "archive/fleet_history.h"

#include <gtest/gtest.h>

#include <random>

#include "archive/fleet_writer.h"
#include "archive/test_fleet.h"
#include "archive/test_postgres.h"
#include "base/testing/wait_until.h"
#include "base/text/timestamp.h"
#include "recorder/history/entity_statistics.h"
#include "recorder/log/history_file.h"
#include "recorder/log/log_tail.h"
#include "recorder/log/test_changes.h"
#include "recorder/test_history.h"

namespace hearth::archive {
namespace {

using namespace std::chrono_literals;
using recorder::EntityHistory;
using recorder::EntityStatistics;
using recorder::HistoryReader;
using recorder::Period;
using recorder::Span;

constexpr base::Timestamp kMorning{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)};

// sensor.lake_a at the portal is lake's sensor.a; light.hidden of any site is nobody's.
std::optional<RemoteEntity> remote_of(std::string_view entity_id) {
  const std::size_t dot = entity_id.find('.');
  const std::string_view object = entity_id.substr(dot + 1);
  for (const std::string_view site : {"lake_", "hill_"}) {
    if (object.starts_with(site))
      return RemoteEntity{std::string(site.substr(0, 4)),
                          std::string(entity_id.substr(0, dot + 1)) + std::string(object.substr(5))};
  }
  return {};
}
std::optional<std::string> portal_id_of(const RemoteEntity& entity) {
  const std::size_t dot = entity.entity_id.find('.');
  if (entity.entity_id == "light.hidden" || entity.site.size() != 4) return {};
  return entity.entity_id.substr(0, dot + 1) + entity.site + "_" + entity.entity_id.substr(dot + 1);
}

std::string text_of(const recorder::Change& change) {
  return fmt::format("{} {} {}{} {}", base::to_string(change.updated), base::to_string(change.changed),
                     change.removed ? "-" : "", change.value, change.attributes);
}

std::vector<std::string> history_of(HistoryReader& reader, const std::string& id, Span span,
                                    EntityHistory::Wanted wanted = {true, true}) {
  EntityHistory history(id, span, wanted);
  std::vector<std::string> all;
  for (bool more = true; more;) {
    const auto piece = history.next(reader).value();
    if (piece.initial) all.push_back("[" + text_of(*piece.initial) + "]");
    for (const recorder::Change& change : piece.changes) all.push_back(text_of(change));
    more = piece.more;
  }
  return all;
}

std::vector<std::string> statistics_of(HistoryReader& reader, const std::string& id, Span span, Period period) {
  EntityStatistics statistics(id, span, period);
  std::vector<std::string> all;
  for (bool more = true; more;) {
    more = statistics.read_on(reader).value();
    for (const recorder::Statistics& each : statistics.take_finished(!more)) {
      if (all.empty()) all.push_back(fmt::format("{}", statistics.sum_before()));
      all.push_back(fmt::format("{} {} {} {} {} {} {} {}", base::to_string(each.start), each.covered.count(), each.mean,
                                each.min, each.max, each.state, each.sum, each.total));
    }
  }
  return all;
}

class FleetHistoryTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (TestPostgres::installed()) server_ = std::make_unique<TestPostgres>();
  }
  static void TearDownTestSuite() { server_.reset(); }
  void SetUp() override {
    if (!server_) GTEST_SKIP() << "PostgreSQL is not installed";
    url_ = server_->create();
    clock_.set(kMorning);
    home_ = std::make_unique<recorder::TestHome>(clock_, home_folder_.path());
    portal_ = std::make_unique<recorder::TestHome>(clock_, portal_folder_.path());
    past_ = make_past(url_);
  }

  std::unique_ptr<HistoryReader> make_past(const std::string& url) {
    return make_fleet_history({url, remote_of, portal_id_of},
                              std::make_unique<recorder::HistoryFileReader>(*portal_->recorder))
        .value();
  }
  // Changes that the home has recorded since the last time, as a site publishes them.
  void publish() {
    home_->save();
    auto tail = recorder::LogTail::open(home_folder_.path() / recorder::kHistoryDatabase).value();
    for (bool more = true; more;) {
      const auto part = tail.read(published_, 400).value();
      if (part.until > published_) engine_.keep("lake", fleet::encode_batch("lake", published_, part).value());
      published_ = part.until;
      more = !part.at_end;
    }
  }
  void write(const std::string& url, base::Duration late_changes = {}) {
    FleetWriter writer(clock_, std::make_unique<TestReader>(engine_),
                       make_fleet_store({.url = url, .late_changes = late_changes}, clock_).value(), {});
    // The session of the writer before may still hold the lock.
    base::wait_until([&] { return !writer.write_next().value() && writer.status().holds_the_lock; });
  }
  // Some hours of a home.
  void live(base::Duration length) {
    for (const auto end = clock_.now() + length; clock_.now() < end;) {
      clock_.advance(base::Duration(random_() % 180'000'000));
      switch (random_() % 8) {
        case 0:
        case 1:
          home_->set("sensor.a", fmt::format("{}", static_cast<double>(random_() % 4'000) / 100), recorder::kMeasured);
          break;
        case 2:
          meter_ += static_cast<double>(random_() % 500) / 1'000;
          if (random_() % 40 == 0) meter_ = 0.25;
          home_->set("sensor.meter", random_() % 9 == 0 ? "unavailable" : fmt::format("{:.3f}", meter_),
                     recorder::kMeter);
          break;
        case 3:
          if (random_() % 5 == 0) home_->remove("light.b");
          home_->set("light.b", "off", R"({"brightness":null})");
          break;
        default:
          home_->set("light.a", random_() % 3 == 0 ? "off" : "on",
                     fmt::format(R"({{"brightness":{}}})", random_() % 3));
      }
    }
  }
  void expect_the_same() {
    recorder::HistoryFileReader home(*home_->recorder);
    const auto now = clock_.now();
    const Span spans[] = {{kMorning - 24h, now},
                          {kMorning + 5h, kMorning + 9h},
                          {now - 1h, now},
                          {kMorning - 2h, kMorning},
                          {now, now + 1h},
                          {kMorning + 24h, kMorning + 48h},
                          {kMorning + 30h, now - 3h},
                          {now - 1h, now - 2h}};
    for (const std::string id : {"sensor.a", "sensor.meter", "light.a", "light.b", "light.none"}) {
      const std::string at_portal = portal_id_of({"lake", id}).value();
      for (const Span& span : spans) {
        EXPECT_EQ(history_of(home, id, span), history_of(*past_, at_portal, span)) << id;
        for (const Period period : {Period::five_minutes, Period::hour, Period::day, Period::month})
          EXPECT_EQ(statistics_of(home, id, span, period), statistics_of(*past_, at_portal, span, period)) << id;
      }
      EXPECT_EQ(home.last_day_is_total(id).value(), past_->last_day_is_total(at_portal).value()) << id;
      EXPECT_EQ(home.first_day(id).value(), past_->first_day(at_portal).value()) << id;
    }
  }

  static inline std::unique_ptr<TestPostgres> server_;
  base::ManualClock clock_{kMorning};
  storage::TemporaryFolder home_folder_, portal_folder_;
  std::unique_ptr<recorder::TestHome> home_, portal_;
  TestEngine engine_;
  std::string url_;
  std::unique_ptr<HistoryReader> past_;
  std::int64_t published_ = 0;
  std::mt19937 random_{7};
  double meter_ = 100;
};

TEST_F(FleetHistoryTest, AnswersAsTheHomeDoesOnItsFirstDayAndLater) {
  live(20h);
  publish();
  write(url_);
  expect_the_same();
  // More than a piece of one entity, then days that end, one of them without a change.
  for (int i = 0; i < 2'500; ++i) {
    clock_.advance(1ms);
    home_->set("light.a", i % 2 == 0 ? "on" : "off");
  }
  for (const auto length : {10h, 24h, 0h, 30h}) {
    live(length);
    publish();
    clock_.advance(length == 0h ? 48h : 1min);
    home_->maintain();
    write(url_);
  }
  expect_the_same();
  EXPECT_LT(2u, past_->day_statistics("sensor.lake_a", 0, INT32_MAX).value().size() / 288);
}

TEST_F(FleetHistoryTest, StatisticsOfWhatCameLateAreMadeAgain) {
  live(20h);
  publish();
  write(url_);
  const std::size_t late = engine_.read(0, 1'000).list.size();
  for (int day = 0; day < 3; ++day) {
    live(24h);
    publish();
  }
  // The same, but the first day's last part comes after the days have ended.
  const std::string in_order = server_->create();
  write(in_order);
  const auto messages = engine_.read(0, 1'000).list;
  engine_.begin_anew("engine-2");
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (i != late / 2 && i != late) engine_.keep("lake", messages[i].payload);
  }
  const std::string mixed = server_->create();
  write(mixed);
  for (const std::size_t i : {late, late / 2}) engine_.keep("lake", messages[i].payload);
  // Until no more come, answers are made of the changes; then the days are stored again.
  const std::size_t days = make_past(in_order)->day_statistics("sensor.lake_a", 0, INT32_MAX).value().size();
  write(mixed, 1h);
  EXPECT_GT(days / 2, make_past(mixed)->day_statistics("sensor.lake_a", 0, INT32_MAX).value().size());
  write(mixed);
  EXPECT_EQ(days, make_past(mixed)->day_statistics("sensor.lake_a", 0, INT32_MAX).value().size());
  const auto expected = make_past(in_order), found = make_past(mixed);
  for (const std::string id : {"sensor.lake_a", "sensor.lake_meter"}) {
    const Span span{kMorning, clock_.now()};
    const auto rows = statistics_of(*expected, id, span, Period::five_minutes);
    EXPECT_LT(500u, rows.size());
    EXPECT_EQ(rows, statistics_of(*found, id, span, Period::five_minutes));
    EXPECT_EQ(expected->first_day(id).value(), found->first_day(id).value());
  }
}

TEST_F(FleetHistoryTest, KnowsTheNamesOfAllSitesAndItsOwn) {
  portal_->set("sensor.of_the_portal", "1");
  portal_->save();
  engine_.keep("lake", batch_of("lake", kEpochA, 0, 3,
                                {{1, "light.a", "on", 1}, {2, "light.hidden", "on", 2}, {3, "sensor.b", "3", 3}}));
  engine_.keep("hill", batch_of("hill", kEpochA, 0, 1, {{1, "light.a", "off", 1}}));
  engine_.keep("elsewhere", batch_of("elsewhere", kEpochA, 0, 1, {{1, "light.a", "off", 1}}));
  write(url_);
  EXPECT_EQ((std::vector<std::string>{"light.hill_a", "light.lake_a", "sensor.lake_b", "sensor.of_the_portal"}),
            *past_->names().value());
  const Span span{kMorning - 1h, kMorning + 1h};
  EXPECT_EQ(1u, history_of(*past_, "sensor.of_the_portal", span).size());
  EXPECT_EQ(1u, history_of(*past_, "light.hill_a", span).size());
  EXPECT_TRUE(history_of(*past_, "light.hill_b", span).empty());
  EXPECT_EQ(base::Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 1)), past_->oldest().value());
  EXPECT_TRUE(past_->records("light.lake_a"));
}

TEST_F(FleetHistoryTest, FindsWhatIsNotMeasuredOfManyEntitiesAtOnce) {
  std::vector<TestEntry> entries;
  for (int i = 1; i <= 40; ++i) {
    entries.push_back({i, fmt::format("{}.e_{}", i % 2 == 0 ? "sensor" : "light", i), "1", i,
                       i % 2 == 0 ? std::string(recorder::kMeasured) : "{}"});
  }
  engine_.keep("lake", batch_of("lake", kEpochA, 0, 40, entries));
  write(url_);
  for (int i = 1; i <= 40; ++i) {
    const std::string id = fmt::format("{}.lake_e_{}", i % 2 == 0 ? "sensor" : "light", i);
    EXPECT_EQ(i % 2, static_cast<int>(history_of(*past_, id, {kMorning, kMorning + 1h}, {false, false}).size())) << id;
    EXPECT_EQ(0u, history_of(*past_, id, {kMorning + 1h, kMorning + 2h}, {false, false}).size());
  }
}

TEST_F(FleetHistoryTest, TellsEventsOfAllInTheOrderOfTheirTimes) {
  const auto event = [](std::int64_t number, std::string_view type, std::string_view data, base::Duration after) {
    recorder::TailEntry entry;
    entry.type = type;
    entry.data = data;
    entry.change.number = number;
    entry.change.updated = entry.change.changed = kMorning + after;
    entry.change.context_id = "C";
    entry.change.parent_id = "P";
    return entry;
  };
  std::int64_t last = 0;
  for (const std::string_view site : {"lake", "hill"}) {
    recorder::TailPart part;
    part.history = kEpochA;
    part.entries = {event(1, "automation_triggered", R"({"entity_id":"automation.x","name":"X"})", 1s),
                    event(2, "automation_triggered", R"({"entity_id":"light.hidden"})", 2s),
                    event(3, "homeassistant_start", "{}", 2s)};
    // More than are read at once.
    for (last = 4; last < 1'500; ++last)
      part.entries.push_back(event(last, "script_started", R"({"entity_id":"script.x"})", 3s));
    part.entries.push_back(event(last, "script_started", R"({"entity_id":"script.last"})", 9s));
    part.until = last;
    engine_.keep(std::string(site), fleet::encode_batch(site, 0, part).value());
  }
  write(url_);
  clock_.advance(5s);
  portal_->hub.bus.fire("automation_triggered", R"({"entity_id":"automation.own"})", core::Origin::local,
                        {"O", {}, {}});
  portal_->hub.bus.run_pending();
  std::vector<std::string> told;
  const auto take = [&](const HistoryReader::KeptEvent& event) {
    told.push_back(event.type + " " + event.data + " " + std::string(std::string_view(event.context.id)));
    return told.size() < 5'000;
  };
  EXPECT_TRUE(past_->events(kMorning, kMorning + 8s, take).value());
  ASSERT_EQ(2u + 2 * 1'496 + 1, told.size());
  EXPECT_EQ(R"(automation_triggered {"entity_id":"automation.lake_x","name":"X"} C)", told[0]);
  EXPECT_EQ(R"(automation_triggered {"entity_id":"automation.hill_x","name":"X"} C)", told[1]);
  EXPECT_EQ(R"(automation_triggered {"entity_id":"automation.own"} O)", told.back());
  told.clear();
  EXPECT_FALSE(past_->events(kMorning, kMorning + 8s, [&](const auto& event) { return take(event) && false; }).value());
  EXPECT_EQ(1u, told.size());
}

TEST_F(FleetHistoryTest, SaysThatTheArchiveCannotBeReadAndAnswersWhatIsItsOwn) {
  portal_->set("sensor.own", "1");
  const auto past = make_past("postgresql:///nowhere?user=hearth&host=" + home_folder_.path().string());
  EXPECT_EQ(1u, history_of(*past, "sensor.own", {kMorning - 1h, kMorning + 1h}).size());
  EntityHistory history("light.lake_a", {kMorning, kMorning + 1h});
  const auto piece = history.next(*past);
  ASSERT_FALSE(piece);
  EXPECT_EQ(base::ErrorCode::unavailable, piece.error().code);
  EXPECT_TRUE(piece.error().message.starts_with("The archive cannot be read. PostgreSQL: ")) << piece.error().message;
}

}  // namespace
}  // namespace hearth::archive
