// SPDX-License-Identifier: Apache-2.0
// Failed logins: what is counted, and perhaps banned, for the moment; and what is kept for people to read.
#include <fmt/format.h>

#include <charconv>

#include "api/accounts/account_reply.h"
#include "api/gateway/message_reader.h"
#include "api/rows.h"
#include "base/text/timestamp.h"

namespace hearth::api {
namespace {

json::object counted_object(const auth::LoginThrottle::Record& record) {
  return {{"kind", record.is_account ? "account" : "address"},
          {"subject", record.subject},
          {"failures", record.failures},
          {"banned_until", record.banned_until ? json::value(base::to_string(*record.banned_until)) : json::value()},
          {"last_attempt", base::to_string(record.last_attempt)}};
}

json::object kept_object(const auth::FailedLogin& failed) {
  return {{"kind", "attempt"},
          {"subject", std::to_string(failed.id)},
          {"failures", failed.failures},
          {"banned_until", nullptr},
          {"first_attempt", base::to_string(failed.first)},
          {"last_attempt", base::to_string(failed.last)},
          {"address", failed.address},
          {"account", failed.account.empty() ? json::value() : json::value(failed.account)},
          {"purpose", failed.purpose}};
}

std::unexpected<CommandError> nothing_held(std::string_view subject) {
  return std::unexpected(CommandError(command_error::kNotFound, fmt::format("Nothing is held against {}.", subject)));
}

void clear_kept(const CommandCall& call, CommandReply reply, const std::optional<std::string>& subject) {
  std::optional<std::int64_t> id;
  if (subject) {
    const char* const end = subject->data() + subject->size();
    const auto read = std::from_chars(subject->data(), end, id.emplace());
    if (read.ec != std::errc() || read.ptr != end) return reply.send(nothing_held(*subject));
  }
  reply_from_accounts(call.gate, std::move(reply), [id, &gate = call.gate](auth::AccountStore& store) -> CommandResult {
    auto cleared = gate.keep_failures(store);
    if (cleared) cleared = store.forget_failed_logins(id);
    if (!cleared) return account_failure(cleared.error());
    return "null";
  });
}

void list_login_attempts(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_from_accounts(call.gate, std::move(reply), [&gate = call.gate](auth::AccountStore& store) -> CommandResult {
    if (auto kept = gate.keep_failures(store); !kept) return account_failure(kept.error());
    const auto failed = store.failed_logins();
    if (!failed) return account_failure(failed.error());
    json::array list;
    for (const auto& record : gate.throttle.list()) list.push_back(counted_object(record));
    for (const auto& one : *failed) list.push_back(kept_object(one));
    return base::to_json(list);
  });
}

// Fails with not_found.
void clear_login_attempts(const CommandCall& call, CommandReply reply) {
  std::string kind;
  std::optional<std::string> subject;
  MessageReader in(call.message);
  in.required("kind", kind);
  in.optional("subject", subject);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (kind == "attempt") return clear_kept(call, std::move(reply), subject);
  if (kind != "account" && kind != "address") {
    return reply.send(
        std::unexpected(CommandError(command_error::kInvalidFormat, "kind: expected account, address or attempt.")));
  }
  if (!subject) {
    return reply.send(
        std::unexpected(CommandError(command_error::kInvalidFormat, "subject: expected the account or the address.")));
  }
  auto& throttle = call.gate.throttle;
  const bool cleared = kind == "account" ? throttle.clear_account(*subject) : throttle.clear_address(*subject);
  if (!cleared) return reply.send(nothing_held(*subject));
  reply.send("null");
}

void own_login_attempts(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_from_accounts(call.gate, std::move(reply),
                      [&gate = call.gate, user = call.caller->user->id](auth::AccountStore& store) -> CommandResult {
                        if (auto kept = gate.keep_failures(store); !kept) return account_failure(kept.error());
                        const auto own = store.failed_logins_of(user);
                        if (!own) return account_failure(own.error());
                        json::array list;
                        for (const auto& one : own->list) {
                          json::object shown = kept_object(one);
                          for (const std::string_view internal : {"kind", "subject", "banned_until", "account"})
                            shown.erase(internal);
                          list.push_back(std::move(shown));
                        }
                        return base::to_json(json::object{
                            {"since", own->since ? json::value(base::to_string(*own->since)) : json::value()},
                            {"attempts", std::move(list)}});
                      });
}

}  // namespace

constexpr Command kLoginAttemptCommandRows[] = {
    {"auth/login_attempts/list", Access::admin, list_login_attempts, Durable::no},
    {"auth/login_attempts/clear", Access::admin, clear_login_attempts, Durable::no},
    {"auth/login_attempts/own", Access::account, own_login_attempts, Durable::no},
};
constexpr Commands kLoginAttemptCommands = kLoginAttemptCommandRows;

}  // namespace hearth::api
