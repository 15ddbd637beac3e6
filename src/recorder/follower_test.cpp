// SPDX-License-Identifier: Apache-2.0
#include "recorder/follower.h"

#include <gtest/gtest.h>

#include "recorder/test_history.h"
#include "storage/temporary_folder.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

// Keeps what it gets, or does not.
class Target : public FollowerTarget {
 public:
  struct Kept {
    std::vector<std::string> entries;
    std::string failure;
    bool throws = false;
  };
  explicit Target(Kept& kept) : kept_(kept) {}

  base::Result<void> deliver(const TailPart& part) override {
    if (kept_.throws) throw std::runtime_error("the library has failed");
    if (!kept_.failure.empty()) return base::fail(base::ErrorCode::unavailable, kept_.failure);
    for (const TailEntry& entry : part.entries)
      kept_.entries.push_back(std::to_string(entry.change.number) + " " + std::string(entry.change.value));
    return {};
  }
  void cancel() override {}

 private:
  Kept& kept_;
};

class FollowerTest : public testing::Test {
 protected:
  std::unique_ptr<Follower> follower(std::string name = "archive") {
    return Follower::open(folder_.path(), clock_, {std::move(name), 2}, std::make_unique<Target>(kept_)).value();
  }
  void set(std::initializer_list<std::string_view> values) {
    for (const auto value : values) home_.set("light.a", value);
    home_.save();
  }
  std::int64_t deliver_all(Follower& follower) {
    for (int parts = 0; parts < 100; ++parts) {
      if (!follower.deliver_next().value()) return parts;
    }
    return -1;
  }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  TestHome home_{clock_, folder_.path()};
  Target::Kept kept_;
};

TEST_F(FollowerTest, DeliversWhatIsCommittedOnceAndGoesOnAfterARestart) {
  set({"1", "2", "3"});
  {
    auto follower = this->follower();
    follower->start();
    for (int tries = 0; follower->followed(LogTail::open(folder_ / "history.db")->history()) < 3 && tries < 10'000;
         ++tries)
      std::this_thread::sleep_for(1ms);
    follower->stop();
  }
  EXPECT_EQ((std::vector<std::string>{"1 1", "2 2", "3 3"}), kept_.entries);
  set({"4"});
  auto again = follower();
  deliver_all(*again);
  EXPECT_EQ((std::vector<std::string>{"1 1", "2 2", "3 3", "4 4"}), kept_.entries);
  EXPECT_EQ(0, again->status().behind);
}

TEST_F(FollowerTest, KeepsWhatCouldNotBeDeliveredAndSaysHowFarItIsBehind) {
  set({"1", "2", "3"});
  kept_.failure = "The archive is full.";
  auto follower = this->follower();
  EXPECT_EQ("The archive is full.", follower->deliver_next().error().message);
  EXPECT_EQ(3, follower->status().behind);
  EXPECT_EQ(clock_.now(), follower->status().since);
  const std::string history = LogTail::open(folder_ / "history.db")->history();
  EXPECT_EQ(0, follower->followed(history));
  kept_.failure.clear();
  deliver_all(*follower);
  EXPECT_EQ((std::vector<std::string>{"1 1", "2 2", "3 3"}), kept_.entries);
  EXPECT_EQ(3, follower->followed(history));
  EXPECT_EQ(0, follower->followed("another file"));
  EXPECT_FALSE(follower->status().since);
}

TEST_F(FollowerTest, OutlivesAThrowAndNamesIt) {
  set({"1"});
  kept_.throws = true;
  auto follower = this->follower();
  follower->start();
  for (int tries = 0; follower->status().failure.empty() && tries < 10'000; ++tries) std::this_thread::sleep_for(1ms);
  EXPECT_EQ("the library has failed", follower->status().failure);
  follower->stop();
}

TEST_F(FollowerTest, BeginsAnewWithAnotherHistoryFile) {
  set({"1", "2"});
  auto follower = this->follower();
  deliver_all(*follower);
  follower->stop();
  auto database = storage::Database::open(folder_ / "history.db").value();
  database.execute("UPDATE history SET name = 'another'").value();
  kept_.entries.clear();
  auto again = this->follower();
  deliver_all(*again);
  EXPECT_EQ((std::vector<std::string>{"1 1", "2 2"}), kept_.entries);
}

}  // namespace
}  // namespace hearth::recorder
