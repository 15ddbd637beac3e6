// SPDX-License-Identifier: Apache-2.0
// Users, their long-lived tokens, their sessions and the data that pages store for them, in home.db, as the command
// line and the hub's pages change them. A running hub sees each change within a second, whichever process made it.
//
// One thread at a time; each thread opens its own. User names ignore case. Failures: not_found for an unknown user or
// token, conflict if a name is taken or the last administrator would be lost, invalid for a wrong value; the message
// says which.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "auth/factors/passkey.h"
#include "auth/failed_login.h"
#include "auth/token.h"
#include "auth/user.h"
#include "base/clock.h"
#include "base/json/json.h"
#include "base/result.h"
#include "storage/database.h"
#include "storage/migrate.h"

namespace hearth::auth {

struct NewUser {
  std::string name;
  std::string display_name = {};  // empty means the name
  Role role = Role::user;
  std::optional<std::string> password = {};  // null: nobody can log in until one is set
  core::PolicyPtr policy = nullptr;          // null: the role alone decides
  std::optional<base::Timestamp> ends_at = {};
};

// For somebody who then chooses name and password: single use, for kInvitationLife.
struct NewInvitation {
  std::string name;  // of whom it is for, as the inviter calls them
  Role role = Role::user;
  core::PolicyPtr policy = nullptr;
  std::optional<base::Timestamp> ends_at = {};  // of the account
  std::optional<std::string> inviter_id = {};   // null: the command line
};

struct Invitation {
  std::string id;
  NewInvitation given;
  std::string inviter;  // the display name; empty: the command line
  base::Timestamp created_at;
  base::Timestamp expires_at;
  std::optional<base::Timestamp> used_at = {};
  std::string used_by = {};  // the login name that was chosen
};

// As its user sees it.
struct NamedPasskey {
  std::string id;  // base64url
  std::string name;
  base::Timestamp created_at;
  std::optional<base::Timestamp> used_at;
  bool closed;  // it was copied: it lets nobody in
};

// Changes to a user; null keeps the old value.
struct UserChanges {
  std::optional<std::string> name = {};
  std::optional<std::string> display_name = {};
  std::optional<Role> role = {};
  std::optional<bool> active = {};
  std::optional<core::PolicyPtr> policy = {};                  // a null policy lifts all limits
  std::optional<std::optional<base::Timestamp>> ends_at = {};  // the inner null: never
};

// Limits for one user.
struct AccountLimits {
  std::size_t tokens = 200;    // long-lived ones
  std::size_t sessions = 200;  // beyond, the least recently used one ends
};

// A changed password ends the user's sessions and, if asked, the long-lived tokens.
struct PasswordChange {
  std::string_view kept_token_id = {};  // the session or token of the caller, which is kept
  bool revoke_tokens = false;
};

class AccountStore {
 public:
  // Access tokens of one session that are valid at the same time; beyond, the oldest one ends.
  static constexpr int kMaxAccessTokens = 64;

  static constexpr std::chrono::seconds kRotationGrace{60};
  static constexpr int kMaxFormerTokens = 64;  // of one session that are remembered

  static constexpr std::int64_t kMaxPasskeys = 20;  // of one user

  static constexpr std::size_t kMaxUserAgent = 255;

  static constexpr std::size_t kMaxDataKey = 255;          // code points
  static constexpr std::size_t kMaxUserData = 256 * 1024;  // bytes, for all of a user's data as one JSON object

  static constexpr std::chrono::hours kInvitationLife{48};
  static constexpr std::chrono::days kInvitationKept{30};  // after its end, for the list
  static constexpr std::int64_t kMaxInvitations = 200;     // kept, used or not

  // Of its tables.
  static storage::Schema schema();

  // `clock` must outlive the store.
  static base::Result<AccountStore> open(const std::filesystem::path& file, const base::Clock& clock,
                                         AccountLimits limits = {});

  base::Result<User> add_user(const NewUser& user);
  base::Result<User> add_user(std::string_view name, Role role, std::string_view password);
  // Succeeds once in the life of a home, and only if it has no user, however many callers in however many processes
  // try. Otherwise fails with forbidden.
  base::Result<User> add_first_administrator(NewUser user);
  base::Result<User> find_user(std::string_view name);
  base::Result<User> find_user_by_id(std::string_view id);
  base::Result<std::vector<User>> users();  // by name
  // Fails with conflict if no active administrator would be left, as delete_user does, or if an administrator would
  // have a policy or an end; with invalid if the end has passed.
  base::Result<User> change_user(std::string_view id, const UserChanges& changes);
  base::Result<void> delete_user(std::string_view id);
  base::Result<void> set_password(std::string_view name, std::string_view password, const PasswordChange& change = {});
  // Sets another name and password to log in with, both or neither.
  base::Result<void> set_login(std::string_view id, std::string_view name, std::string_view password,
                               const PasswordChange& change = {});
  // For a caller that knows the old password. Fails with unauthorized.
  base::Result<void> change_password(std::string_view id, std::string_view old_password, std::string_view password,
                                     const PasswordChange& change = {});
  // For the command line, which may remove the last administrator because it can make another.
  base::Result<void> set_role(std::string_view name, Role role);
  base::Result<void> set_active(std::string_view name, bool active);
  // Limits what the user may see and do; null lifts all limits. Fails with conflict for an administrator, who cannot be
  // limited.
  base::Result<void> set_policy(std::string_view name, const core::PolicyPtr& policy);
  // When the account ends; null: never. Fails as change_user.
  base::Result<void> set_end(std::string_view name, std::optional<base::Timestamp> ends_at);

