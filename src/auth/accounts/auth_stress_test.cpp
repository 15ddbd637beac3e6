// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "auth/accounts/account_store.h"
#include "auth/accounts/accounts.h"
#include "auth/login_throttle.h"
#include "base/testing/wait_until.h"
#include "storage/temporary_folder.h"

namespace hearth::auth {
namespace {

TEST(Authenticator, AnswersWhileItsTableIsReplaced) {
  const base::SystemClock clock;
  Authenticator authenticator(clock);
  const std::string kept = make_token(), changing = make_token();
  const auto user = std::make_shared<const User>(User{"u", "ann", Role::user, true, clock.now()});
  const KnownToken first{hash_token(kept), {user, "kept", {}}}, second{hash_token(changing), {user, "changing", {}}};
  authenticator.publish({.tokens = {first}});

  std::atomic<bool> done{false};
  std::atomic<int> lost{0}, wrong{0}, noted{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!done) {
        const auto identity = authenticator.authenticate(kept);
        if (!identity || !authenticator.still_valid(*identity)) {
          ++lost;
          continue;
        }
        if (identity->token_id != "kept") ++wrong;
        authenticator.note_use(*identity, boost::asio::ip::make_address("192.0.2.1"));
        if (const auto other = authenticator.authenticate(changing); other && other->token_id != "changing") ++wrong;
      }
    });
  }
  threads.emplace_back([&] {
    while (!done) {
      auto uses = authenticator.drain_uses();
      noted += static_cast<int>(uses.size());
      authenticator.put_back_uses(std::move(uses));
    }
  });
  for (int i = 0; i < 2'000; ++i) {
    authenticator.publish({.tokens = {first, second}});
    if (!authenticator.authenticate(changing)) ++lost;
    authenticator.publish({.tokens = {first}});
    if (authenticator.authenticate(changing)) ++wrong;
  }
  // A loaded machine may not have run the other threads yet.
  base::wait_until([&] { return noted != 0; });
  done = true;
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(0, lost);
  EXPECT_EQ(0, wrong);
}

TEST(Accounts, PublishesChangesMadeWhileItRuns) {
  storage::TemporaryFolder folder;
  const base::SystemClock clock;
  auto accounts = AccountStore::open(folder / "home.db", clock).value();
  accounts.add_user("ann", Role::user, "small lamps").value();
  Authenticator authenticator(clock);
  Accounts running(authenticator, clock);
  running.open(folder / "home.db").value();
  std::atomic<int> changes{0};
  running.on_change([&] { ++changes; });
  running.start().value();

  std::string token;
  for (int i = 0; i < 3; ++i) {
    token = accounts.create_token("ann", "phone").value();
    base::wait_until([&] { return authenticator.authenticate(token); });
    authenticator.note_use(*authenticator.authenticate(token), boost::asio::ip::make_address("192.0.2.1"));
    accounts.revoke_token("ann", "phone").value();
    base::wait_until([&] { return !authenticator.authenticate(token); });
  }
  running.stop();
  EXPECT_GE(changes, 6);
}

TEST(Accounts, RunsTasksOfManyThreads) {
  storage::TemporaryFolder folder;
  const base::SystemClock clock;
  const base::Id user = AccountStore::open(folder / "home.db", clock)->add_user({"ann"})->id;
  Authenticator authenticator(clock);
  Accounts accounts(authenticator, clock);
  accounts.open(folder / "home.db").value();
  accounts.start().value();

  std::atomic<int> posted{0}, said{0}, unknown{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 40; ++k) {
        const std::chrono::milliseconds hold(k % 4 == 0 ? 2 : 0);
        const bool taken = accounts.post([&, hold](AccountStore& store) -> Accounts::Reply {
          auto issued = store.create_session(user, "http://a/", "192.0.2.1").value();
          return {[&, token = std::move(issued.access_token)] {
                    if (!authenticator.authenticate(token)) ++unknown;
                    ++said;
                  },
                  hold};
        });
        if (taken) ++posted;
        static_cast<void>(accounts.any_users());
      }
    });
  }
  for (auto& thread : threads) thread.join();
  base::wait_until([&] { return said >= posted; });
  accounts.stop();
  EXPECT_GT(posted, 0);
  EXPECT_EQ(posted, said);
  EXPECT_EQ(0, unknown);
}

