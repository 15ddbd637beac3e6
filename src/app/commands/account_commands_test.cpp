// SPDX-License-Identifier: Apache-2.0
#include "app/commands/account_commands.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "auth/accounts/account_store.h"
#include "storage/temporary_folder.h"

namespace hearth::app {
namespace {

class AccountCommandsTest : public testing::Test {
 protected:
  // Runs a command line with the configuration folder added to it.
  int run(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.end(), {"--config", folder().string()});
    return run_as_is(std::move(arguments), input);
  }
  int run_as_is(std::vector<std::string> arguments, const std::string& input = "") {
    std::istringstream in(input);
    std::ostringstream out, err;
    CommandContext context{in, out, err, clock_, [this](const std::string& question) { return answer(question); },
                           {}, {}};
    CLI::App app("Hearth", "hearth");
    add_account_commands(app, context);
    const int code = run_command_line(app, context, std::move(arguments));
    out_ = out.str();
    err_ = err.str();
    return code;
  }
  base::Result<std::string> answer(const std::string& question) {
    questions_ += question;
    if (answers_.empty()) return base::fail(base::ErrorCode::invalid, "No password was given.");
    std::string next = answers_.front();
    answers_.erase(answers_.begin());
    return next;
  }
  void expect_failure(std::vector<std::string> arguments, const std::string& line) {
    EXPECT_NE(0, run(std::move(arguments)));
    EXPECT_EQ("hearth: " + line + "\n", err_);
    EXPECT_EQ("", out_);
  }

  std::filesystem::path folder() const { return temporary_ / "hearth"; }
  auth::AccountStore accounts() const { return auth::AccountStore::open(folder() / "home.db", clock_).value(); }

