// SPDX-License-Identifier: Apache-2.0
#include "auth/authenticator.h"

#include <gtest/gtest.h>

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;

class AuthenticatorTest : public testing::Test {
 protected:
  KnownToken known(const std::string& text, const std::string& id, Role role = Role::user,
                   std::optional<base::Timestamp> expires_at = {}) const {
    return {hash_token(text),
            {std::make_shared<const User>(User{"u", "ann", role, true, clock_.now()}), id, expires_at}};
  }

  base::ManualClock clock_;
  Authenticator authenticator_{clock_};
  const std::string phone_ = make_token();
  const std::string display_ = make_token();
};

TEST_F(AuthenticatorTest, KnowsNobodyAtFirst) {
  EXPECT_EQ(nullptr, authenticator_.authenticate(phone_));
}

TEST_F(AuthenticatorTest, FindsTheUserOfAToken) {
  authenticator_.publish({.tokens = {known(phone_, "1"), known(display_, "2", Role::reader)}});
  const auto identity = authenticator_.authenticate(display_);
  ASSERT_NE(nullptr, identity);
  EXPECT_EQ("2", identity->token_id);
  EXPECT_EQ("ann", identity->user->name);
  EXPECT_EQ(Role::reader, identity->user->role);
}

TEST_F(AuthenticatorTest, RefusesTextThatIsNoToken) {
  const std::string long_text(kMaxTokenLength + 1, 'A');
  authenticator_.publish({.tokens = {known(phone_, "1"), known("", "2"), known(long_text, "3")}});
  EXPECT_EQ(nullptr, authenticator_.authenticate(display_));
  EXPECT_EQ(nullptr, authenticator_.authenticate(""));
  EXPECT_EQ(nullptr, authenticator_.authenticate(phone_.substr(1)));
  EXPECT_EQ(nullptr, authenticator_.authenticate(phone_ + "A"));
  EXPECT_EQ(nullptr, authenticator_.authenticate(long_text));
  std::string other = phone_;
  other.back() = other.back() == 'A' ? 'B' : 'A';
  EXPECT_EQ(nullptr, authenticator_.authenticate(other));
}

TEST_F(AuthenticatorTest, TellsTextsApartWhereverTheyDiffer) {
  // Of this hub's tokens, of those from elsewhere, and at the bounds of what a thread remembers.
  for (const std::size_t length : {std::size_t(1), std::size_t(31), std::size_t(32), std::size_t(33), kTokenLength,
                                   std::size_t(64), std::size_t(183), std::size_t(240), std::size_t(241)}) {
    const std::string text = length == kTokenLength ? phone_ : std::string(length, 'x');
    std::vector<std::string> texts{text};
    for (std::size_t i = 0; i < length; ++i) {
      texts.push_back(text);
      texts.back()[i] = text[i] == 'A' ? 'B' : 'A';
    }
    texts.emplace_back(length, '\0');
    KnownAccounts accounts;
    for (std::size_t i = 0; i < texts.size(); i += 2) accounts.tokens.push_back(known(texts[i], std::to_string(i)));
    authenticator_.publish(std::move(accounts));
    // Each after each other one, on one thread.
    for (std::size_t first = 0; first < texts.size(); ++first) {
      for (std::size_t i = 0; i < texts.size(); ++i) {
        authenticator_.authenticate(texts[first]);
        const auto identity = authenticator_.authenticate(texts[i]);
        ASSERT_EQ(identity ? identity->token_id : "", i % 2 == 0 ? std::to_string(i) : "")
            << length << " " << first << " " << i;
      }
    }
  }
}