TEST(Accounts, StopsWhileTasksArePosted) {
  storage::TemporaryFolder folder;
  const base::SystemClock clock;
  for (int round = 0; round < 10; ++round) {
    Authenticator authenticator(clock);
    Accounts accounts(authenticator, clock);
    accounts.open(folder / "home.db").value();
    accounts.start().value();
    std::atomic<int> ran{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&] {
        while (accounts.post([&](AccountStore&) -> Accounts::Reply { return {[&] { ++ran; }}; }) || ran == 0) {
          std::this_thread::yield();
        }
      });
    }
    base::wait_until([&] { return ran != 0; });
    accounts.stop();
    for (auto& thread : threads) thread.join();
  }
}

TEST(AccountStore, MakesOneFirstAdministratorOfMany) {
  storage::TemporaryFolder folder;
  const base::SystemClock clock;
  AccountStore::open(folder / "home.db", clock).value();
  std::atomic<int> made{0}, refused{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      auto store = AccountStore::open(folder / "home.db", clock).value();
      const auto user = store.add_first_administrator({"user" + std::to_string(i), {}, Role::user, "small lamps"});
      if (user) ++made;
      if (!user && user.error().code == base::ErrorCode::forbidden) ++refused;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(1, made);
  EXPECT_EQ(3, refused);
  EXPECT_EQ(1u, AccountStore::open(folder / "home.db", clock)->users()->size());
}

TEST(LoginThrottle, EndsEveryAttemptOfManyThreads) {
  const base::ManualClock clock;
  LoginThrottle throttle(clock);
  const Address shared = boost::asio::ip::make_address("192.0.2.1");
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 200; ++k) {
        if (auto attempt = throttle.begin(shared, "ann"); attempt && k % 2 == 0) attempt->succeeded();
        if (auto attempt = throttle.begin(boost::asio::ip::make_address("198.51.100." + std::to_string(k)), "bob"))
          attempt->failed();
        throttle.know("ann", boost::asio::ip::make_address("203.0.113." + std::to_string(i)));
        if (k % 50 == 0) static_cast<void>(throttle.list());
      }
    });
  }
  for (auto& thread : threads) thread.join();
  // No attempt is left open: all ten are possible again.
  std::vector<LoginThrottle::Attempt> attempts;
  for (std::size_t i = 0; i < LoginThrottle::kMaxFailures; ++i)
    attempts.push_back(throttle.begin(shared, "ann").value());
  EXPECT_FALSE(throttle.begin(shared, "ann"));
}

TEST(LoginThrottle, CountsEveryFailureOfManyThreads) {
  const base::ManualClock clock;
  for (int round = 0; round < 50; ++round) {
    LoginThrottle throttle(clock);
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&, i] {
        const Address shared = boost::asio::ip::make_address("192.0.2.1");
        const Address own = boost::asio::ip::make_address("198.51.100." + std::to_string(i));
        for (int k = 0; k < 3; ++k) {
          throttle.failed(shared);
          throttle.failed(own);
          throttle.succeeded(own);
          static_cast<void>(throttle.banned(own));
          static_cast<void>(throttle.list());
          throttle.clear_address("203.0.113.1");
        }
      });
    }
    for (auto& thread : threads) thread.join();
    const Address shared = boost::asio::ip::make_address("192.0.2.1");
    EXPECT_FALSE(throttle.banned(shared));
    throttle.failed(shared);
    EXPECT_TRUE(throttle.banned(shared));
    EXPECT_EQ(1u, throttle.list().size());
  }
}

}  // namespace
}  // namespace hearth::auth
