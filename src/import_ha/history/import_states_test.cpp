// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "import_ha/history/lost_rows.h"
#include "import_ha/history/state_packer.h"
#include "import_ha/history/test_old_history.h"
#include "recorder/past_file.h"
#include "recorder/test_history.h"

namespace hearth::import_ha {
namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

constexpr double kDay = 86'400;

std::string at(double seconds) {
  return std::to_string(time_of_seconds(kOldSeconds + seconds)->time_since_epoch().count());
}

class OldSchemas : public testing::TestWithParam<int> {};

TEST_P(OldSchemas, CarriesEveryColumn) {
  PastHome home(GetParam());
  home.old.add({"light.hall", kOldSeconds - 200, "off", R"({"friendly_name":"Hall"})", {}, old_id(1)});
  home.old.add({"light.hall", kOldSeconds - 100.25, "on", R"({"friendly_name":"Hall"})", kOldSeconds - 150, old_id(2),
                old_id(1), old_id(7)});
  home.old.add({"light.hall", kOldSeconds - 50, {}});
  home.import();
  EXPECT_EQ((Lines{at(-200) + R"( 0 off {"friendly_name":"Hall"} 01HWX000000000000000000001  )",
                   at(-100.25) + R"( 49750000 on {"friendly_name":"Hall"} 01HWX000000000000000000002 )" +
                       "01HWX000000000000000000001 018f3a00000000000000000000000007",
                   at(-50) + " 0 -    "}),
            home.lines("light.hall"));
  EXPECT_EQ((Report::Counts{.carried = 3}), home.counts("states"));
  EXPECT_EQ((Report::Counts{.carried = 1}), home.counts("history_entities"));
}

INSTANTIATE_TEST_SUITE_P(All, OldSchemas, testing::Values(38, 42, 43, 53));

TEST(ImportStates, ReadsRowsThatWereNotMigrated) {
  PastHome home(38);
  home.old.add_unmigrated({"sensor.old", 0, "21.5", R"({"unit_of_measurement":"W"})"}, "2026-11-20 10:00:00.123456",
                          "01563e3ab5d3d6764c61efb99302bd5b");
  home.old.add_unmigrated({"sensor.old", 0, "warm", ""}, "2026-11-20 11:00:00", "01563e3ab5d3d6764c61efb99302bd5b");
  home.old.add({"sensor.old", kOldSeconds - 100, "22"});
  home.import();
  EXPECT_EQ((Lines{R"(1795168800123456 0 21.5 {"unit_of_measurement":"W"}   )",
                   "1795172400000000 0 warm {} 01ARZ3NDEKTSV4RRFFQ69G5FAV  ", at(-100) + " 0 22 {}   "}),
            home.lines("sensor.old"));
}

TEST(ImportStates, OrdersByTimeThenByNumber) {
  PastHome home;
  home.old.add({"sensor.a", kOldSeconds - 10, "late"});
  home.old.add({"sensor.a", kOldSeconds - 30, "early"});
  home.old.add({"sensor.a", kOldSeconds - 20, "first"});
  home.old.add({"sensor.a", kOldSeconds - 20, "second"});
  home.import();
  std::string values;
  for (const std::string& line : home.lines("sensor.a")) values += line.substr(19, line.find(" {") - 19) + " ";
  EXPECT_EQ("early first second late ", values);
}

TEST(ImportStates, KeepsTheOrderOfOneMoment) {
  PastHome home;
  home.old.run("BEGIN");
  for (int i = 0; i < 1'000; ++i) home.old.add({"sensor.a", kOldSeconds - 20, std::to_string(i)});
  home.old.run("COMMIT");
  home.import();
  Lines expected;
  for (int i = 0; i < 1'000; ++i) expected.push_back(at(-20) + " 0 " + std::to_string(i) + " {}   ");
  EXPECT_EQ(expected, home.lines("sensor.a"));
}

TEST(ImportStates, LeavesWhatCannotCome) {
  PastHome home;
  home.old.add({"sensor.a", kOldSeconds + 3'500, "soon"});
  home.old.add({"sensor.a", kOldSeconds + 3'700, "future"});
  home.old.add({"sensor.a", 900'000'000, "1998"});
  home.old.add({"sensor.a", kOldSeconds - 10, std::string(300, 'x')});
  home.old.add({"Sensor.Wrong Id", kOldSeconds - 10, "1"});
  home.old.add({"Sensor.Wrong Id", kOldSeconds - 9, "2"});
  home.old.add({"sensor.b", kOldSeconds - 10, "1", "{broken"});
  home.old.add({"sensor.b", kOldSeconds - 9, "2", "[1]"});
  home.import();
  EXPECT_EQ((Lines{at(3'500) + " 0 soon {}   "}), home.lines("sensor.a"));
  EXPECT_EQ((Lines{at(-10) + " 0 1 {}   ", at(-9) + " 0 2 {}   "}), home.lines("sensor.b"));
  EXPECT_EQ((Report::Counts{.carried = 3, .left = 5}), home.counts("states"));
  EXPECT_EQ((Report::Counts{.carried = 2, .left = 1}), home.counts("history_entities"));
  ASSERT_TRUE(home.report.find("history_entity", "Sensor.Wrong Id"));
  EXPECT_TRUE(std::ranges::any_of(home.report.notes(), [](const std::string& note) {
    return note == "2 states have attributes that cannot be read: carried without them.";
  }));
}

TEST(ImportStates, TakesTheLastDaysOfTheFile) {
  PastHome home;
  for (int day = 1; day <= 40; ++day) home.old.add({"sensor.a", kOldSeconds - day * kDay, std::to_string(day)});
  auto plan = home.plan();
  plan.last = std::chrono::days(30);
  const PastSpan span = home.import(plan);
  EXPECT_EQ(31u, home.lines("sensor.a").size());
  EXPECT_EQ(kOldNow - std::chrono::days(31), span.oldest);
  EXPECT_EQ(kOldNow - std::chrono::days(1), span.newest);
  EXPECT_EQ((Report::Counts{.carried = 31, .left = 9}), home.counts("states"));
}

TEST(ImportStates, CountsTheSameWithoutWriting) {
  PastHome home;
  home.old.add({"sensor.a", kOldSeconds - 10, "1"});
  home.old.add({"sensor.a", kOldSeconds + 9'000, "future"});
  home.old.add({"bad id", kOldSeconds - 10, "1"});
  auto plan = home.plan();
  plan.dry_run = true;
  home.import(plan);
  const auto dry = home.report.counts();
  EXPECT_FALSE(std::filesystem::exists(plan.target / "history.db"));
  EXPECT_FALSE(std::filesystem::exists(plan.scratch));
  home.import();
  EXPECT_EQ(dry, home.report.counts());
}

// Many states of many entities, ids in no order of time, with every kind of context.
void fill(OldHistory& old, int states) {
  std::mt19937 random(7);
  old.run("BEGIN");
  for (int i = 0; i < states; ++i) {
    const auto entity = fmt::format("sensor.number_{}", random() % 60);
    const double time = kOldSeconds - 5 * kDay + i * 60.0 + random() % 7'000 + (random() % 1'000'000) / 1e6;
    const auto value = random() % 3 == 0 ? fmt::format("text {}", random() % 9) : fmt::format("{}.5", random() % 90);
    const auto attributes = fmt::format(R"({{"unit_of_measurement":"W","step":{}}})", random() % 40);
    old.add({entity, std::min(time, kOldSeconds), value, attributes,
             random() % 2 ? std::optional(time - 5) : std::nullopt, old_id(random() % 250),
             random() % 5 == 0 ? std::optional(old_id(3)) : std::nullopt});
  }
  old.run("COMMIT");
}

std::map<std::string, Lines> all_lines(const PastHome& home) {
  std::map<std::string, Lines> all;
  for (int i = 0; i < 60; ++i) {
    const auto id = fmt::format("sensor.number_{}", i);
    all[id] = home.lines(id);
  }
  return all;
}

TEST(ImportStates, ReadsBackThroughTheRecordersReader) {
  PastHome home;
  fill(home.old, 3'000);
  home.import();
  const auto past =
      recorder::PastFile::open(home.folder / "home/history.db", {kOldNow - 10 * 24h, kOldNow + 24h}).value();
  std::map<std::string, Lines> seen;
  while (!past->at_end()) {
    const auto slice = past->next().value();
    for (const auto& row : slice.changes) {
      const recorder::Change& change = row.change;
      seen[past->entities()[row.entity]].push_back(fmt::format(
          "{} {} {} {} {} {} {}", change.updated.time_since_epoch().count(), (change.updated - change.changed).count(),
          change.value, change.attributes, change.context_id, change.parent_id, change.user_id));
    }
  }
  EXPECT_EQ(all_lines(home), seen);
  std::size_t count = 0;
  for (const auto& [id, lines] : seen) count += lines.size();
  EXPECT_EQ(3'000u, count);
}

TEST(ImportStates, EndsTheSameAfterTenKills) {
  PastHome whole, killed;
  fill(whole.old, 5'000);
  fill(killed.old, 5'000);
  whole.import();
  std::mt19937 random(3);
  int kills = 0;
  for (; kills < 10; ++kills) {
    auto plan = killed.plan();
    int left = static_cast<int>(random() % 60);
    plan.rows_at_once = 500;
    plan.go_on = [&left] { return left-- > 0; };
    Report ignored;
    if (import_states(plan, ignored)) break;
  }
  EXPECT_LT(3, kills);
  killed.import();
  EXPECT_EQ(all_lines(whole), all_lines(killed));
  EXPECT_EQ(whole.report.counts(), killed.report.counts());
  // And again: nothing changes.
  killed.import();
  EXPECT_EQ(all_lines(whole), all_lines(killed));
  EXPECT_EQ(whole.report.counts(), killed.report.counts());
  EXPECT_EQ(whole.report.notes(), killed.report.notes());
}

TEST(ImportStates, LeavesNoTemporaryFiles) {
  PastHome home;
  fill(home.old, 500);
  home.import();
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(home.folder / "scratch"))
    names.insert(entry.path().filename().string().substr(0, 11));
  EXPECT_EQ(std::set<std::string>{"progress.db"}, names);
}

TEST(ImportStates, BeginsAnewWithAnotherFingerprint) {
  PastHome home;
  home.old.add({"sensor.a", kOldSeconds - 100, "1"});
  home.import();
  home.old.add({"sensor.a", kOldSeconds - 50, "2"});
  home.import();  // unchanged, says the fingerprint
  EXPECT_EQ(1u, home.lines("sensor.a").size());
  auto plan = home.plan();
  plan.fingerprint = "other";
  home.import(plan);
  EXPECT_EQ((Lines{at(-100) + " 0 1 {}   ", at(-50) + " 0 2 {}   "}), home.lines("sensor.a"));
  EXPECT_EQ((Report::Counts{.carried = 2}), home.counts("states"));
}

TEST(ImportStates, FillsTheGapBeforeTheFirstOwnChange) {
  PastHome home;
  home.old.add({"sensor.a", kOldSeconds - 4'000, "old"});
  home.old.add({"sensor.b", kOldSeconds - 4'000, "old"});
  home.import();
  {
    base::ManualClock clock(kOldNow - 1'000s);
    recorder::TestHome own(clock, home.folder / "home");
    own.set("sensor.a", "own");
    own.save();
    own.maintain();  // packs what is of another day, merges, makes statistics
    clock.advance(24h);
    own.set("sensor.a", "own, later");
    own.save();
    own.maintain();
    clock.advance(24h);
    own.set("sensor.a", "own, in the log");
    own.save();
    own.maintain();
  }
  home.old.add({"sensor.a", kOldSeconds - 2'000, "gap"});
  home.old.add({"sensor.a", kOldSeconds - 500, "after"});
  home.old.add({"sensor.b", kOldSeconds - 500, "new"});
  home.old.add({"sensor.a", kOldSeconds - 9'000, "before"});
  auto plan = home.plan();
  plan.fingerprint = "newer";
  plan.now = kOldNow + 72h;
  home.import(plan);
  EXPECT_EQ((Report::Counts{.carried = 5, .left = 1}), home.counts("states"));
  base::ManualClock clock(kOldNow + 72h);
  recorder::TestHome own(clock, home.folder / "home");
  own.maintain();
  EXPECT_EQ("before old gap own own, later own, in the log",
            own.history("sensor.a", kOldNow - 24h * 10, kOldNow + 96h));
  EXPECT_EQ("old new", own.history("sensor.b", kOldNow - 24h * 10, kOldNow + 96h));
}

TEST(ImportStates, PacksMoreThanTheMemoryHolds) {
  PastHome home;
  storage::TemporaryFolder scratch;
  auto writer = recorder::PastWriter::open(home.folder / "home/history.db").value();
  auto files = DealtRows::open(scratch.path(), "test", std::vector<DealtRows::Size>(1)).value();
  std::mt19937 random(5);
  {
    StateRowWriter rows(files);
    for (int i = 0; i < 30'000; ++i) {
      OldState state;
      state.id = i;
      const std::string value = std::to_string(i);
      state.entity = i % 3 ? "sensor.a" : "sensor.b";
      // A third at one moment.
      state.updated = state.changed =
          i % 3 == 1 ? kOldNow : kOldNow - std::chrono::microseconds(random() % 900'000'000'000);
      state.value = value;
      state.attributes = "{}";
      rows.add(0, state).value();
    }
    files.flush().value();
  }
  StatePacker packer(writer, scratch.path(), [](std::uint64_t) { return base::Result<void>(); });
  packer.set_bounds(1'000, 1 << 20);
  {
    auto transaction = storage::Transaction::begin(writer.database(), storage::Transaction::Kind::write).value();
    const auto packed = packer.pack(files, 0).value();
    EXPECT_EQ(30'000u, packed.carried);
    EXPECT_EQ(2u, packed.entities);
    transaction.commit().value();
  }
  std::set<std::string> values;
  for (const char* const id : {"sensor.a", "sensor.b"}) {
    for (const std::string& line : home.lines(id)) values.insert(line.substr(19, line.find(" {") - 19));
  }
  EXPECT_EQ(30'000u, values.size());
}

// Overwrites pages of the table of states in the middle of the file.
TEST(ImportStates, ReadsWhatIsLeftOfADamagedDatabase) {
  PastHome home;
  fill(home.old, 20'000);
  std::int64_t page_size = 0;
  std::vector<std::int64_t> pages;
  {
    auto select =
        home.old.database.prepare("SELECT pageno, pgsize FROM dbstat WHERE name = 'states' AND pagetype = 'leaf'")
            .value();
    select
        .for_each([&](const storage::Statement& row) {
          pages.push_back(row.integer(0));
          page_size = row.integer(1);
        })
        .value();
    home.old.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  ASSERT_LT(100u, pages.size());
  {
    std::fstream file(home.folder / "old.db", std::ios::in | std::ios::out | std::ios::binary);
    for (const std::size_t place : {std::size_t(40), std::size_t(41), pages.size() - 20}) {
      file.seekp((pages[place] - 1) * page_size);
      file << std::string(static_cast<std::size_t>(page_size), '\x55');
    }
  }
  auto damaged = storage::Database::open_to_read(home.folder / "old.db").value();
  HistoryPlan plan{.old = damaged, .target = home.folder / "home", .scratch = home.folder / "scratch", .now = kOldNow};
  home.import(plan);
  const Report::Counts& counts = home.counts("states");
  EXPECT_EQ(20'000u, counts.found());
  EXPECT_LT(0u, counts.lost);
  EXPECT_GT(1'000u, counts.lost);
  // Lost rows are told by entity and day, and the numbers add up.
  std::uint64_t told = 0;
  for (const Thing& thing : home.report.things()) {
    if (thing.what != "state") continue;
    EXPECT_EQ(thing.fate, Fate::lost);
    EXPECT_EQ(thing.why, Why::broken);
    EXPECT_TRUE(thing.id.starts_with("sensor.number_") && thing.id.contains(" 20")) << thing.id;
    told += thing.count;
  }
  EXPECT_EQ(told, counts.lost);
}

TEST(ImportStates, TellsEachRowOnceHowFarItIs) {
  for (const int rows : {10, 10'000}) {
    PastHome home;
    fill(home.old, rows);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> told;
    HistoryPlan plan = home.plan();
    plan.progress = [&](std::uint64_t done, std::uint64_t of) { told.emplace_back(done, of); };
    home.import(plan);
    ASSERT_FALSE(told.empty());
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_EQ(told.back(), std::pair(std::uint64_t(rows), std::uint64_t(rows)));
  }
}

TEST(LostRows, BeyondTheirBoundAreCountedTogether) {
  LostRows lost;
  for (std::size_t name = 0; name < LostRows::kMostNames + 5; ++name) lost.add(std::to_string(name), 2);
  lost.add("0", 3);
  const LostRows again = LostRows::parse(base::parse_json(base::to_json(lost.to_json())).value());
  EXPECT_EQ(again.rows(), 2 * (LostRows::kMostNames + 5) + 3);
  Report report;
  again.tell("event", report);
  EXPECT_EQ(report.counts().at("events").lost, again.rows());
  EXPECT_EQ(report.find("event", "0")->count, 5u);
  EXPECT_EQ(report.find("event", "others")->count, 10u);
}

}  // namespace
}  // namespace hearth::import_ha
