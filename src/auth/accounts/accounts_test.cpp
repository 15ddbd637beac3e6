// SPDX-License-Identifier: Apache-2.0
#include "auth/accounts/accounts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>

#include "auth/accounts/account_store.h"
#include "base/log/log.h"
#include "base/log/recent_log.h"
#include "base/testing/wait_until.h"
#include "storage/temporary_folder.h"

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;

class AccountsTest : public testing::Test {
 protected:
  void SetUp() override {
    accounts_.open(folder_ / "home.db").value();
    store_.add_user("ann", Role::user, "small lamps").value();
    phone_ = store_.create_token("ann", "phone").value();
    accounts_.on_change([this] { ++changes_; });
    accounts_.poll().value();
    changes_ = 0;
  }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  AccountStore store_ = AccountStore::open(folder_ / "home.db", clock_).value();
  Authenticator authenticator_{clock_};
  Accounts accounts_{authenticator_, clock_};
  std::string phone_;
  int changes_ = 0;
};

TEST_F(AccountsTest, PublishesWhatIsInTheFile) {
  const auto identity = authenticator_.authenticate(phone_);
  ASSERT_NE(nullptr, identity);
  EXPECT_EQ("ann", identity->user->name);
  EXPECT_EQ(store_.find_user("ann")->id, identity->user->id);
  EXPECT_EQ(store_.tokens("ann")->at(0).id, identity->token_id);
  EXPECT_EQ(clock_.now() + kDefaultTokenLife, identity->expires_at);
}

TEST_F(AccountsTest, NoticesNewAndRevokedTokens) {
  const std::string display = store_.create_token("ann", "display").value();
  EXPECT_EQ(nullptr, authenticator_.authenticate(display));
  accounts_.poll().value();
  EXPECT_NE(nullptr, authenticator_.authenticate(display));
  store_.revoke_token("ann", "display").value();
  accounts_.poll().value();
  EXPECT_EQ(nullptr, authenticator_.authenticate(display));
  EXPECT_NE(nullptr, authenticator_.authenticate(phone_));
  EXPECT_EQ(2, changes_);
}

TEST_F(AccountsTest, NoticesThatAUserIsInactiveAndActiveAgain) {
  const auto identity = authenticator_.authenticate(phone_);
  store_.set_active("ann", false).value();
  accounts_.poll().value();
  EXPECT_EQ(nullptr, authenticator_.authenticate(phone_));
  EXPECT_FALSE(authenticator_.still_valid(*identity));
  store_.set_active("ann", true).value();
  accounts_.poll().value();
  EXPECT_NE(nullptr, authenticator_.authenticate(phone_));
}

TEST_F(AccountsTest, SeesARoleChange) {
  const auto identity = authenticator_.authenticate(phone_);
  store_.set_role("ann", Role::reader).value();
  accounts_.poll().value();
  EXPECT_FALSE(authenticator_.still_valid(*identity));
  EXPECT_EQ(Role::reader, authenticator_.authenticate(phone_)->user->role);
}

TEST_F(AccountsTest, PublishesNothingIfNoAccountChanged) {
  const auto version = authenticator_.version();
  accounts_.poll().value();
  // Other parts of the hub write to the same file all the time.
  auto other = storage::Database::open(folder_ / "home.db").value();
  other.execute("CREATE TABLE other(a)").value();
  accounts_.poll().value();
  store_.set_password("ann", "other lamps").value();
  accounts_.poll().value();
  EXPECT_EQ(version, authenticator_.version());
  EXPECT_EQ(0, changes_);
}