  // Returns the invitation's text, which is not stored. Fails with invalid also if there are too many.
  base::Result<std::string> invite(const NewInvitation& invitation);
  base::Result<std::vector<Invitation>> invitations();  // the latest first
  base::Result<void> revoke_invitation(std::string_view id);
  // By its text. Fails with not_found if it is unknown or its inviter is no administrator any more, with conflict if it
  // has been used or its time is over.
  base::Result<Invitation> find_invitation(std::string_view text);
  // Makes the account that it is for, once. `user` has names and password only.
  base::Result<User> accept_invitation(std::string_view text, NewUser user);

  // Fails with unauthorized, always with the same message and delay, if the user is unknown or inactive or the password
  // is wrong. A right one that is stored as bcrypt is stored as argon2id from then on.
  base::Result<User> verify_password(std::string_view name, std::string_view password);

  // The authenticator app of a user, whose secret the user has typed in there: `step` is that of the first code from
  // it. Replaces an earlier one. Returns the recovery codes, which are not stored.
  base::Result<std::vector<std::string>> set_totp(std::string_view user_id, std::string_view secret, std::int64_t step);
  // Takes a code of the app or a recovery code; each counts once. Fails with unauthorized, also if the user is inactive
  // or has none.
  base::Result<User> verify_second_factor(std::string_view user_id, std::string_view code);
  // Other recovery codes; those from before are worth nothing. Fails with not_found if the user has no app.
  base::Result<std::vector<std::string>> renew_recovery_codes(std::string_view user_id);
  base::Result<std::int64_t> recovery_codes_left(std::string_view user_id);
  // Fails with not_found if there is none.
  base::Result<void> remove_totp(std::string_view user_id);

  // Fails with conflict if the user has one of that name, or anybody has that key; with invalid if the user has as many
  // as allowed.
  base::Result<void> add_passkey(std::string_view user_id, std::string_view name, const Passkey& key);
  base::Result<std::vector<NamedPasskey>> passkeys(std::string_view user_id);  // by name
  base::Result<void> remove_passkey(std::string_view user_id, std::string_view id);
  // The user of a key that has signed the answer. Closes the key for ever if its counter has not grown, as that of a
  // copy does not, and fails with conflict. Fails with unauthorized if the signature is wrong, the key unknown or
  // closed, or its user inactive.
  base::Result<User> verify_passkey(std::string_view id, const PasskeyChallenge& asked, const PasskeyAnswer& answer);
  base::Result<User> find_user_by_passkey(std::string_view id);
  // The app, the recovery codes and the passkeys. Fails with not_found if there is none of them.
  base::Result<void> remove_factors(std::string_view user_id);

  // Returns the token's text, which is not stored. Without a lifetime it never expires. Fails with invalid also if the
  // user has as many tokens as allowed, or if `rights` has the scope admin but the user is no administrator, or a
  // policy leaves out a part of the home.
  base::Result<std::string> create_token(std::string_view user, std::string_view name,
                                         std::optional<std::chrono::days> lifetime = kDefaultTokenLife,
                                         std::optional<std::string_view> icon = {},
                                         const core::TokenRights& rights = {});
  // A token of kViewLife with which an administrator sees what the user sees: it reads, and changes nothing. It ends
  // with the viewer's next one, and when the viewer is no administrator any more. Fails with forbidden if the user is
  // inactive.
  base::Result<std::string> create_view_token(std::string_view viewer_id, std::string_view user_id);
  base::Result<std::vector<Token>> tokens(std::string_view user);  // by name
  base::Result<void> revoke_token(std::string_view user, std::string_view name);