  storage::TemporaryFolder temporary_;
  base::ManualClock clock_;
  std::vector<std::string> answers_;
  std::string out_, err_, questions_;
};

TEST_F(AccountCommandsTest, AddsAUserWithThePasswordFromStandardInput) {
  EXPECT_EQ(0, run({"user", "add", "ann", "--password-stdin"}, "small lamps\r\nmore\n"));
  EXPECT_EQ("Added ann (user).\n", out_);
  EXPECT_EQ("", err_);
  EXPECT_EQ(auth::Role::user, accounts().verify_password("ann", "small lamps")->role);
}

TEST_F(AccountCommandsTest, AddsAdministratorsAndReaders) {
  EXPECT_EQ(0, run({"user", "add", "ann", "--admin", "--password-stdin"}, "small lamps"));
  EXPECT_EQ(0, run({"user", "add", "wall", "--read-only", "--password-stdin"}, "small lamps"));
  EXPECT_EQ(auth::Role::administrator, accounts().find_user("ann")->role);
  EXPECT_EQ(auth::Role::reader, accounts().find_user("wall")->role);
  EXPECT_EQ(2, run({"user", "add", "bob", "--admin", "--read-only", "--password-stdin"}, "small lamps"));
}

TEST_F(AccountCommandsTest, AsksTwiceForThePassword) {
  answers_ = {"small lamps", "small lamps"};
  EXPECT_EQ(0, run({"user", "add", "ann"}));
  EXPECT_EQ("Password for ann: Once more: ", questions_);
  EXPECT_TRUE(accounts().verify_password("ann", "small lamps"));

  answers_ = {"lamps"};
  expect_failure({"user", "add", "bob"}, "A password has at least 8 characters.");
  answers_ = {"small lamps", "sceret"};
  expect_failure({"user", "add", "bob"}, "The two passwords differ.");
  expect_failure({"user", "add", "bob"}, "No password was given.");
}

TEST_F(AccountCommandsTest, ChangesAPassword) {
  ASSERT_EQ(0, run({"user", "add", "ann", "--password-stdin"}, "old lamps"));
  EXPECT_EQ(0, run({"user", "passwd", "ann", "--password-stdin"}, "new lamps\n"));
  EXPECT_TRUE(accounts().verify_password("ann", "new lamps"));
  expect_failure({"user", "passwd", "bob"}, "There is no user named bob.");
  EXPECT_EQ("", questions_);
}

TEST_F(AccountCommandsTest, RevokesTheTokensWithAChangedPasswordIfAsked) {
  ASSERT_EQ(0, run({"user", "add", "ann", "--password-stdin"}, "old lamps"));
  ASSERT_EQ(0, run({"token", "create", "--user", "ann", "--name", "phone"}));
  EXPECT_EQ(0, run({"user", "passwd", "ann", "--password-stdin"}, "new lamps"));
  EXPECT_EQ(1u, accounts().tokens("ann")->size());
  EXPECT_EQ(0, run({"user", "passwd", "ann", "--password-stdin", "--revoke-tokens"}, "new lamps"));
  EXPECT_TRUE(accounts().tokens("ann")->empty());
}

TEST_F(AccountCommandsTest, RefusesAnEmptyOrTooLongPassword) {
  EXPECT_EQ(1, run({"user", "add", "ann", "--password-stdin"}, ""));
  EXPECT_EQ("hearth: A password has at least 8 characters.\n", err_);
  EXPECT_EQ(1, run({"user", "add", "ann", "--password-stdin"}, std::string(100'000, 'a')));
  EXPECT_EQ("hearth: The password is too long.\n", err_);
}

TEST_F(AccountCommandsTest, ListsUsersInColumns) {
  ASSERT_EQ(0, run({"user", "add", "ann", "--admin", "--password-stdin"}, "small lamps"));
  ASSERT_EQ(0, run({"user", "add", "Zoë", "--password-stdin"}, "small lamps"));
  ASSERT_EQ(0, run({"user", "deactivate", "zoë"}));
  EXPECT_EQ(0, run({"user", "list"}));
  EXPECT_EQ(
      "NAME  ROLE           ACTIVE  CREATED (UTC)\n"
      "ann   administrator  yes     2026-11-21 00:00\n"
      "Zoë   user           no      2026-11-21 00:00\n",
      out_);
}

TEST_F(AccountCommandsTest, ActivatesAndDeactivates) {
  ASSERT_EQ(0, run({"user", "add", "ann", "--password-stdin"}, "small lamps"));
  EXPECT_EQ(0, run({"user", "deactivate", "ann"}));
  EXPECT_FALSE(accounts().find_user("ann")->active);
  EXPECT_EQ(0, run({"user", "activate", "ann"}));
  EXPECT_TRUE(accounts().find_user("ann")->active);
  expect_failure({"user", "activate", "bob"}, "There is no user named bob.");
}

TEST_F(AccountCommandsTest, RemovesASecondFactor) {
  ASSERT_EQ(0, run({"user", "add", "ann", "--password-stdin"}, "small lamps"));
  expect_failure({"user", "reset-mfa", "ann"}, "This user has neither an authenticator app nor a passkey.");
  accounts().set_totp(accounts().find_user("ann")->id, "12345678901234567890", 0).value();
  EXPECT_EQ(0, run({"user", "reset-mfa", "ann"}));
  EXPECT_FALSE(accounts().find_user("ann")->has_totp);
  expect_failure({"user", "reset-mfa", "bob"}, "There is no user named bob.");
}

TEST_F(AccountCommandsTest, ChangesARole) {
  ASSERT_EQ(0, run({"user", "add", "ann", "--admin", "--password-stdin"}, "small lamps"));
  EXPECT_EQ(0, run({"user", "role", "ann", "reader"}));
  EXPECT_EQ(auth::Role::reader, accounts().find_user("ann")->role);
  expect_failure({"user", "role", "ann", "king"},
                 "There is no role king; the roles are administrator, user and reader.");
}

TEST_F(AccountCommandsTest, PrintsATokenAloneOnStandardOutput) {
  ASSERT_EQ(0, run({"user", "add", "ann", "--password-stdin"}, "small lamps"));
  EXPECT_EQ(0, run({"token", "create", "--user", "ann", "--name", "phone"}));
  ASSERT_EQ(auth::kTokenLength + 1, out_.size());
  EXPECT_EQ('\n', out_.back());
  EXPECT_EQ("This token is shown only now.\n", err_);
  expect_failure({"token", "create", "--user", "ann", "--name", "phone"},
                 "ann has a token named phone already; revoke it first.");
  expect_failure({"token", "create", "--user", "bob", "--name", "phone"}, "There is no user named bob.");
}

TEST_F(AccountCommandsTest, GivesATokenTheRequestedLife) {
  using std::chrono::days;
  ASSERT_EQ(0, run({"user", "add", "ann", "--password-stdin"}, "small lamps"));
  ASSERT_EQ(0, run({"token", "create", "--user", "ann", "--name", "a"}));
  ASSERT_EQ(0, run({"token", "create", "--user", "ann", "--name", "b", "--days", "7"}));
  ASSERT_EQ(0, run({"token", "create", "--user", "ann", "--name", "c", "--never"}));
  const auto tokens = accounts().tokens("ann").value();
  EXPECT_EQ(clock_.now() + days(3650), tokens[0].expires_at);
  EXPECT_EQ(clock_.now() + days(7), tokens[1].expires_at);
  EXPECT_EQ(std::nullopt, tokens[2].expires_at);
  expect_failure({"token", "create", "--user", "ann", "--name", "d", "--days", "0"},
                 "--days takes 1 to 1000000; --never is for ever.");
  EXPECT_EQ(2, run({"token", "create", "--user", "ann", "--name", "d", "--days", "many"}));
  EXPECT_EQ(2, run({"token", "create", "--user", "ann", "--name", "d", "--days", "7", "--never"}));
}

TEST_F(AccountCommandsTest, ListsTokensInColumns) {
  ASSERT_EQ(0, run({"user", "add", "ann", "--password-stdin"}, "small lamps"));
  ASSERT_EQ(0, run({"token", "create", "--user", "ann", "--name", "guest", "--days", "1"}));
  ASSERT_EQ(0, run({"token", "create", "--user", "ann", "--name", "phone", "--never"}));
  ASSERT_EQ(0, run({"token", "create", "--user", "ann", "--name", "panel", "--scope", "control", "--areas", "hall,a",
                    "--domains", "light"}));
  clock_.advance(std::chrono::days(1));
  EXPECT_EQ(0, run({"token", "list", "--user", "ann"}));
  EXPECT_EQ(
      "NAME   SCOPES        RIGHTS                                CREATED (UTC)     EXPIRES (UTC)               "
      "LAST USED (UTC)  FROM\n"
      "guest  all           -                                     2026-11-21 00:00  2026-11-22 00:00 (expired)  never\n"
      "panel  read,control  {domains: [light], areas: [a, hall]}  2026-11-21 00:00  2036-11-18 00:00            never\n"
      "phone  all           -                                     2026-11-21 00:00  never                       "
      "never\n",
      out_);
}

TEST_F(AccountCommandsTest, RevokesAToken) {
  ASSERT_EQ(0, run({"user", "add", "ann", "--password-stdin"}, "small lamps"));
  ASSERT_EQ(0, run({"token", "create", "--user", "ann", "--name", "phone"}));
  EXPECT_EQ(0, run({"token", "revoke", "--user", "ann", "--name", "phone"}));
  EXPECT_TRUE(accounts().tokens("ann")->empty());
  expect_failure({"token", "revoke", "--user", "ann", "--name", "phone"}, "ann has no token named phone.");
}

TEST_F(AccountCommandsTest, ShowsHelpEverywhere) {
  const std::vector<std::vector<std::string>> commands{
      {"user"},           {"user", "add"},        {"user", "list"}, {"user", "passwd"},  {"user", "activate"},
      {"user", "role"},   {"user", "deactivate"}, {"token"},        {"token", "create"}, {"token", "list"},
      {"token", "revoke"}};
  for (auto command : commands) {
    command.push_back("--help");
    EXPECT_EQ(0, run_as_is(command)) << command.back();
    EXPECT_NE(std::string::npos, out_.find("--help")) << out_;
    EXPECT_TRUE(command.size() == 2 || out_.find("--config DIR") != std::string::npos) << out_;
    EXPECT_EQ("", err_);
  }
}

TEST_F(AccountCommandsTest, ReportsWrongArgumentsInOneLine) {
  const std::vector<std::vector<std::string>> wrong{{"user"},
                                                    {"user", "add"},
                                                    {"user", "ad", "ann"},
                                                    {"token"},
                                                    {"token", "list", "--user"},
                                                    {"token", "create", "--user", "ann"},
                                                    {"nonsense"},
                                                    {"user", "list", "--nonsense"}};
  for (const auto& arguments : wrong) {
    EXPECT_EQ(2, run_as_is(arguments)) << arguments.back();
    EXPECT_TRUE(err_.starts_with("hearth: ")) << err_;
    EXPECT_EQ(err_.size() - 1, err_.find('\n')) << err_;
    EXPECT_EQ("", out_);
  }
}

TEST_F(AccountCommandsTest, ReportsUnprintableArgumentsInOneLine) {
  EXPECT_EQ(1, run({"user", "role", "ann", "a\nb\x1B"}));
  EXPECT_EQ("hearth: There is no role a b ; the roles are administrator, user and reader.\n", err_);
}

TEST_F(AccountCommandsTest, NamesTheFileThatIsNoDatabase) {
  ASSERT_EQ(0, run({"user", "list"}));
  std::filesystem::remove(folder() / "home.db");
  std::ofstream(folder() / "home.db") << std::string(1'000, 'x');
  expect_failure({"user", "list"}, (folder() / "home.db").string() + " is not a database.");
}

}  // namespace
}  // namespace hearth::app