TEST_F(AccountsTest, WritesUsesOnceAMinuteAndDoesNotReloadForThem) {
  const auto version = authenticator_.version();
  const auto used_at = clock_.now();
  authenticator_.note_use(*authenticator_.authenticate(phone_), boost::asio::ip::make_address("192.0.2.1"));
  accounts_.poll().value();
  EXPECT_EQ(std::nullopt, store_.tokens("ann")->at(0).used_at);
  clock_.advance(60s);
  accounts_.poll().value();
  EXPECT_EQ(used_at, store_.tokens("ann")->at(0).used_at);
  EXPECT_EQ("192.0.2.1", store_.tokens("ann")->at(0).used_from);

  authenticator_.note_use(*authenticator_.authenticate(phone_), boost::asio::ip::make_address("192.0.2.2"));
  clock_.advance(60s);
  accounts_.poll().value();
  EXPECT_EQ("192.0.2.2", store_.tokens("ann")->at(0).used_from);
  accounts_.poll().value();
  EXPECT_EQ(version, authenticator_.version());
  EXPECT_EQ(0, changes_);
}

TEST_F(AccountsTest, DropsUsesOfATokenRevokedMeanwhile) {
  authenticator_.note_use(*authenticator_.authenticate(phone_), boost::asio::ip::make_address("192.0.2.1"));
  store_.revoke_token("ann", "phone").value();
  clock_.advance(60s);
  EXPECT_TRUE(accounts_.poll());
}

TEST_F(AccountsTest, KeepsUsesThatCouldNotBeWritten) {
  authenticator_.note_use(*authenticator_.authenticate(phone_), boost::asio::ip::make_address("192.0.2.1"));
  auto other = storage::Database::open(folder_ / "home.db").value();
  other.execute("ALTER TABLE token_uses RENAME TO away").value();
  clock_.advance(60s);
  EXPECT_FALSE(accounts_.poll());
  other.execute("ALTER TABLE away RENAME TO token_uses").value();
  clock_.advance(60s);
  accounts_.poll().value();
  EXPECT_EQ("192.0.2.1", store_.tokens("ann")->at(0).used_from);
}

TEST_F(AccountsTest, CallsBackWhenATokenExpires) {
  store_.create_token("ann", "guest", std::chrono::days(1)).value();
  accounts_.poll().value();
  changes_ = 0;
  clock_.advance(std::chrono::days(1) - 1us);
  accounts_.poll().value();
  EXPECT_EQ(0, changes_);
  clock_.advance(1us);
  accounts_.poll().value();
  EXPECT_EQ(1, changes_);
  accounts_.poll().value();
  EXPECT_EQ(1, changes_);
}

TEST_F(AccountsTest, CallsBackAfterItPublished) {
  std::string display;
  bool known = false;
  accounts_.on_change([&] { known = authenticator_.authenticate(display) != nullptr; });
  display = store_.create_token("ann", "display").value();
  accounts_.poll().value();
  EXPECT_TRUE(known);
}

TEST_F(AccountsTest, PollsOnAThreadOfItsOwnAndWritesTheLastUsesAtStop) {
  std::promise<void> changed;
  bool first = true;
  accounts_.on_change([&] {
    if (std::exchange(first, false)) changed.set_value();
  });
  accounts_.start().value();
  authenticator_.note_use(*authenticator_.authenticate(phone_), boost::asio::ip::make_address("192.0.2.1"));
  const std::string display = store_.create_token("ann", "display").value();
  base::wait_for(changed.get_future());
  EXPECT_NE(nullptr, authenticator_.authenticate(display));
  accounts_.stop();
  EXPECT_EQ("192.0.2.1", store_.tokens("ann")->at(1).used_from);
}

TEST_F(AccountsTest, ReportsThatTheDatabaseCannotBeRead) {
  auto other = storage::Database::open(folder_ / "home.db").value();
  other.execute("DROP TABLE account_changes").value();
  EXPECT_FALSE(accounts_.poll());
  EXPECT_FALSE(accounts_.start());
  EXPECT_NE(nullptr, authenticator_.authenticate(phone_));
}

TEST_F(AccountsTest, KnowsWhetherThereAreUsers) {
  EXPECT_TRUE(accounts_.any_users());
  Authenticator other(clock_);
  Accounts empty(other, clock_);
  empty.open(folder_ / "other.db").value();
  empty.poll().value();
  EXPECT_FALSE(empty.any_users());
  AccountStore::open(folder_ / "other.db", clock_)->add_user({"bob"}).value();
  empty.poll().value();
  EXPECT_TRUE(empty.any_users());
}