TEST_F(AuthenticatorTest, TellsATextFromTheBeginningOfALongerOne) {
  const std::string longer(200, 'x');
  for (const std::size_t length : {40, 64, 199}) {
    const std::string shorter = longer.substr(0, length);
    authenticator_.publish({.tokens = {known(longer, "longer")}});
    EXPECT_NE(nullptr, authenticator_.authenticate(longer));
    EXPECT_EQ(nullptr, authenticator_.authenticate(shorter)) << length;
    authenticator_.publish({.tokens = {known(shorter, "shorter")}});
    EXPECT_NE(nullptr, authenticator_.authenticate(shorter)) << length;
    EXPECT_EQ(nullptr, authenticator_.authenticate(longer));
  }
}

TEST_F(AuthenticatorTest, RefusesAnExpiredToken) {
  authenticator_.publish({.tokens = {known(phone_, "1", Role::user, clock_.now() + 1min)}});
  const auto identity = authenticator_.authenticate(phone_);
  clock_.advance(1min - 1us);
  EXPECT_NE(nullptr, authenticator_.authenticate(phone_));
  EXPECT_TRUE(authenticator_.still_valid(*identity));
  clock_.advance(1us);
  EXPECT_EQ(nullptr, authenticator_.authenticate(phone_));
  EXPECT_FALSE(authenticator_.still_valid(*identity));
}

TEST_F(AuthenticatorTest, ChangesOnlyWhatIsNamed) {
  authenticator_.publish({.tokens = {known(phone_, "1"), known(display_, "2")}});
  const auto phone = authenticator_.authenticate(phone_), display = authenticator_.authenticate(display_);
  const std::string other = make_token();
  authenticator_.publish({.everything = false, .ids = {"1", "3"}, .tokens = {known(other, "3")}});
  EXPECT_EQ(nullptr, authenticator_.authenticate(phone_));
  EXPECT_EQ(nullptr, authenticator_.find("1"));
  EXPECT_FALSE(authenticator_.still_valid(*phone));
  EXPECT_EQ(display.get(), authenticator_.authenticate(display_).get());
  EXPECT_TRUE(authenticator_.still_valid(*display));
  EXPECT_EQ("3", authenticator_.authenticate(other)->token_id);
}

TEST_F(AuthenticatorTest, ForgetsASessionWithAllItsTokens) {
  const std::string access = make_token(), refresh = make_token();
  auto token = known(access, "s", Role::user, clock_.now() + 30min);
  token.identity.access_token = token.hash;
  const Identity session{token.identity.user, "s", clock_.now() + 24h, TokenType::normal};
  authenticator_.publish({.tokens = {token}, .sessions = {session}, .refresh_tokens = {{hash_token(refresh), "s"}}});
  EXPECT_EQ("s", authenticator_.authenticate(access)->token_id);
  EXPECT_EQ(clock_.now() + 24h, authenticator_.find("s")->expires_at);
  authenticator_.publish({.everything = false, .ids = {"s"}});
  EXPECT_EQ(nullptr, authenticator_.authenticate(access));
  EXPECT_EQ(nullptr, authenticator_.find("s"));
  EXPECT_FALSE(authenticator_.knows_refresh_token(refresh));
  EXPECT_FALSE(authenticator_.any_expired(clock_.now(), clock_.now() + 48h));
}

TEST_F(AuthenticatorTest, KnowsRefreshTokensButAuthenticatesNobodyByThem) {
  const std::string refresh = make_token();
  authenticator_.publish({.tokens = {known(phone_, "1")}, .refresh_tokens = {{hash_token(refresh), "s"}}});
  EXPECT_TRUE(authenticator_.knows_refresh_token(refresh));
  EXPECT_EQ(nullptr, authenticator_.authenticate(refresh));
  for (const std::string& garbage : {std::string(), std::string("x"), make_token(), phone_, refresh + "A"}) {
    EXPECT_FALSE(authenticator_.knows_refresh_token(garbage)) << garbage;
  }
}

