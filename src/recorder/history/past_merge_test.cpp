// SPDX-License-Identifier: Apache-2.0
#include "recorder/history/past_merge.h"

#include <gtest/gtest.h>

#include "recorder/history/past_writer.h"
#include "recorder/history/statistics_store.h"
#include "recorder/log/history_file.h"
#include "recorder/log/test_changes.h"
#include "recorder/test_history.h"
#include "storage/temporary_folder.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

// As an import writes it.
void write_past(const std::filesystem::path& file) {
  auto writer = PastWriter::open(file).value();
  auto transaction = storage::Transaction::begin(writer.database(), storage::Transaction::Kind::write).value();
  const Change past[] = {change(kStart + 1h, "a"), change(kStart + 2h, "b")};
  for (const std::string_view id : {"sensor.old", "sensor.own"}) writer.add(writer.entity(id).value(), past).value();
  Statistics step;
  step.start = kStart + 1h;
  step.covered = 1h;
  step.imported = true;
  step.mean = 21;
  writer.add_statistics(writer.entity("sensor.old").value(), std::span(&step, 1)).value();
  HistoryReader::KeptEvent event;
  event.fired = kStart + 90min;
  event.type = "automation_triggered";
  event.data = "{}";
  event.context.id = base::Id("01HZXA00000000000000000000");
  event.context.user_id = base::Id("0123456789abcdef0123456789abcdef");
  EXPECT_TRUE(writer.add_event(-7, event).value());
  transaction.commit().value();
}

std::vector<std::int64_t> counts(storage::Database& database) {
  std::vector<std::int64_t> numbers;
  for (const char* const table : {"entities", "segments", "events", "statistics", "users"}) {
    auto select = database.prepare("SELECT count(*) FROM " + std::string(table)).value();
    EXPECT_TRUE(select.step().value());
    numbers.push_back(select.integer(0));
  }
  return numbers;
}

TEST(PastMerge, AddsThePastToAHomeThatHasGoneOn) {
  const storage::TemporaryFolder folder;
  base::ManualClock clock(kStart + 3h);
  {
    TestHome home(clock, folder.path());
    home.set("sensor.own", "c");
    home.save();
  }
  std::filesystem::create_directory(folder / "made");
  const auto past = folder / "made/history.db", history = folder / "history.db";
  {
    auto database = storage::Database::open_to_read(history).value();
    database.copy_to(past, [] { return true; }).value();
  }
  write_past(past);
  {
    TestHome home(clock, folder.path());
    clock.advance(1h);
    home.set("sensor.new", "1");  // its number is another one there
    home.set("sensor.own", "d");
    home.save();
  }
  merge_past(past, history, [] { return true; }).value();
  std::vector<std::int64_t> once;
  {
    auto writer = PastWriter::open(history).value();
    once = counts(writer.database());
    const auto entity = writer.entity("sensor.old").value();
    const auto stored = stored_statistics(writer.database(), entity, day_of(kStart), day_of(kStart)).value();
    ASSERT_EQ(1U, stored.size());
    EXPECT_EQ(21, stored[0].mean);
    EXPECT_EQ(kStart + 2h, imported_until(writer.database(), entity).value());
    EXPECT_EQ(kStart + 3h, writer.bounds(writer.entity("sensor.own").value()).own_first);
    auto user = writer.database().prepare("SELECT user_id FROM users u JOIN events e ON e.user = u.id WHERE e.id = -7");
    ASSERT_TRUE(user->step().value());
    EXPECT_EQ("0123456789abcdef0123456789abcdef", user->text(0));
  }
  merge_past(past, history, [] { return true; }).value();
  {
    auto writer = PastWriter::open(history).value();
    EXPECT_EQ(once, counts(writer.database()));
  }
  TestHome home(clock, folder.path());
  EXPECT_EQ("a b", home.history("sensor.old", kStart, kStart + 48h));
  EXPECT_EQ("a b c d", home.history("sensor.own", kStart, kStart + 48h));
  EXPECT_EQ("1", home.history("sensor.new", kStart, kStart + 48h));
}

TEST(PastMerge, ChangesNothingIfItIsEnded) {
  const storage::TemporaryFolder folder;
  write_past(folder / "past.db");
  {
    PastWriter::open(folder / "history.db").value();
  }
  EXPECT_FALSE(merge_past(folder / "past.db", folder / "history.db", [] { return false; }));
  auto writer = PastWriter::open(folder / "history.db").value();
  EXPECT_EQ(std::vector<std::int64_t>({0, 0, 0, 0, 0}), counts(writer.database()));
}

}  // namespace
}  // namespace hearth::recorder
