// SPDX-License-Identifier: Apache-2.0
#include "recorder/journal/run_journal.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/testing/wait_until.h"
#include "core/hub.h"
#include "recorder/journal/journal_log.h"
#include "storage/temporary_folder.h"

namespace hearth::recorder {
namespace {

class RunJournalTest : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_ / "home.db"; }
  std::filesystem::path log() const { return folder_ / "home.db-runs"; }
  std::uintmax_t database_log_size() const { return std::filesystem::file_size(folder_ / "home.db-wal"); }
  std::unique_ptr<RunJournal> open() { return RunJournal::open(file(), hub_).value(); }
  static core::StatePtr state(std::string_view value, int updated) {
    const base::Timestamp time{std::chrono::seconds(updated)};
    return core::State::create(*core::EntityId::parse("light.a"), value, R"({"a":1})", {time, time}, {"C", {}, "user"});
  }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  core::Hub hub_{clock_};
};

TEST_F(RunJournalTest, KeepsWhatWasPutAndNotRemoved) {
  {
    const auto journal = open();
    journal->put("a", "1");
    journal->put("b", "2");
    journal->put("c", "3");
    journal->commit().value();
    journal->put("a", "4");
    journal->remove("b");
    journal->remove("never there");
    journal->keep(state("on", 7));
    journal->commit().value();
  }
  const auto journal = open();
  EXPECT_EQ(journal->entries().value().at("a"), "4");
  EXPECT_FALSE(journal->entries().value().contains("b"));
  const auto states = journal->states().value();
  ASSERT_EQ(states.size(), 1U);
  EXPECT_EQ(states[0]->json(), state("on", 7)->json());
}

TEST_F(RunJournalTest, TellsWhenItIsWritten) {
  const auto journal = open();
  int told = 0;
  journal->start();
  for (int i = 0; i < 3; ++i) {
    journal->put("a", std::to_string(i));
    journal->when_written([&, i] {
      EXPECT_EQ(told++, i);
      EXPECT_GE(std::stoi(open()->entries().value().at("a")), i);
    });
  }
  base::wait_until([&] {
    hub_.bus.run_pending();
    return told == 3;
  });
  journal->stop();
}

TEST_F(RunJournalTest, KnowsWhatIsNotWrittenYet) {
  const auto journal = open();
  EXPECT_FALSE(journal->has_unwritten());
  const auto written_after = [&](const auto& change) {
    change();
    const bool before = journal->has_unwritten();
    journal->commit().value();
    return before && !journal->has_unwritten();
  };
  EXPECT_TRUE(written_after([&] { journal->put("a", "1"); }));
  EXPECT_TRUE(written_after([&] { journal->remove("a"); }));
  EXPECT_TRUE(written_after([&] { journal->keep(state("on", 7)); }));
}

TEST_F(RunJournalTest, NobodyWaitsForADiskThatFails) {
  const auto journal = open();
  auto other = storage::Database::open(file()).value();
  other.execute("ALTER TABLE journal RENAME TO away").value();
  journal->put("a", "1");
  bool told = false;
  journal->when_written([&] { told = true; });
  EXPECT_FALSE(journal->commit());
  EXPECT_TRUE(journal->has_unwritten());
  hub_.bus.run_pending();
  EXPECT_TRUE(told);
  other.execute("ALTER TABLE away RENAME TO journal").value();
  journal->commit().value();
  EXPECT_EQ(journal->entries().value().at("a"), "1");
}

TEST_F(RunJournalTest, AStateGoesWithItsEntity) {
  const auto write = [&] {
    hub_.states.set(*core::EntityId::parse("light.a"), {"on", "{}", {"C", {}, "user"}}).value();
    hub_.bus.run_pending();
  };
  const auto remove = [&] {
    hub_.states.remove("light.a", {"C", {}, "user"}).value();
    hub_.bus.run_pending();
  };
  write();
  {
    const auto journal = open();
    journal->keep(hub_.states.find("light.a"));
    journal->commit().value();
    EXPECT_EQ(open()->states().value().size(), 1U);
    remove();
    journal->commit().value();
    EXPECT_TRUE(open()->states().value().empty());
    write();
    journal->keep(hub_.states.find("light.a"));
    journal->commit().value();
  }
  const auto journal = open();
  EXPECT_EQ(journal->states().value().size(), 1U);
  remove();
  journal->commit().value();
  EXPECT_TRUE(open()->states().value().empty());
}

