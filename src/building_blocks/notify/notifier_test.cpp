// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/notify/notifier.h"

#include "domains/test_home.h"

namespace hearth::building_blocks {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

// Takes `time` for each message, which then has one outcome after the other, of which the last stays.
class SlowChannel final : public Channel {
 public:
  SlowChannel(core::Hub& hub, std::vector<Delivery> outcomes, base::Duration time, bool splits)
      : hub_(hub), outcomes_(std::move(outcomes)), time_(time), splits_(splits) {}

  void send(const Message& message, Done done) override {
    std::string line = message.text;
    for (const std::string& target : message.targets) line += ">" + target;
    sent.push_back(line);
    at.push_back(std::chrono::duration_cast<seconds>(hub_.clock.steady_now() - began_).count());
    const Delivery outcome = outcomes_.at(std::min(sent.size(), outcomes_.size()) - 1);
    if (time_ == base::Duration(0)) return done(outcome);
    timer_ = hub_.bus.schedule(time_, [done = std::move(done), outcome] { done(outcome); });
  }
  bool splits_targets() const override { return splits_; }

  std::vector<std::string> sent;
  std::vector<std::int64_t> at;  // seconds

 private:
  core::Hub& hub_;
  const std::vector<Delivery> outcomes_;
  const base::Duration time_;
  const bool splits_;
  const base::SteadyTime began_ = hub_.clock.steady_now();
  core::Timer timer_;
};

Delivery failing(std::string why, bool may_pass = true) {
  return std::unexpected(Undelivered{.why = std::move(why), .may_pass = may_pass});
}

struct NotifierTest : testing::Test {
  void use(std::vector<Delivery> outcomes, base::Duration time = {}, bool splits = false) {
    auto made = std::make_unique<SlowChannel>(home.hub, std::move(outcomes), time, splits);
    channel = made.get();
    notifier =
        std::make_unique<Notifier>(home.hub, std::move(made), [this](const std::string& line) { log.push_back(line); });
  }
  // Where its answer will be.
  std::shared_ptr<std::string> send(std::string text, std::vector<std::string> targets = {}) {
    auto said = std::make_shared<std::string>("waits");
    notifier->send({std::move(text), "", std::move(targets)}, [said](const base::Result<json::value>& result) {
      *said = result ? "delivered" : result.error().message;
    });
    home.hub.bus.run_pending();
    return said;
  }
  void advance(base::Duration time) { home.advance(time, seconds(1)); }

  domains::TestHome home;
  SlowChannel* channel = nullptr;
  std::unique_ptr<Notifier> notifier;
  std::vector<std::string> log;
};

TEST_F(NotifierTest, DeliversAtOnce) {
  use({Delivery()});
  EXPECT_EQ(*send("a"), "delivered");
  EXPECT_TRUE(notifier->is_idle());
  advance(minutes(10));
  EXPECT_EQ(channel->sent, std::vector<std::string>{"a"});
}

TEST_F(NotifierTest, TriesThreeTimesAgainWithinFiveMinutes) {
  use({failing("refused")});
  const auto said = send("a");
  advance(seconds(49));
  EXPECT_EQ(*said, "waits");
  advance(seconds(2));
  EXPECT_EQ(*said, "is not delivered yet, and may still be tried: refused");
  EXPECT_FALSE(notifier->is_idle());
  advance(minutes(10));
  EXPECT_EQ(channel->at, (std::vector<std::int64_t>{0, 5, 30, 240}));
  EXPECT_TRUE(notifier->is_idle());
  EXPECT_EQ(log.back(), "is given up after 4 tries: refused");
}

TEST_F(NotifierTest, TellsTheSenderThatALaterTryPassed) {
  use({failing("refused"), failing("refused"), Delivery()});
  const auto said = send("a");
  advance(seconds(29));
  EXPECT_EQ(*said, "waits");
  advance(seconds(2));
  EXPECT_EQ(*said, "delivered");
  advance(minutes(10));
  EXPECT_EQ(channel->sent.size(), 3U);
}

TEST_F(NotifierTest, DoesNotTryAgainInVain) {
  use({failing("answered 404", false)});
  EXPECT_EQ(*send("a"), "answered 404");
  EXPECT_TRUE(notifier->is_idle());
  advance(minutes(10));
  EXPECT_EQ(channel->sent.size(), 1U);
}

TEST_F(NotifierTest, BeginsNoTryAfterFiveMinutes) {
  use({failing("takes too long")}, seconds(60));
  send("a");
  advance(minutes(20));
  EXPECT_EQ(channel->at, (std::vector<std::int64_t>{0, 65, 150}));
  EXPECT_EQ(log.back(), "is given up after 3 tries: takes too long");
  EXPECT_TRUE(notifier->is_idle());
}

TEST_F(NotifierTest, SendsOthersWhileOneWaits) {
  use({failing("refused"), Delivery()}, seconds(1));
  const auto first = send("a"), second = send("b"), third = send("c");
  advance(seconds(4));
  EXPECT_EQ(channel->sent, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(*first + *second + *third, "waitsdelivereddelivered");
  advance(seconds(10));
  EXPECT_EQ(*first, "delivered");
}

TEST_F(NotifierTest, RefusesWhatIsTooMuch) {
  use({failing("refused")}, seconds(10));
  for (std::size_t number = 0; number < Notifier::kMostOpen; ++number) EXPECT_EQ(*send("a"), "waits");
  EXPECT_TRUE(notifier->is_full());
  for (std::size_t number = 0; number < 10 * Notifier::kMostOpen; ++number)
    EXPECT_EQ(*send("a"), "32 messages wait, of at most 32 that are not delivered yet");
  advance(minutes(30));
  EXPECT_TRUE(notifier->is_idle());
}

TEST_F(NotifierTest, SendsEachTargetItsOwn) {
  use({Delivery(), failing("no such target", false)}, seconds(1), true);
  const auto said = send("a", {"x", "y"});
  advance(seconds(5));
  EXPECT_EQ(channel->sent, (std::vector<std::string>{"a>x", "a>y"}));
  EXPECT_EQ(*said, "no such target");
  use({Delivery()});
  send("a", {"x", "y"});
  EXPECT_EQ(channel->sent, std::vector<std::string>{"a>x>y"});
}

TEST_F(NotifierTest, EndsWithMessagesUnderWay) {
  use({failing("refused")}, seconds(10));
  const auto first = send("a"), second = send("b");
  notifier.reset();
  advance(minutes(10));
  EXPECT_EQ(*first + *second, "waitswaits");
}

}  // namespace
}  // namespace hearth::building_blocks
