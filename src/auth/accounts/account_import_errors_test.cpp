// SPDX-License-Identifier: Apache-2.0
// Accounts that are refused.
#include "auth/accounts/test_account_import.h"

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;
using base::ErrorCode;

TEST_F(AccountImportTest, SaysWhatIsWrongWithAUser) {
  const auto with = [&](auto change) {
    ImportedUser user = ann();
    change(user);
    return refused(ErrorCode::invalid, user);
  };
  const std::string id = "A user's id: expected an id of 32 hexadecimal digits in lower case.";
  for (const std::string& wrong : {std::string(), std::string(31, 'a'), std::string(33, 'a'), id_of('A'), id_of('g')}) {
    EXPECT_EQ(id, with([&](auto& user) { user.id = wrong; })) << wrong;
  }
  EXPECT_EQ("A user name has 1 to 64 characters.", with([](auto& user) { user.name = ""; }));
  EXPECT_EQ("A user name must be UTF-8 text.", with([](auto& user) { user.name = "\xFF"; }));
  EXPECT_EQ("A display name has no control characters.", with([](auto& user) { user.display_name = "a\nb"; }));
  EXPECT_EQ("Ann is an administrator, who may do everything, and has no rights of a part.",
            with([](auto& user) { user.policy = std::make_shared<const core::Policy>(); }));
  EXPECT_EQ("The password of Ann: A bcrypt hash of cost 15: 4 to 14 are taken.",
            with([](auto& user) { user.bcrypt->replace(4, 2, "15"); }));
  EXPECT_EQ("The password of Ann: A password from elsewhere is a bcrypt hash: it begins with $2a$, $2b$ or $2y$.",
            with([](auto& user) { user.bcrypt = "small lamps"; }));
  EXPECT_EQ(0, rows("users"));

  add(ann()).value();
  EXPECT_EQ("There is a user of the id " + id_of('a') + " already.", refused(ErrorCode::conflict, ann()));
  ImportedUser same = ann();
  same.id = id_of('b');
  same.name = "ANN";
  EXPECT_EQ("There is a user named ANN already.", refused(ErrorCode::conflict, same));
}

TEST_F(AccountImportTest, SaysWhatIsWrongWithAToken) {
  add(ann()).value();
  const auto with = [&](auto change, ErrorCode code = ErrorCode::invalid) {
    ImportedToken token = panel();
    change(token);
    return refused(code, token);
  };
  EXPECT_EQ("A token's name has 1 to 64 characters.", with([](auto& token) { token.name = std::string(65, 'x'); }));
  EXPECT_EQ("The token Wall panel: expected an id of 32 hexadecimal digits in lower case.",
            with([](auto& token) { token.id = "1"; }));
  EXPECT_EQ("The token Wall panel: there is no user of the id " + id_of('9') + ".",
            with([](auto& token) { token.user_id = id_of('9'); }, ErrorCode::not_found));
  EXPECT_EQ("The token Wall panel: it ends before it was created.",
            with([](auto& token) { token.expires_at = token.created_at; }));
  EXPECT_EQ("A token's icon has 1 to 64 characters.", with([](auto& token) { token.icon = ""; }));
  EXPECT_EQ("The token Wall panel: it has the address of its last use, but not the time.",
            with([](auto& token) { token.used_from = "192.0.2.1"; }));
  EXPECT_EQ("The token Wall panel: expected the address of its last use, or none.", with([](auto& token) {
              token.used_at = token.created_at;
              token.used_from = "192.0.2";
            }));
  EXPECT_EQ("The token Wall panel: expected 1 to 8 hashes, not 0.", with([](auto& token) { token.hashes.clear(); }));
  EXPECT_EQ("The token Wall panel: expected 1 to 8 hashes, not 9.", with([](auto& token) {
              for (int i = 6; i < 9; ++i) token.hashes.push_back(hash_token(text(i)));
            }));
  EXPECT_EQ("The token Wall panel: two of its hashes are equal.",
            with([](auto& token) { token.hashes.push_back(token.hashes.front()); }));
  EXPECT_EQ(0, rows("tokens"));

  add(panel()).value();
  add(browser()).value();
  const auto other = [&](auto change) {
    return with(
        [&](auto& token) {
          token = {.id = id_of('3'),
                   .user_id = id_of('a'),
                   .name = "Other",
                   .hashes = {hash_token("other")},
                   .created_at = clock_.now()};
          change(token);
        },
        ErrorCode::conflict);
  };
  EXPECT_EQ("The token Other: the id " + id_of('1') + " is in use already.",
            other([](auto& token) { token.id = id_of('1'); }));
  EXPECT_EQ("The token Other: the id " + id_of('2') + " is in use already.",
            other([](auto& token) { token.id = id_of('2'); }));
  EXPECT_EQ("The token Wall panel: its user has one of this name already.",
            other([](auto& token) { token.name = "Wall panel"; }));
  for (const int i : {0, 5}) {
    EXPECT_EQ("The token Other: another token has one of its hashes.",
              other([&](auto& token) { token.hashes.push_back(hash_token(text(i))); }));
  }
  EXPECT_EQ("added", other([](auto& token) {
              token.hashes.clear();
              for (int i = 10; i < 18; ++i) token.hashes.push_back(hash_token(text(i)));
            }));
}

TEST_F(AccountImportTest, SaysWhatIsWrongWithASession) {
  add(ann()).value();
  const auto with = [&](auto change, ErrorCode code = ErrorCode::invalid) {
    ImportedSession session = browser();
    change(session);
    return refused(code, session);
  };
  EXPECT_EQ("A session's id: expected an id of 32 hexadecimal digits in lower case.",
            with([](auto& session) { session.id = "secret"; }));
  const std::string what = "The session " + id_of('2') + ": ";
  EXPECT_EQ(what + "there is no user of the id " + id_of('9') + ".",
            with([](auto& session) { session.user_id = id_of('9'); }, ErrorCode::not_found));
  EXPECT_EQ(what + "it ends before it was created.",
            with([](auto& session) { session.expires_at = session.created_at - 1s; }));
  EXPECT_EQ(what + "expected the address of its last use, or none.",
            with([](auto& session) { session.used_from = "nowhere"; }));
  EXPECT_EQ(what + "Invalid client_id: it is missing.", with([](auto& session) { session.client_id = ""; }));
  EXPECT_EQ(0, rows("sessions"));

  add(browser()).value();
  EXPECT_EQ(what + "the id " + id_of('2') + " is in use already.", refused(ErrorCode::conflict, browser()));
  EXPECT_EQ("The session " + id_of('3') + ": another one has its refresh token.",
            with([](auto& session) { session.id = id_of('3'); }, ErrorCode::conflict));
}

}  // namespace
}  // namespace hearth::auth