TEST_F(RunJournalTest, LittleCostsNoPageOfTheDatabaseAndSurvivesAKill) {
  const auto journal = open();
  journal->put("a", "1");
  journal->put("gone", "1");
  journal->commit().value();
  const std::uintmax_t before = database_log_size();
  for (int round = 0; round < 100; ++round) {
    journal->put("a", std::to_string(round));
    journal->put(std::string(core::Journal::kArchive) + "x", "y");
    journal->commit().value();
  }
  journal->remove("gone");
  journal->commit().value();
  EXPECT_EQ(database_log_size(), before);
  EXPECT_LT(std::filesystem::file_size(log()), 10'000U);
  const auto after_kill = open();
  EXPECT_EQ(after_kill->entries().value(), (core::Journal::Entries{{"a", "99"}}));
  std::optional<std::string> read;
  after_kill->start();
  bool told = false;
  after_kill->read(std::string(core::Journal::kArchive) + "x", [&](std::optional<std::string> text) {
    read = std::move(text);
    told = true;
  });
  base::wait_until([&] {
    hub_.bus.run_pending();
    return told;
  });
  EXPECT_EQ(read, "y");
}

TEST_F(RunJournalTest, ALogEndsWhereItIsCutOrDamaged) {
  const auto journal = open();
  journal->put("a", "1");
  journal->commit().value();
  for (const char* const text : {"second", "third", "fourth"}) {
    journal->put("a", text);
    journal->commit().value();
  }
  std::filesystem::resize_file(log(), std::filesystem::file_size(log()) - 1);
  EXPECT_EQ(open()->entries().value().at("a"), "third");
  std::fstream file(log(), std::ios::in | std::ios::out | std::ios::binary);
  std::string content(std::istreambuf_iterator<char>(file), {});
  content.replace(content.find("third"), 1, "T");
  file.clear();
  file.seekp(0);
  file << content << std::flush;
  EXPECT_EQ(open()->entries().value().at("a"), "second");
}

TEST_F(RunJournalTest, ALogOfAnotherTimeDoesNotCount) {
  const auto journal = open();
  journal->put("a", "1");
  journal->commit().value();
  journal->put("a", "old");
  journal->commit().value();
  std::filesystem::copy_file(log(), folder_ / "kept");
  journal->put("a", "new");
  journal->keep(state("on", 7));  // goes into the database, with all that is in the log
  journal->commit().value();
  std::filesystem::copy_file(folder_ / "kept", log(), std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(open()->entries().value().at("a"), "new");
}

TEST_F(RunJournalTest, ALogThatIsFullGoesIntoTheDatabase) {
  const auto journal = open();
  const std::string padding(1'000, '.');
  for (int round = 0; round < 600; ++round) {
    journal->put("a", std::to_string(round) + padding);
    journal->commit().value();
    ASSERT_LE(std::filesystem::file_size(log()), JournalLog::kMaxBytes);
  }
  EXPECT_EQ(open()->entries().value().at("a"), "599" + padding);
  const std::string large(JournalLog::kMaxAppend, '.');
  journal->put("b", large);
  journal->commit().value();
  EXPECT_LT(std::filesystem::file_size(log()), 100U);
  EXPECT_EQ(open()->entries().value().at("b"), large);
  EXPECT_EQ(open()->entries().value().at("a"), "599" + padding);
}

TEST_F(RunJournalTest, TheDatabaseHasItAllWhenTheHubHasEnded) {
  {
    const auto journal = open();
    for (const char* const text : {"1", "2"}) {
      journal->put("a", text);
      journal->commit().value();
    }
  }
  std::filesystem::remove(log());
  EXPECT_EQ(open()->entries().value().at("a"), "2");
}

TEST_F(RunJournalTest, ALogThatCannotBeWrittenLosesNothing) {
  std::filesystem::create_directory(log());
  const auto journal = open();
  for (const char* const text : {"1", "2", "3"}) {
    journal->put("a", text);
    journal->commit().value();
  }
  EXPECT_EQ(open()->entries().value().at("a"), "3");
}

TEST_F(RunJournalTest, IsEmptyInACopy) {
  {
    const auto journal = open();
    journal->put("a", "1");
    journal->keep(state("on", 7));
    journal->commit().value();
  }
  RunJournal::clear(file()).value();
  EXPECT_TRUE(open()->entries().value().empty());
  EXPECT_TRUE(open()->states().value().empty());
}

}  // namespace
}  // namespace hearth::recorder
