// SPDX-License-Identifier: Apache-2.0
// A span of a history file is read whole, from the log and from segments, and nothing is written.
#include "recorder/past_file.h"

#include <gtest/gtest.h>

#include "recorder/test_history.h"
#include "storage/temporary_folder.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

// `[light.a off] light.a on, …`: the states at the start, and the changes since.
std::string told(const std::filesystem::path& file, Span span) {
  const auto past = PastFile::open(file, span);
  if (!past) return past.error().message;
  const auto& names = (*past)->entities();
  std::string text;
  for (const PastFile::Row& row : (*past)->first())
    text += "[" + names[row.entity] + " " + std::string(row.change.value) + "] ";
  while (!(*past)->at_end()) {
    const auto slice = (*past)->next();
    if (!slice) return slice.error().message;
    for (const PastFile::Row& row : slice->changes)
      text += names[row.entity] + " " + (row.change.removed ? "-" : std::string(row.change.value)) + " ";
  }
  return text;
}

class PastFileTest : public testing::Test {
 protected:
  void change(TestHome& home, base::Duration after, std::string_view id, std::string_view value) {
    clock_.set(start_ + after);
    home.set(id, value);
  }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;  // stands at midnight
  const base::Timestamp start_ = clock_.now();
};

TEST_F(PastFileTest, HasAllChangesInTheirOrderFromTheLogAndFromSegments) {
  TestHome home(clock_, folder_.path());
  const auto read = [&] { return told(folder_ / "history.db", {start_ + 2h, start_ + 6h}); };
  change(home, 1h, "light.b", "off");
  change(home, 2h, "light.a", "off");
  change(home, 3h, "light.b", "on");
  change(home, 4h, "light.a", "on");
  change(home, 5h, "light.c", "on");
  clock_.set(start_ + 6h);
  home.remove("light.c");
  change(home, 7h, "light.b", "off");
  change(home, 7h, "light.d", "off");
  home.save();
  const std::string expected = "[light.a off] [light.b off] light.b on light.a on light.c on light.c - ";
  EXPECT_EQ(expected, read());
  clock_.advance(24h);
  home.maintain();
  auto database = storage::Database::open_to_read(folder_ / "history.db").value();
  auto packed = database.prepare("SELECT count(*) FROM segments").value();
  packed.step().value();
  EXPECT_EQ(3, packed.integer(0));  // the last change stays in the log
  EXPECT_EQ(expected, read());
  EXPECT_EQ("[light.a on] [light.b on] light.b off light.d off ",
            told(folder_ / "history.db", {start_ + 6h, start_ + 8h}));
  change(home, 32h, "light.b", "on");
  home.save();
  EXPECT_EQ("[light.a on] [light.b off] [light.d off] light.b on ",
            told(folder_ / "history.db", {start_ + 8h, start_ + 33h}));
  EXPECT_EQ("[light.a on] [light.b off] [light.d off] ", told(folder_ / "history.db", {start_ + 8h, start_ + 9h}));
}

TEST_F(PastFileTest, TellsSinceWhenEachEntityIsKnownFromTheLogAndFromSegments) {
  TestHome home(clock_, folder_.path());
  change(home, 1h, "light.a", "off");
  change(home, 3h, "light.b", "off");
  change(home, 4h, "light.a", "on");
  change(home, 5h, "light.b", "on");
  home.save();
  const auto known = [&](base::Duration from) {
    const auto past = PastFile::open(folder_ / "history.db", {start_ + from, start_ + 6h}).value();
    std::vector<std::int64_t> hours{(past->kept_since() - start_) / 1h};
    for (const base::Timestamp since : past->known_since()) hours.push_back((since - start_) / 1h);
    return hours;
  };
  const std::vector<std::int64_t> from_before{1, 1, 3}, from_between{2, 2, 3}, from_after{3, 3, 3};
  for (const bool packed : {false, true}) {
    EXPECT_EQ(from_before, known(0h)) << packed;
    EXPECT_EQ(from_between, known(2h)) << packed;
    EXPECT_EQ(from_after, known(3h)) << packed;
    clock_.advance(24h);
    home.maintain();
  }
}

TEST_F(PastFileTest, HasEachChangeOfManyDaysOnceHoweverItIsSliced) {
  TestHome home(clock_, folder_.path());
  std::string expected;
  for (int hour = 1; hour <= 400; ++hour) {
    const std::string id = hour % 3 == 0 ? "light.a" : "light.b";
    change(home, hour * 1h, id, std::to_string(hour));
    if (hour > 1) expected += id + " " + std::to_string(hour) + " ";
    if (hour % 50 == 0) home.save(), home.maintain();
  }
  home.save();
  EXPECT_EQ("[light.b 1] " + expected, told(folder_ / "history.db", {start_ + 1h, start_ + 400h}));
  clock_.advance(48h);
  home.maintain();
  EXPECT_EQ("[light.b 1] " + expected, told(folder_ / "history.db", {start_ + 1h, start_ + 400h}));
}

TEST_F(PastFileTest, MakesNoFile) {
  EXPECT_TRUE(told(folder_ / "history.db", {start_, start_ + 1h}).ends_with("there is no history."));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "history.db"));
  {
    TestHome home(clock_, folder_.path());
    change(home, 1h, "light.a", "off");
    home.save();
  }
  ASSERT_FALSE(std::filesystem::exists(folder_ / "history.db-wal"));
  EXPECT_EQ("light.a off ", told(folder_ / "history.db", {start_, start_ + 1h}));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "history.db-wal"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "history.db-shm"));
}

}  // namespace
}  // namespace hearth::recorder
