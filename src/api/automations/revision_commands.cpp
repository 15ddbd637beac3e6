// SPDX-License-Identifier: Apache-2.0
// config/revisions/list, deleted, restore.
#include <map>

#include "api/accounts/account_reply.h"
#include "api/automations/automation_files.h"
#include "api/gateway/message_reader.h"
#include "api/parts.h"
#include "api/rows.h"
#include "api/system/configuration_task.h"

namespace hearth::api {
namespace {

// The item that the commands name. Fails with invalid_format, with not_found if the hub runs no automations.
struct Named {
  AutomationFiles* files = nullptr;
  std::string domain, item_id, revision;
};

std::expected<Named, CommandError> named_in(const CommandCall& call, bool item, bool revision) {
  Named named;
  MessageReader in(call.message);
  in.required("domain", named.domain);
  if (item) in.required("item_id", named.item_id);
  if (revision) in.required("revision", named.revision);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (named.domain != "automation" && named.domain != "script" && named.domain != "scene") {
    return std::unexpected(
        CommandError(command_error::kInvalidFormat, "domain: expected automation, script or scene."));
  }
  named.files = call.parts.automation_files;
  if (!named.files) return std::unexpected(CommandError(command_error::kNotFound, "This hub runs no automations."));
  return named;
}

// Adds to each row the name of its user, null if it is not known any more.
void name_users(json::array& rows, auth::AccountStore& store) {
  std::map<std::string, json::value, std::less<>> names;
  for (json::value& row : rows) {
    json::object& object = row.as_object();
    const json::value& id = object.at("user_id");
    if (!id.is_string()) {
      object["user"] = nullptr;
      continue;
    }
    const std::string_view text = id.get_string();
    auto known = names.find(text);
    if (known == names.end()) {
      const auto user = store.find_user_by_id(text);
      const std::string& name = !user ? "" : user->display_name.empty() ? user->name : user->display_name;
      known = names.emplace(text, name.empty() ? json::value() : json::value(json::string(name))).first;
    }
    object["user"] = known->second;
  }
}

// Lets the configuration's thread find it, and the accounts' thread add the names of users.
template <class Find, class Name>
void reply_with_names(const CommandCall& call, CommandReply reply, Find find, Name name) {
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  const bool posted = post_to_configuration(
      call.parts, [shared, accounts = &call.gate.accounts, find = std::move(find), name = std::move(name)] {
        auto found = find();
        if (!found) return shared->send(std::unexpected(found.error()));
        const bool named = accounts->post([shared, name, found = std::move(*found)](auth::AccountStore& store) mutable {
          name(found, store);
          return auth::Accounts::Reply{
              [shared, text = base::to_json(json::value(std::move(found)))] { shared->send(text); }};
        });
        if (!named) shared->send(accounts_busy());
      });
  if (!posted) shared->send(configuration_busy());
}

// Fails with not_found.
void list_revisions(const CommandCall& call, CommandReply reply) {
  const auto named = named_in(call, true, false);
  if (!named) return reply.send(std::unexpected(named.error()));
  reply_with_names(
      call, std::move(reply), [named = *named] { return named.files->revisions(named.domain, named.item_id); },
      [](json::object& found, auth::AccountStore& store) { name_users(found.at("revisions").as_array(), store); });
}

// Fails with not_found.
void list_deleted(const CommandCall& call, CommandReply reply) {
  const auto named = named_in(call, false, false);
  if (!named) return reply.send(std::unexpected(named.error()));
  reply_with_names(
      call, std::move(reply), [named = *named] { return named.files->deleted(named.domain); },
      [](json::array& found, auth::AccountStore& store) { name_users(found, store); });
}

// Fails with not_found, and with what is wrong with the former text.
void restore_revision(const CommandCall& call, CommandReply reply) {
  const auto named = named_in(call, true, true);
  if (!named) return reply.send(std::unexpected(named.error()));
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  const bool posted = post_to_configuration(
      call.parts, [named = *named, shared, by = std::string(std::string_view(call.caller->user->id))] {
        const auto restored = named.files->restore(named.domain, named.item_id, named.revision, by,
                                                   [shared] { shared->send(std::string("null")); });
        if (!restored) shared->send(std::unexpected(restored.error()));
      });
  if (!posted) shared->send(configuration_busy());
}

}  // namespace

constexpr Command kRevisionCommandRows[] = {
    {"config/revisions/list", Access::admin, list_revisions, Durable::no},
    {"config/revisions/deleted", Access::admin, list_deleted, Durable::no},
    {"config/revisions/restore", Access::admin, restore_revision, Durable::no},
};
constexpr Commands kRevisionCommands = kRevisionCommandRows;

}  // namespace hearth::api
