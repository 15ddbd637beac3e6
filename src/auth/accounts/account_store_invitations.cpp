// SPDX-License-Identifier: Apache-2.0
// The part of the store for invitations. One that was used or has ended is kept for a while, so that who comes with it
// once more is told why it lets nobody in.
#include <fmt/format.h>

#include "auth/accounts/account_store.h"
#include "auth/accounts/stored_policy.h"
#include "auth/name.h"
#include "auth/password.h"
#include "base/text/timestamp.h"

namespace hearth::auth {

using base::ErrorCode;
using base::Result;
using storage::Blob;
using storage::Statement;
using storage::Transaction;

namespace {

constexpr std::string_view kInvitationColumns =
    "SELECT invitations.id, invitations.name, invitations.role, invitations.rights, invitations.ends_at, inviter_id, "
    "users.display_name, invitations.created_at, expires_at, used_at, used_by, inviter_id IS NULL OR "
    "(users.role = 'administrator' AND users.active = 1) "
    "FROM invitations LEFT JOIN users ON users.id = inviter_id ";
constexpr int kMayInvite = 11;  // of these columns

Invitation read_invitation(const Statement& row) {
  NewInvitation given{.name = std::string(row.text(1)),
                      .role = parse_role(row.text(2)).value_or(Role::reader),
                      .policy = read_policy(row, 3),
                      .ends_at = row.optional_timestamp(4)};
  if (!row.is_null(5)) given.inviter_id = row.text(5);
  return {.id = std::string(row.text(0)),
          .given = std::move(given),
          .inviter = std::string(row.text(6)),
          .created_at = row.timestamp(7),
          .expires_at = row.timestamp(8),
          .used_at = row.optional_timestamp(9),
          .used_by = std::string(row.text(10))};
}

// To the minute.
std::string minute_text(base::Timestamp time) {
  std::string text = base::to_string(time).substr(0, 16);
  text[10] = ' ';
  return text + " UTC";
}

}  // namespace

Result<std::string> AccountStore::invite(const NewInvitation& invitation) {
  if (auto good = check_name("The name of whom you invite", invitation.name); !good)
    return std::unexpected(std::move(good.error()));
  auto good = check_limits(invitation.name, invitation.role, invitation.policy, invitation.ends_at);
  if (!good) return std::unexpected(std::move(good.error()));
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  {
    auto count = database_.prepare("SELECT count(*) FROM invitations");
    if (!count) return std::unexpected(std::move(count.error()));
    if (auto row = count->step(); !row) return std::unexpected(std::move(row.error()));
    if (count->integer(0) >= kMaxInvitations) {
      return base::fail(ErrorCode::invalid,
                        fmt::format("There are {} invitations already; take some back first.", kMaxInvitations));
    }
  }
  const base::Timestamp now = clock_->now();
  std::string text = make_token();
  const auto added = database_.run(
      "INSERT INTO invitations(id, hash, name, role, rights, ends_at, inviter_id, created_at, expires_at) "
      "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
      make_id(), Blob(hash_token(text)), invitation.name, to_string(invitation.role), policy_text(invitation.policy),
      invitation.ends_at, invitation.inviter_id, now, now + kInvitationLife);
  if (!added) return std::unexpected(added.error());
  if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
  return text;
}

Result<std::vector<Invitation>> AccountStore::invitations() {
  auto select =
      database_.prepare(std::string(kInvitationColumns) + "ORDER BY invitations.created_at DESC, invitations.id");
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<Invitation> list;
  auto read = select->for_each([&](const Statement& row) { list.push_back(read_invitation(row)); });
  if (!read) return std::unexpected(std::move(read.error()));
  return list;
}

Result<void> AccountStore::revoke_invitation(std::string_view id) {
  const auto deleted = database_.run("DELETE FROM invitations WHERE id = ?", id);
  if (!deleted) return std::unexpected(deleted.error());
  if (*deleted == 0) return base::fail(ErrorCode::not_found, "There is no such invitation.");
  return {};
}

Result<Invitation> AccountStore::find_invitation(std::string_view text) {
  auto select = database_.prepare(std::string(kInvitationColumns) + "WHERE invitations.hash = ?");
  if (!select) return std::unexpected(std::move(select.error()));
  const auto row = select->bind(Blob(hash_token(text))).step();
  if (!row) return std::unexpected(row.error());
  if (!*row || select->integer(kMayInvite) == 0) {
    return base::fail(ErrorCode::not_found,
                      "This invitation is not known here: it was taken back, or a part of its link is missing.");
  }
  Invitation invitation = read_invitation(*select);
  if (invitation.used_at) {
    return base::fail(ErrorCode::conflict, fmt::format("This invitation was used on {}; it is good once.",
                                                       minute_text(*invitation.used_at)));
  }
  if (invitation.expires_at <= clock_->now()) {
    return base::fail(ErrorCode::conflict,
                      fmt::format("This invitation ended on {}. Ask for another.", minute_text(invitation.expires_at)));
  }
  if (invitation.given.ends_at && *invitation.given.ends_at <= clock_->now()) {
    return base::fail(ErrorCode::conflict, fmt::format("The account that this invitation is for ended on {}.",
                                                       minute_text(*invitation.given.ends_at)));
  }
  return invitation;
}

Result<User> AccountStore::accept_invitation(std::string_view text, NewUser user) {
  // Before the costly hash, so that only who has an invitation asks for one; the transaction decides.
  if (const auto known = find_invitation(text); !known) return std::unexpected(known.error());
  if (auto good = check_name("A user name", user.name); !good) return std::unexpected(std::move(good.error()));
  if (const auto taken = find_user(user.name))
    return base::fail(ErrorCode::invalid, fmt::format("There is a user named {} already.", taken->name));
  const auto password = hash_password(user.password.value_or(std::string()));
  if (!password) return std::unexpected(password.error());

  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  const auto invitation = find_invitation(text);
  if (!invitation) return std::unexpected(invitation.error());
  user.role = invitation->given.role;
  user.policy = invitation->given.policy;
  user.ends_at = invitation->given.ends_at;
  if (user.display_name.empty()) user.display_name = invitation->given.name;
  auto added = insert_user(user, fold_case(user.name), *password);
  if (!added) return added;
  const auto used = database_.run("UPDATE invitations SET used_at = ?, used_by = ? WHERE id = ?", clock_->now(),
                                  user.name, invitation->id);
  if (!used) return std::unexpected(used.error());
  if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
  return added;
}

}  // namespace hearth::auth