TEST_F(AuthenticatorTest, KeepsAnIdentityValidUntilTokenOrRoleGo) {
  authenticator_.publish({.tokens = {known(phone_, "1"), known(display_, "2")}});
  const auto identity = authenticator_.authenticate(phone_);
  const auto before = authenticator_.version();
  authenticator_.publish({.tokens = {known(phone_, "1")}});
  EXPECT_LT(before, authenticator_.version());
  EXPECT_TRUE(authenticator_.still_valid(*identity));
  authenticator_.publish({.tokens = {known(phone_, "1", Role::reader)}});
  EXPECT_FALSE(authenticator_.still_valid(*identity));
  authenticator_.publish({.tokens = {known(display_, "2")}});
  EXPECT_FALSE(authenticator_.still_valid(*identity));
  EXPECT_EQ("ann", identity->user->name);
}

TEST_F(AuthenticatorTest, NotesAUseOnceAMinute) {
  authenticator_.publish({.tokens = {known(phone_, "1")}});
  const auto identity = authenticator_.authenticate(phone_);
  const auto first = clock_.now();
  authenticator_.note_use(*identity, boost::asio::ip::make_address("192.0.2.1"));
  clock_.advance(30s);
  authenticator_.note_use(*identity, boost::asio::ip::make_address("192.0.2.2"));
  auto uses = authenticator_.drain_uses();
  ASSERT_EQ(1u, uses.size());
  EXPECT_EQ("1", uses[0].token_id);
  EXPECT_EQ(first, uses[0].used_at);
  EXPECT_EQ("192.0.2.1", uses[0].used_from);
  EXPECT_TRUE(authenticator_.drain_uses().empty());

  clock_.advance(30s);
  authenticator_.note_use(*identity, boost::asio::ip::make_address("192.0.2.3"));
  uses = authenticator_.drain_uses();
  ASSERT_EQ(1u, uses.size());
  EXPECT_EQ("192.0.2.3", uses[0].used_from);
}

TEST_F(AuthenticatorTest, PutsBackUsesAfterNewerOnes) {
  authenticator_.publish({.tokens = {known(phone_, "1"), known(display_, "2")}});
  authenticator_.note_use(*authenticator_.authenticate(phone_), boost::asio::ip::make_address("192.0.2.8"));
  authenticator_.note_use(*authenticator_.authenticate(display_), boost::asio::ip::make_address("192.0.2.8"));
  auto taken = authenticator_.drain_uses();
  clock_.advance(1min);
  authenticator_.note_use(*authenticator_.authenticate(phone_), boost::asio::ip::make_address("192.0.2.9"));
  authenticator_.put_back_uses(std::move(taken));
  const auto uses = authenticator_.drain_uses();
  ASSERT_EQ(2u, uses.size());
  EXPECT_EQ("192.0.2.9", uses[0].used_from);
  EXPECT_EQ("192.0.2.8", uses[1].used_from);
}

TEST_F(AuthenticatorTest, NotesNoUseOfARevokedToken) {
  authenticator_.publish({.tokens = {known(phone_, "1")}});
  const auto identity = authenticator_.authenticate(phone_);
  authenticator_.publish({});
  authenticator_.note_use(*identity, boost::asio::ip::make_address("192.0.2.1"));
  EXPECT_TRUE(authenticator_.drain_uses().empty());
}

TEST_F(AuthenticatorTest, ReportsWhetherATokenExpiredMeanwhile) {
  const auto start = clock_.now();
  authenticator_.publish(
      {.tokens = {known(phone_, "1", Role::user, start + 20s), known(display_, "2", Role::user, start + 10s)}});
  EXPECT_FALSE(authenticator_.any_expired(start, start + 9s));
  EXPECT_TRUE(authenticator_.any_expired(start + 9s, start + 10s));
  EXPECT_FALSE(authenticator_.any_expired(start + 10s, start + 19s));
  EXPECT_TRUE(authenticator_.any_expired(start + 10s, start + 30s));
  EXPECT_FALSE(authenticator_.any_expired(start + 20s, start + 30s));
}

}  // namespace
}  // namespace hearth::auth