TEST_F(AccountsTest, PublishesWhatATaskChangedBeforeItReplies) {
  accounts_.start().value();
  std::promise<bool> known;
  ASSERT_TRUE(accounts_.post([&](AccountStore& store) -> Accounts::Reply {
    auto issued = store.create_session(store.find_user("ann")->id, "http://a/", "192.0.2.1").value();
    return {[&, token = issued.access_token] { known.set_value(authenticator_.authenticate(token) != nullptr); }};
  }));
  EXPECT_TRUE(base::wait_for(known.get_future()));
}

TEST_F(AccountsTest, HoldsAReplyBackUntilItsTime) {
  accounts_.start().value();
  std::promise<void> held, other;
  auto held_said = held.get_future();
  accounts_.post([&](AccountStore&) -> Accounts::Reply { return {[&] { held.set_value(); }, 1s}; });
  accounts_.post([&](AccountStore&) -> Accounts::Reply { return {[&] { other.set_value(); }}; });
  base::wait_for(other.get_future());
  EXPECT_EQ(std::future_status::timeout, held_said.wait_for(0s));
  clock_.advance(1s);
  base::wait_for(std::move(held_said));
}

TEST_F(AccountsTest, SendsHeldRepliesAtStop) {
  accounts_.start().value();
  std::promise<void> held, other;
  accounts_.post([&](AccountStore&) -> Accounts::Reply { return {[&] { held.set_value(); }, 1h}; });
  accounts_.post([&](AccountStore&) -> Accounts::Reply { return {[&] { other.set_value(); }}; });
  base::wait_for(other.get_future());
  accounts_.stop();
  EXPECT_EQ(std::future_status::ready, held.get_future().wait_for(0s));
}

TEST_F(AccountsTest, RefusesTasksBeyondSixtyFourAndDropsThoseThatWaitAtStop) {
  const auto nothing = [](AccountStore&) -> Accounts::Reply { return {}; };
  EXPECT_FALSE(accounts_.post(nothing));  // not started
  accounts_.start().value();
  std::promise<void> begun, go_on;
  accounts_.post([&](AccountStore&) -> Accounts::Reply {
    begun.set_value();
    base::wait_for(go_on.get_future());
    return {};
  });
  base::wait_for(begun.get_future());
  auto dropped = std::make_shared<int>(0);
  for (std::size_t i = 0; i < Accounts::kMaxTasks; ++i) {
    EXPECT_TRUE(accounts_.post([dropped](AccountStore&) -> Accounts::Reply { return {}; }));
  }
  Accounts::Task refused = nothing;
  EXPECT_FALSE(accounts_.post(std::move(refused)));
  EXPECT_TRUE(refused != nullptr);
  go_on.set_value();
  accounts_.stop();
  EXPECT_EQ(1, dropped.use_count());
  EXPECT_FALSE(accounts_.post(nothing));
}

TEST_F(AccountsTest, LetsTheQueueOfClientsWithATokenTakeTurnsWithThatOfPasswords) {
  using Queue = Accounts::Queue;
  accounts_.start().value();
  std::promise<void> begun, go_on, done;
  accounts_.post([&](AccountStore&) -> Accounts::Reply {
    begun.set_value();
    base::wait_for(go_on.get_future());
    return {};
  });
  base::wait_for(begun.get_future());
  std::string order;  // used by the accounts' thread only
  const auto note = [&](char who) {
    return [&order, who](AccountStore&) -> Accounts::Reply {
      order += who;
      return {};
    };
  };
  for (std::size_t i = 0; i < Accounts::kMaxPasswordTasks; ++i)
    EXPECT_TRUE(accounts_.post(note('s'), Queue::passwords));
  EXPECT_FALSE(accounts_.post(note('s'), Queue::passwords));
  for (std::size_t i = 1; i < Accounts::kMaxTasks; ++i) EXPECT_TRUE(accounts_.post(note('k')));
  const bool last = accounts_.post([&](AccountStore&) -> Accounts::Reply { return {[&] { done.set_value(); }}; });
  go_on.set_value();
  if (last) base::wait_for(done.get_future());
  accounts_.stop();
  EXPECT_TRUE(last);
  EXPECT_EQ(Accounts::kMaxPasswordTasks + Accounts::kMaxTasks - 1, order.size());
  EXPECT_FALSE(order.substr(0, 64).contains("ss")) << order;
  EXPECT_FALSE(order.substr(0, 64).contains("kk")) << order;
}

