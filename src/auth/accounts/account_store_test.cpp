// SPDX-License-Identifier: Apache-2.0
#include "auth/accounts/account_store.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "storage/temporary_folder.h"

namespace hearth::auth {
namespace {

using base::ErrorCode;

class AccountStoreTest : public testing::Test {
 protected:
  template <class T>
  static std::string message(const base::Result<T>& result) {
    return result ? "done" : result.error().message;
  }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  AccountStore accounts_ = AccountStore::open(folder_ / "home.db", clock_).value();
};

TEST_F(AccountStoreTest, KeepsWhatWasAdded) {
  const User ann = accounts_.add_user("Ann", Role::administrator, "small lamps").value();
  EXPECT_EQ(32u, ann.id.str().size());
  auto again = AccountStore::open(folder_ / "home.db", clock_).value();
  const User found = again.find_user("ann").value();
  EXPECT_EQ(ann.id, found.id);
  EXPECT_EQ("Ann", found.name);
  EXPECT_EQ(Role::administrator, found.role);
  EXPECT_TRUE(found.active);
  EXPECT_EQ(clock_.now(), found.created_at);
}

TEST_F(AccountStoreTest, ListsUsersByName) {
  for (const auto name : {"bob", "Ann", "cleo"}) accounts_.add_user(name, Role::user, "small lamps").value();
  std::vector<std::string> names;
  for (const auto users = accounts_.users().value(); const auto& user : users) names.push_back(user.name);
  EXPECT_EQ((std::vector<std::string>{"Ann", "bob", "cleo"}), names);
}

TEST_F(AccountStoreTest, RefusesANameThatDiffersOnlyInCase) {
  accounts_.add_user("Zoë", Role::user, "small lamps").value();
  const auto again = accounts_.add_user("ZOË", Role::user, "small lamps");
  ASSERT_FALSE(again);
  EXPECT_EQ(ErrorCode::conflict, again.error().code);
  EXPECT_EQ("There is a user named Zoë already.", again.error().message);
}

TEST_F(AccountStoreTest, RefusesBadNamesAndShortPasswords) {
  EXPECT_EQ("A user name has 1 to 64 characters.", message(accounts_.add_user("", Role::user, "small lamps")));
  EXPECT_EQ("A user name has no control characters.", message(accounts_.find_user("a\nb")));
  EXPECT_EQ("A password has at least 8 characters.", message(accounts_.add_user("ann", Role::user, "")));
  EXPECT_TRUE(accounts_.users().value().empty());
}

TEST_F(AccountStoreTest, FailsWithNotFoundForAnUnknownUser) {
  const std::string expected = "There is no user named ann.";
  EXPECT_EQ(ErrorCode::not_found, accounts_.find_user("ann").error().code);
  EXPECT_EQ(expected, message(accounts_.find_user("ann")));
  EXPECT_EQ(expected, message(accounts_.set_password("ann", "small lamps")));
  EXPECT_EQ(expected, message(accounts_.set_role("ann", Role::user)));
  EXPECT_EQ(expected, message(accounts_.set_active("ann", true)));
  EXPECT_EQ(expected, message(accounts_.create_token("ann", "phone")));
  EXPECT_EQ(expected, message(accounts_.tokens("ann")));
  EXPECT_EQ(expected, message(accounts_.revoke_token("ann", "phone")));
}

TEST_F(AccountStoreTest, ChangesRoleAndActivity) {
  accounts_.add_user("ann", Role::user, "small lamps").value();
  accounts_.set_role("ANN", Role::reader).value();
  accounts_.set_active("ann", false).value();
  EXPECT_EQ(Role::reader, accounts_.find_user("ann")->role);
  EXPECT_FALSE(accounts_.find_user("ann")->active);
  accounts_.set_active("ann", true).value();
  EXPECT_TRUE(accounts_.find_user("ann")->active);
}

TEST_F(AccountStoreTest, VerifiesThePasswordLastSet) {
  accounts_.add_user("ann", Role::user, "old lamps").value();
  EXPECT_EQ("ann", accounts_.verify_password("Ann", "old lamps")->name);
  accounts_.set_password("ann", "new lamps").value();
  EXPECT_FALSE(accounts_.verify_password("ann", "old lamps"));
  EXPECT_TRUE(accounts_.verify_password("ann", "new lamps"));
}

TEST_F(AccountStoreTest, DoesNotRevealWhyALoginFailed) {
  accounts_.add_user("ann", Role::user, "small lamps").value();
  accounts_.add_user("bob", Role::user, "small lamps").value();
  accounts_.set_active("bob", false).value();
  const auto wrong = accounts_.verify_password("ann", "guess");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(ErrorCode::unauthorized, wrong.error().code);
  for (const auto& [name, password] : {std::pair("bob", "small lamps"), std::pair("nobody", "small lamps"),
                                       std::pair("a\nb", "small lamps"), std::pair("", "small lamps")}) {
    const auto other = accounts_.verify_password(name, password);
    ASSERT_FALSE(other) << name;
    EXPECT_EQ(wrong.error().code, other.error().code);
    EXPECT_EQ(wrong.error().message, other.error().message);
  }
}

TEST_F(AccountStoreTest, GivesTokensTenYearsOrWhatWasAsked) {
  using std::chrono::days;
  accounts_.add_user("ann", Role::user, "small lamps").value();
  accounts_.create_token("ann", "a default").value();
  accounts_.create_token("ann", "b days", days(7)).value();
  accounts_.create_token("ann", "c never", std::nullopt).value();
  const auto tokens = accounts_.tokens("ann").value();
  ASSERT_EQ(3u, tokens.size());
  EXPECT_EQ(clock_.now() + days(3650), tokens[0].expires_at);
  EXPECT_EQ(clock_.now() + days(7), tokens[1].expires_at);
  EXPECT_EQ(std::nullopt, tokens[2].expires_at);
  EXPECT_EQ(clock_.now(), tokens[0].created_at);
  EXPECT_EQ(std::nullopt, tokens[0].used_at);
  EXPECT_EQ("", tokens[0].used_from);
}

TEST_F(AccountStoreTest, RefusesLifetimesThatAreTooLong) {
  accounts_.add_user("ann", Role::user, "small lamps").value();
  for (const std::int64_t count : {-1, 0, 1'000'001}) {
    EXPECT_EQ("A token lives for 1 to 1000000 days, or for ever.",
              message(accounts_.create_token("ann", "phone", std::chrono::days(count))));
  }
}

TEST_F(AccountStoreTest, KeepsTokenNamesUniquePerUser) {
  accounts_.add_user("ann", Role::user, "small lamps").value();
  accounts_.add_user("bob", Role::user, "small lamps").value();
  accounts_.create_token("ann", "phone").value();
  accounts_.create_token("bob", "phone").value();
  const auto again = accounts_.create_token("Ann", "phone");
  ASSERT_FALSE(again);
  EXPECT_EQ(ErrorCode::conflict, again.error().code);
  EXPECT_EQ("ann has a token named phone already; revoke it first.", again.error().message);
}

TEST_F(AccountStoreTest, RevokesATokenOnce) {
  accounts_.add_user("ann", Role::user, "small lamps").value();
  accounts_.create_token("ann", "phone").value();
  accounts_.revoke_token("ann", "phone").value();
  EXPECT_TRUE(accounts_.tokens("ann")->empty());
  EXPECT_EQ("ann has no token named phone.", message(accounts_.revoke_token("ann", "phone")));
  accounts_.create_token("ann", "phone").value();
}

TEST_F(AccountStoreTest, KeepsNoTokenAndNoPasswordInTheFile) {
  std::string token;
  {
    auto accounts = AccountStore::open(folder_ / "other.db", clock_).value();
    accounts.add_user("ann", Role::user, "tell-nobody").value();
    token = accounts.create_token("ann", "phone").value();
  }
  std::ifstream file(folder_ / "other.db", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(std::string::npos, bytes.find("phone"));
  EXPECT_EQ(std::string::npos, bytes.find(token));
  EXPECT_EQ(std::string::npos, bytes.find("tell-nobody"));
}

}  // namespace
}  // namespace hearth::auth
