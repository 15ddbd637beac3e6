// SPDX-License-Identifier: Apache-2.0
#include "auth/accounts/account_loader.h"

#include <gtest/gtest.h>

#include <random>
#include <span>

#include "auth/accounts/account_schema.h"
#include "auth/accounts/account_store.h"
#include "auth/authenticator.h"
#include "storage/migrate.h"
#include "storage/temporary_folder.h"

namespace hearth::auth {
namespace {

constexpr std::string_view kPhone = "http://phone.example/";

class AccountLoaderTest : public testing::Test {
 protected:
  KnownAccounts load() { return loader_.load_if_changed().value().value(); }
  IssuedTokens log_in(const User& user) { return store_.create_session(user.id, kPhone, "192.0.2.1").value(); }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  AccountStore store_ = AccountStore::open(folder_ / "home.db", clock_).value();
  const User ann_ = store_.add_user({"ann"}).value();
  AccountLoader loader_ = AccountLoader::open(folder_ / "home.db").value();
};

TEST_F(AccountLoaderTest, ReadsOnlyTheTokensThatChanged) {
  for (int i = 0; i < 100; ++i) store_.create_token("ann", "token " + std::to_string(i)).value();
  EXPECT_EQ(100u, load().tokens.size());
  const std::string text = store_.create_token("ann", "one more").value();
  const auto made = load();
  EXPECT_FALSE(made.everything);
  ASSERT_EQ(1u, made.tokens.size());
  EXPECT_EQ(hash_token(text), made.tokens[0].hash);
  EXPECT_EQ(std::vector<std::string>{made.tokens[0].identity.token_id}, made.ids);

  store_.revoke_token("ann", "one more").value();
  const auto gone = load();
  EXPECT_FALSE(gone.everything);
  EXPECT_EQ(made.ids, gone.ids);
  EXPECT_TRUE(gone.tokens.empty());
  EXPECT_EQ(std::nullopt, loader_.load_if_changed().value());
}

TEST_F(AccountLoaderTest, ReadsOnlyTheSessionThatWasRefreshed) {
  const auto first = log_in(ann_), second = log_in(ann_);
  load();
  store_.refresh_session(first.refresh_token, kPhone, "192.0.2.1").value();
  const auto changed = load();
  EXPECT_EQ(std::vector<std::string>{first.session_id}, changed.ids);
  EXPECT_EQ(2u, changed.tokens.size());
  EXPECT_EQ(1u, changed.sessions.size());
  ASSERT_EQ(1u, changed.refresh_tokens.size());
  EXPECT_EQ(hash_token(first.refresh_token), changed.refresh_tokens[0].hash);
}

TEST_F(AccountLoaderTest, ReadsEverythingIfAUserChangedOrTooMuchHappened) {
  store_.create_token("ann", "phone").value();
  load();
  store_.set_role("ann", Role::reader).value();
  EXPECT_TRUE(load().everything);
  auto database = storage::Database::open(folder_ / "home.db").value();
  database
      .execute(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001) "
          "INSERT INTO account_changes(kind, id) SELECT 'token', i FROM n")
      .value();
  const auto known = load();
  EXPECT_TRUE(known.everything);
  EXPECT_EQ(1u, known.tokens.size());
  auto count = database.prepare("SELECT count(*) FROM account_changes").value();
  count.step().value();
  EXPECT_EQ(1'000, count.integer(0));
}

TEST_F(AccountLoaderTest, KnowsRefreshTokensOfInactiveUsersToo) {
  const auto session = log_in(ann_);
  store_.set_active("ann", false).value();
  const auto known = load();
  EXPECT_TRUE(known.sessions.empty());
  EXPECT_TRUE(known.tokens.empty());
  ASSERT_EQ(1u, known.refresh_tokens.size());
  EXPECT_EQ(hash_token(session.refresh_token), known.refresh_tokens[0].hash);
}

TEST_F(AccountLoaderTest, GivesTheSameStepByStepAndAtOnce) {
  Authenticator by_steps(clock_), at_once(clock_);
  std::vector<User> users{ann_};
  std::vector<std::string> texts, names, refresh;
  std::minstd_rand random(7);
  const auto any = [&](const auto& list) -> const auto& { return list[random() % list.size()]; };
  for (int i = 0; i < 300; ++i) {
    switch (random() % 8) {
      case 0:
        users.push_back(store_.add_user({"user" + std::to_string(i)}).value());
        break;
      case 1:
        static_cast<void>(store_.set_active(any(users).name, random() % 3 != 0));
        break;
      case 2:
        if (!names.empty()) static_cast<void>(store_.revoke_token(any(users).name, any(names)));
        break;
      case 3:
        if (!refresh.empty()) store_.end_session(any(refresh)).value();
        break;
      case 4:
        if (auto issued = store_.create_session(any(users).id, kPhone, "192.0.2.1")) {
          texts.push_back(issued->access_token);
          refresh.push_back(issued->refresh_token);
        }
        break;
      case 5:
        if (refresh.empty()) break;
        if (auto issued = store_.refresh_session(any(refresh), kPhone, "192.0.2.1"))
          texts.push_back(issued->access_token);
        break;
      case 6:
        clock_.advance(std::chrono::minutes(random() % 10));
        store_.purge_expired().value();
        break;
      default:
        names.push_back("token" + std::to_string(i));
        texts.push_back(store_.create_token(any(users).name, names.back()).value());
    }
    if (random() % 3 == 0) continue;
    if (auto changed = loader_.load_if_changed().value()) by_steps.publish(std::move(*changed));
    at_once.publish(AccountLoader::open(folder_ / "home.db")->load_if_changed().value().value());
    for (const std::string& text : texts) {
      const auto expected = at_once.authenticate(text), got = by_steps.authenticate(text);
      ASSERT_EQ(expected == nullptr, got == nullptr) << i;
      if (!expected) continue;
      EXPECT_EQ(expected->token_id, got->token_id);
      EXPECT_EQ(expected->user->id, got->user->id);
      EXPECT_EQ(expected->expires_at, got->expires_at);
      EXPECT_TRUE(by_steps.still_valid(*expected));
    }
    for (const std::string& text : refresh) {
      ASSERT_EQ(at_once.knows_refresh_token(text), by_steps.knows_refresh_token(text)) << i;
    }
  }
}

TEST_F(AccountLoaderTest, SeesChangesInAHomeOfAnEarlierSchema) {
  const auto file = folder_ / "earlier.db";
  {
    auto database = storage::Database::open(file).value();
    storage::migrate(database, "auth", std::span(kAccountSteps).first(3)).value();
    database.execute("INSERT INTO users VALUES('1', 'ann', 'ann', 'user', 1, '', 0, 'Ann')").value();
  }
  auto store = AccountStore::open(file, clock_).value();
  auto loader = AccountLoader::open(file).value();
  EXPECT_TRUE(loader.load_if_changed()->value().any_users);
  EXPECT_EQ(std::nullopt, loader.load_if_changed().value());
  store.create_token("ann", "phone").value();
  EXPECT_EQ(1u, loader.load_if_changed()->value().tokens.size());
}

}  // namespace
}  // namespace hearth::auth
