// SPDX-License-Identifier: Apache-2.0
// Settings that pages keep for a user, such as language and theme: each user's own, the same on all their devices.
#include <fmt/format.h>

#include "api/accounts/account_reply.h"
#include "api/gateway/connection.h"
#include "api/gateway/live_batch.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/socket_hub.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

constexpr std::string_view kConflict = "conflict";  // of a change that is based on another value than there is

std::string value_object(std::string_view value_json) {
  return fmt::format(R"({{"value":{}}})", value_json);
}

base::Result<std::string> read_value(auth::AccountStore& store, std::string_view user_id,
                                     const std::optional<std::string>& key) {
  return key ? store.user_data(user_id, *key) : store.user_data(user_id);
}

class UserDataSubscription final : public LiveSubscription {
 public:
  using LiveSubscription::deliver;
  UserDataSubscription(std::int64_t id, std::optional<std::string> key) : id_(id), key_(std::move(key)) {}

  void deliver(const UserDataChange& change, http::WebSocket& socket) override {
    if (key_ && *key_ != change.key) return;
    socket.send(event_message(id_, value_object(key_ ? change.value : change.all)));
  }

 private:
  const std::int64_t id_;
  const std::optional<std::string> key_;  // all keys where there is none
};

void get_user_data(const CommandCall& call, CommandReply reply) {
  std::optional<std::string> key;
  MessageReader in(call.message);
  in.optional("key", key);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_from_accounts(
      call.gate, std::move(reply),
      [key = std::move(key), user_id = call.caller->user->id](auth::AccountStore& store) -> CommandResult {
        const auto value = read_value(store, user_id, key);
        if (!value) return account_failure(value.error());
        return value_object(*value);
      });
}

void set_user_data(const CommandCall& call, CommandReply reply) {
  UserDataChange change{.user_id = call.caller->user->id, .key = {}, .value = {}, .all = {}};
  json::value value;
  std::optional<json::value> former;
  MessageReader in(call.message);
  in.required("key", change.key);
  in.required_value("value", value);
  if (in.has("former")) in.required_value("former", former.emplace());
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  change.value = base::to_json(value);
  reply_from_accounts(call.gate, std::move(reply),
                      [&sockets = call.connection.sockets(), change = std::move(change),
                       former = std::move(former)](auth::AccountStore& store) -> CommandResult {
                        auto all =
                            store.set_user_data(change.user_id, change.key, change.value, former ? &*former : nullptr);
                        if (!all && all.error().code == base::ErrorCode::conflict)
                          return std::unexpected(CommandError(kConflict, all.error().message));
                        if (!all) return account_failure(all.error());
                        auto sent = std::make_shared<UserDataChange>(change);
                        sent->all = std::move(*all);
                        sockets.deliver(std::move(sent));
                        return "null";
                      });
}

void subscribe_user_data(const CommandCall& call, CommandReply reply) {
  std::optional<std::string> key;
  MessageReader in(call.message);
  in.optional("key", key);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (auto room = call.connection.may_subscribe(); !room) return reply.send(std::unexpected(room.error()));

  // Changes that the accounts' thread makes after it has read the value reach the worker behind the reply.
  call.connection.subscribe(call.id, std::make_unique<LiveSubscription>());
  subscribe_from_accounts(
      call, std::move(reply),
      [id = call.id, key = std::move(key), user_id = call.caller->user->id](auth::AccountStore& store) -> Beginning {
        auto value = read_value(store, user_id, key);
        if (!value) {
          return {account_failure(value.error()), [id](Connection& connection) { connection.unsubscribe(id); }};
        }
        return {"null", [id, key, event = value_object(*value)](Connection& connection) {
                  // The client may have thought better of it.
                  if (!connection.unsubscribe(id)) return;
                  connection.subscribe(id, std::make_unique<UserDataSubscription>(id, key));
                  connection.send_event(id, event);
                }};
      });
}

}  // namespace

constexpr Command kUserDataCommandRows[] = {
    {"frontend/get_user_data", Access::user, get_user_data, Durable::no},
    {"frontend/set_user_data", Access::own, set_user_data, Durable::no},
    {"frontend/subscribe_user_data", Access::user, subscribe_user_data, Durable::no},
};
constexpr Commands kUserDataCommands = kUserDataCommandRows;

}  // namespace hearth::api
