// SPDX-License-Identifier: Apache-2.0
#include "auth/account_watcher.h"

#include <gtest/gtest.h>

#include <future>

#include "auth/account_store.h"
#include "storage/temporary_folder.h"

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;

class AccountWatcherTest : public testing::Test {
 protected:
  void SetUp() override {
    accounts_.add_user("ann", Role::user, "x").value();
    phone_ = accounts_.create_token("ann", "phone").value();
    watcher_->on_change([this] { ++changes_; });
    watcher_->poll().value();
    changes_ = 0;
  }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  AccountStore accounts_ = AccountStore::open(folder_ / "home.db", clock_).value();
  Authenticator authenticator_{clock_};
  std::unique_ptr<AccountWatcher> watcher_ = AccountWatcher::open(folder_ / "home.db", authenticator_, clock_).value();
  std::string phone_;
  int changes_ = 0;
};

TEST_F(AccountWatcherTest, PublishesWhatIsInTheFile) {
  const auto identity = authenticator_.authenticate(phone_);
  ASSERT_NE(nullptr, identity);
  EXPECT_EQ("ann", identity->user->name);
  EXPECT_EQ(accounts_.find_user("ann")->id, identity->user->id);
  EXPECT_EQ(accounts_.tokens("ann")->at(0).id, identity->token_id);
  EXPECT_EQ(clock_.now() + kDefaultTokenLife, identity->expires_at);
}

TEST_F(AccountWatcherTest, SeesATokenComeAndGo) {
  const std::string display = accounts_.create_token("ann", "display").value();
  EXPECT_EQ(nullptr, authenticator_.authenticate(display));
  watcher_->poll().value();
  EXPECT_NE(nullptr, authenticator_.authenticate(display));
  accounts_.revoke_token("ann", "display").value();
  watcher_->poll().value();
  EXPECT_EQ(nullptr, authenticator_.authenticate(display));
  EXPECT_NE(nullptr, authenticator_.authenticate(phone_));
  EXPECT_EQ(2, changes_);
}

TEST_F(AccountWatcherTest, SeesAUserGoInactiveAndComeBack) {
  const auto identity = authenticator_.authenticate(phone_);
  accounts_.set_active("ann", false).value();
  watcher_->poll().value();
  EXPECT_EQ(nullptr, authenticator_.authenticate(phone_));
  EXPECT_FALSE(authenticator_.still_valid(*identity));
  accounts_.set_active("ann", true).value();
  watcher_->poll().value();
  EXPECT_NE(nullptr, authenticator_.authenticate(phone_));
}

TEST_F(AccountWatcherTest, SeesARoleChange) {
  const auto identity = authenticator_.authenticate(phone_);
  accounts_.set_role("ann", Role::reader).value();
  watcher_->poll().value();
  EXPECT_FALSE(authenticator_.still_valid(*identity));
  EXPECT_EQ(Role::reader, authenticator_.authenticate(phone_)->user->role);
}

TEST_F(AccountWatcherTest, PublishesNothingWhereNoAccountChanged) {
  const auto version = authenticator_.version();
  watcher_->poll().value();
  // Other parts of the hub write to the same file all the time.
  auto other = storage::Database::open(folder_ / "home.db").value();
  other.execute("CREATE TABLE other(a)").value();
  watcher_->poll().value();
  accounts_.set_password("ann", "y").value();
  watcher_->poll().value();
  EXPECT_EQ(version, authenticator_.version());
  EXPECT_EQ(0, changes_);
}

TEST_F(AccountWatcherTest, WritesUsesOnceAMinuteAndDoesNotReloadForThem) {
  const auto version = authenticator_.version();
  const auto used_at = clock_.now();
  authenticator_.note_use(*authenticator_.authenticate(phone_), "192.0.2.1");
  watcher_->poll().value();
  EXPECT_EQ(std::nullopt, accounts_.tokens("ann")->at(0).used_at);
  clock_.advance(60s);
  watcher_->poll().value();
  EXPECT_EQ(used_at, accounts_.tokens("ann")->at(0).used_at);
  EXPECT_EQ("192.0.2.1", accounts_.tokens("ann")->at(0).used_from);

  authenticator_.note_use(*authenticator_.authenticate(phone_), "192.0.2.2");
  clock_.advance(60s);
  watcher_->poll().value();
  EXPECT_EQ("192.0.2.2", accounts_.tokens("ann")->at(0).used_from);
  watcher_->poll().value();
  EXPECT_EQ(version, authenticator_.version());
  EXPECT_EQ(0, changes_);
}

TEST_F(AccountWatcherTest, DropsUsesOfATokenRevokedMeanwhile) {
  authenticator_.note_use(*authenticator_.authenticate(phone_), "192.0.2.1");
  accounts_.revoke_token("ann", "phone").value();
  clock_.advance(60s);
  EXPECT_TRUE(watcher_->poll());
}

TEST_F(AccountWatcherTest, KeepsUsesThatCouldNotBeWritten) {
  authenticator_.note_use(*authenticator_.authenticate(phone_), "192.0.2.1");
  auto other = storage::Database::open(folder_ / "home.db").value();
  other.execute("ALTER TABLE token_uses RENAME TO away").value();
  clock_.advance(60s);
  EXPECT_FALSE(watcher_->poll());
  other.execute("ALTER TABLE away RENAME TO token_uses").value();
  clock_.advance(60s);
  watcher_->poll().value();
  EXPECT_EQ("192.0.2.1", accounts_.tokens("ann")->at(0).used_from);
}

TEST_F(AccountWatcherTest, CallsBackWhenATokenExpires) {
  accounts_.create_token("ann", "guest", std::chrono::days(1)).value();
  watcher_->poll().value();
  changes_ = 0;
  clock_.advance(std::chrono::days(1) - 1us);
  watcher_->poll().value();
  EXPECT_EQ(0, changes_);
  clock_.advance(1us);
  watcher_->poll().value();
  EXPECT_EQ(1, changes_);
  watcher_->poll().value();
  EXPECT_EQ(1, changes_);
}

TEST_F(AccountWatcherTest, CallsBackAfterItPublished) {
  std::string display;
  bool known = false;
  watcher_->on_change([&] { known = authenticator_.authenticate(display) != nullptr; });
  display = accounts_.create_token("ann", "display").value();
  watcher_->poll().value();
  EXPECT_TRUE(known);
}

TEST_F(AccountWatcherTest, LooksOnAThreadOfItsOwnAndWritesTheLastUsesAtStop) {
  std::promise<void> changed;
  bool first = true;
  watcher_->on_change([&] {
    if (std::exchange(first, false)) changed.set_value();
  });
  watcher_->start().value();
  authenticator_.note_use(*authenticator_.authenticate(phone_), "192.0.2.1");
  const std::string display = accounts_.create_token("ann", "display").value();
  changed.get_future().wait();
  EXPECT_NE(nullptr, authenticator_.authenticate(display));
  watcher_->stop();
  EXPECT_EQ("192.0.2.1", accounts_.tokens("ann")->at(1).used_from);
}

TEST_F(AccountWatcherTest, SaysThatTheDatabaseCannotBeRead) {
  auto other = storage::Database::open(folder_ / "home.db").value();
  other.execute("DROP TABLE account_revision").value();
  EXPECT_FALSE(watcher_->poll());
  EXPECT_FALSE(watcher_->start());
  EXPECT_NE(nullptr, authenticator_.authenticate(phone_));
}

}  // namespace
}  // namespace hearth::auth