  // A session and its first access token, for a client that logged in from the address; ends the least recently used
  // one if the user has too many. Fails with forbidden if the user is inactive, with invalid if the password has
  // changed since that version. `user_agent` is the client's own word, or empty; at most kMaxUserAgent bytes are kept.
  base::Result<IssuedTokens> create_session(std::string_view user_id, std::string_view client_id,
                                            std::string_view address, std::optional<std::int64_t> password_version = {},
                                            std::string_view user_agent = {});
  struct EndedSession {
    std::string id, user_id;
  };
  // Another access token; extends the session's life. Fails with invalid if the refresh token is unknown, expired or
  // another client's; with forbidden if the user is inactive. An empty `user_agent` keeps the one before.
  //
  // `rotate` replaces the refresh token, too (RFC 9700 §4.14.2). The former one still counts for kRotationGrace, for
  // answers that got lost and for pages side by side, and gives the same new one; after that whoever shows it has
  // copied it, or was copied from: the session ends, `reused` gets it, and the answer is invalid.
  base::Result<IssuedTokens> refresh_session(std::string_view refresh_token, std::string_view client_id,
                                             std::string_view address, std::string_view user_agent = {},
                                             bool rotate = false, std::optional<EndedSession>* reused = nullptr);
  // Ends the session of this refresh token, if there is one.
  base::Result<std::optional<EndedSession>> end_session(std::string_view refresh_token);

  // The sessions and long-lived tokens of a user, oldest first.
  base::Result<std::vector<RefreshToken>> refresh_tokens(std::string_view user_id);
  base::Result<void> delete_refresh_token(std::string_view user_id, std::string_view token_id);
  // All of a user's, or all of one type, except the one to keep.
  base::Result<void> delete_refresh_tokens(std::string_view user_id, std::optional<TokenType> type,
                                           std::string_view kept_token_id = {});
  // Deletes expired sessions and access tokens.
  base::Result<void> purge_expired();

  base::Result<void> note_failed_logins(std::span<const FailedLogin> failed);
  // After a good login: later failures of this account make records of their own. REQUIRES: a valid name.
  base::Result<void> close_failed_logins(std::string_view user);
  // At most FailedLogin::kMaxKept, the latest first.
  base::Result<std::vector<FailedLogin>> failed_logins();
  // Failures for the user's account after the login before the last one; of all times if there was none.
  struct OwnFailedLogins {
    std::optional<base::Timestamp> since;
    std::vector<FailedLogin> list;
  };
  base::Result<OwnFailedLogins> failed_logins_of(std::string_view user_id);
  // One, or all; fails with not_found.
  base::Result<void> forget_failed_logins(std::optional<std::int64_t> id);

  // The data that pages store for a user: all of it as one JSON object, or the value of one key, null if absent.
  base::Result<std::string> user_data(std::string_view user_id);
  base::Result<std::string> user_data(std::string_view user_id, std::string_view key);
  // REQUIRES: JSON; null deletes the key. Returns all data as one object. Fails with conflict if the value is not
  // `former`, if that is given.
  base::Result<std::string> set_user_data(std::string_view user_id, std::string_view key, std::string_view value_json,
                                          const json::value* former = nullptr);

  std::uintmax_t database_size() const { return database_.size(); }  // bytes

  // Where tokens were last used: a user's name in lower case, and an address.
  struct KnownPlace {
    std::string folded_name;
    std::string address;
  };
  base::Result<std::vector<KnownPlace>> known_places();

 private:
  AccountStore(storage::Database database, const base::Clock& clock, AccountLimits limits)
      : database_(std::move(database)), clock_(&clock), limits_(limits) {}
  base::Result<void> check_token_fits(const User& user);
  base::Result<User> select_user(std::string_view column, std::string_view value);
  base::Result<User> insert_user(const NewUser& user, std::string_view folded_name, std::string_view password);
  base::Result<void> check_administrator_left(const User& user);
  base::Result<User> change_within(std::string_view id, const UserChanges& changes);
  base::Result<void> limit_within(const User& before, const UserChanges& changes);
  base::Result<void> check_limits(std::string_view name, Role role, const core::PolicyPtr& policy,
                                  std::optional<base::Timestamp> ends_at) const;
  base::Result<void> delete_all(std::string_view user_id, TokenType type, std::string_view kept_token_id);
  base::Result<void> replace_password(const User& user, std::string_view password, std::optional<std::string_view> name,
                                      const PasswordChange& change);
  base::Result<int> highest_bcrypt_cost();
  void renew_hash(std::string_view id, const std::string& hash, std::string_view password);
  base::Result<std::vector<FailedLogin>> select_failed_logins(std::string_view account, base::Timestamp since);
  base::Result<std::vector<std::string>> insert_recovery_codes(const base::Id& user_id);
  base::Result<std::string> next_refresh_token(std::string_view session_id, std::string_view refresh_token,
                                               bool is_former);
  base::Result<std::string> add_access_token(std::string_view session_id);
  // `sql` sets one column, its first parameter, of the user whose folded name is its second.
  template <class Value>
  base::Result<void> change_column(std::string_view name, std::string_view sql, const Value& value);

  storage::Database database_;
  const base::Clock* clock_;
  AccountLimits limits_;
};

}  // namespace hearth::auth
