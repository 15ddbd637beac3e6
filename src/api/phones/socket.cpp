// SPDX-License-Identifier: Apache-2.0
// The connection over which an app takes its notifications, what a person wants to be told, and their browsers.
#include "api/gateway/bus_feed.h"
#include "api/gateway/message_reader.h"
#include "api/rows.h"
#include "phones/people.h"

namespace hearth::api {
namespace {

using phones::People;

std::string person_of(const CommandCall& call) {
  return std::string(call.caller->user->id.str());
}

std::unexpected<CommandError> no_people() {
  return std::unexpected(CommandError(command_error::kHomeAssistantError, "This hub sends no messages."));
}

// Lets the bus thread make the result.
void ask_people(const CommandCall& call, CommandReply reply, std::function<CommandResult(People& people)> make) {
  if (!call.parts.people) return reply.send(no_people());
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  const auto posted =
      call.home.post(core::EventBus::kSmallTask,
                     [shared, people = call.parts.people, make = std::move(make)] { shared->send(make(*people)); });
  if (!posted) shared->send(std::unexpected(posted.error()));
}

CommandResult people_done(const base::Result<void>& result) {
  if (!result) return std::unexpected(result.error());
  return "null";
}

void open_channel(const CommandCall& call, CommandReply reply) {
  std::string webhook_id;
  bool confirms = false;
  MessageReader in(call.message);
  in.required("webhook_id", webhook_id);
  in.optional("support_confirm", confirms);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (!call.parts.people) return reply.send(no_people());
  const auto phone = call.parts.phones->find(webhook_id);
  if (!phone) return reply.send(std::unexpected(CommandError(command_error::kNotFound, "Webhook ID not found")));
  if (phone->user_id != person_of(call)) {
    return reply.send(
        std::unexpected(CommandError(command_error::kUnauthorized, "User not linked to this webhook ID")));
  }
  if (auto room = call.connection.may_subscribe(); !room) return reply.send(std::unexpected(room.error()));
  BusFeed::begin(call, std::move(reply), 0, [people = call.parts.people, webhook_id, confirms](BusFeed::Put put) {
    return people->channels().open(webhook_id, confirms, std::move(put));
  });
}

void confirm_push(const CommandCall& call, CommandReply reply) {
  std::string webhook_id, confirm_id;
  MessageReader in(call.message);
  in.required("webhook_id", webhook_id);
  in.required("confirm_id", confirm_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  ask_people(call, std::move(reply), [webhook_id, confirm_id, user = person_of(call)](People& people) -> CommandResult {
    const auto phone = people.phones().find(webhook_id);
    if (!phone || phone->user_id != user || !people.channels().confirm(webhook_id, confirm_id))
      return std::unexpected(CommandError(command_error::kNotFound, "Push notification channel not found"));
    return "null";
  });
}

void get_choice(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  ask_people(call, std::move(reply), [user = person_of(call)](People& people) -> CommandResult {
    json::object answer = phones::to_json_object(people.choice(user));
    json::array apps, browsers;
    for (const phones::PhonePtr& phone : people.phones().of_user(user)) {
      apps.push_back({{"name", phone->name()},
                      {"app_name", phone->text("app_name")},
                      {"connected", people.channels().is_open(phone->webhook_id)}});
    }
    for (const phones::Browser& browser : people.browsers().of_user(user))
      browsers.push_back({{"browser_id", browser.id}, {"name", browser.name}});
    answer["apps"] = std::move(apps);
    answer["browsers"] = std::move(browsers);
    return base::to_json(answer);
  });
}

void set_choice(const CommandCall& call, CommandReply reply) {
  json::object fields;
  for (const char* const key : {"alerts", "logins", "quiet_from", "quiet_to"})
    if (const json::value* const given = call.message.if_contains(key)) fields[key] = *given;
  MessageReader in(call.message);
  for (const auto& [key, value] : fields) in.has(key);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  const auto choice = phones::read_choice(fields);
  if (!choice) return reply.send(std::unexpected(CommandError(command_error::kInvalidFormat, choice.error().message)));
  ask_people(call, std::move(reply), [user = person_of(call), choice = *choice](People& people) -> CommandResult {
    people.choose(user, choice);
    return "null";
  });
}

void test_notice(const CommandCall& call, CommandReply reply) {
  std::string message;
  MessageReader in(call.message);
  in.required("message", message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  ask_people(call, std::move(reply),
             [user = person_of(call), message, context = call.context()](People& people) -> CommandResult {
               const auto notice = phones::read_notice({{"message", message}, {"data", {{"tag", "hearth_test"}}}});
               if (!notice) return std::unexpected(CommandError(command_error::kInvalidFormat, notice.error().message));
               return people_done(people.tell(user, *notice, context, true));
             });
}

void get_push_key(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  ask_people(call, std::move(reply), [](People& people) -> CommandResult {
    return base::to_json(json::object{{"key", people.browsers().public_key()}});
  });
}

void add_browser(const CommandCall& call, CommandReply reply) {
  phones::Browser browser;
  browser.user_id = person_of(call);
  browser.token_id = call.caller->token_id;
  MessageReader in(call.message);
  in.required("endpoint", browser.endpoint);
  in.required("p256dh", browser.public_key);
  in.required("auth", browser.secret);
  in.required("name", browser.name);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  ask_people(call, std::move(reply), [browser](People& people) -> CommandResult {
    const auto added = people.browsers().add(browser);
    if (!added && added.error().code == base::ErrorCode::invalid)
      return std::unexpected(CommandError(command_error::kInvalidFormat, added.error().message));
    return people_done(added);
  });
}

void remove_browser(const CommandCall& call, CommandReply reply) {
  std::string id;
  MessageReader in(call.message);
  in.required("browser_id", id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  ask_people(call, std::move(reply), [user = person_of(call), id](People& people) -> CommandResult {
    if (!people.browsers().remove(user, id))
      return std::unexpected(CommandError(command_error::kNotFound, "There is no such browser."));
    return "null";
  });
}

}  // namespace

constexpr Command kPhoneCommandRows[] = {
    {"mobile_app/push_notification_channel", Access::user, open_channel, Durable::no},
    {"mobile_app/push_notification_confirm", Access::user, confirm_push, Durable::no},
    {"hearth/notifications/choice", Access::user, get_choice, Durable::no},
    {"hearth/notifications/choose", Access::own, set_choice, Durable::no},
    {"hearth/notifications/test", Access::own, test_notice, Durable::no},
    {"hearth/notifications/push_key", Access::user, get_push_key, Durable::no},
    {"hearth/notifications/browser/add", Access::own, add_browser, Durable::no},
    {"hearth/notifications/browser/remove", Access::own, remove_browser, Durable::no},
};
constexpr Commands kPhoneCommands = kPhoneCommandRows;

}  // namespace hearth::api