TEST_F(AccountsTest, GoesOnAfterATaskThatThrows) {
  accounts_.start().value();
  std::promise<void> done;
  accounts_.post([](AccountStore&) -> Accounts::Reply { throw std::runtime_error("a test's"); });
  accounts_.post([&](AccountStore&) -> Accounts::Reply {
    return {[&] {
      done.set_value();
      throw std::runtime_error("a test's");
    }};
  });
  base::wait_for(done.get_future());
  accounts_.stop();
}

TEST_F(AccountsTest, SaysOnceThatTheFileCannotBeWrittenAndOnceThatItCan) {
  auto other = storage::Database::open(folder_ / "home.db").value();
  accounts_.start().value();
  base::recent_log().clear();
  const auto said = [] {
    std::string all;
    for (const base::LogRecordPtr& record : base::recent_log().records()) all += record->message + "\n";
    return all;
  };
  // Between two of them the thread looks for changes, which works.
  const auto flush = [&](base::Duration after) {
    clock_.advance(after);
    std::promise<void> done;
    accounts_.post([&](AccountStore&) -> Accounts::Reply { return {[&] { done.set_value(); }}; });
    base::wait_for(done.get_future());
  };
  other.execute("ALTER TABLE token_uses RENAME TO away").value();
  authenticator_.note_use(*authenticator_.authenticate(phone_), boost::asio::ip::make_address("192.0.2.1"));
  for (int i = 0; i < 10; ++i) {
    flush(Accounts::kFlushInterval);
    flush(1s);
  }
  const std::string failed = said();
  EXPECT_TRUE(failed.contains("token_uses")) << failed;
  EXPECT_EQ(1, std::ranges::count(failed, '\n')) << failed;
  flush(LastingFailure::kAgain);
  EXPECT_EQ(failed + failed, said());
  other.execute("ALTER TABLE away RENAME TO token_uses").value();
  flush(Accounts::kFlushInterval);
  flush(Accounts::kFlushInterval);
  EXPECT_EQ(failed + failed + "accounts can be saved again\n", said());
  accounts_.stop();
}

TEST_F(AccountsTest, PurgesWhatExpiredEveryTenMinutes) {
  const base::Id user = store_.find_user("ann")->id;
  store_.create_session(user, "http://a/", "192.0.2.1").value();
  const auto rows = [&] {
    auto other = storage::Database::open(folder_ / "home.db").value();
    auto select = other.prepare("SELECT count(*) FROM access_tokens").value();
    select.step().value();
    return select.integer(0);
  };
  accounts_.poll().value();
  EXPECT_EQ(1, rows());
  clock_.advance(30min);
  accounts_.poll().value();
  EXPECT_EQ(0, rows());
}

TEST_F(AccountsTest, AClockThatJumpsEndsNoSession) {
  const base::Id user = store_.find_user("ann")->id;
  const std::string token = store_.create_session(user, "http://a/", "192.0.2.1").value().refresh_token;
  accounts_.poll().value();
  const base::Timestamp before = clock_.now();
  for (int i = 0; i < 2; ++i) {
    clock_.set(before + std::chrono::days(3650));
    clock_.advance(Accounts::kPurgeInterval);
    accounts_.poll().value();
    clock_.set(before);
    clock_.advance(Accounts::kPurgeInterval);
    accounts_.poll().value();
  }
  EXPECT_TRUE(store_.refresh_session(token, "http://a/", "192.0.2.1"));
}

}  // namespace
}  // namespace hearth::auth
