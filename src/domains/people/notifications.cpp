// SPDX-License-Identifier: Apache-2.0
#include "domains/people/notifications.h"

#include <fmt/format.h>

#include "base/json/json_fields.h"
#include "base/random_id.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "core/notification.h"

namespace hearth::domains {
namespace {

using base::ErrorCode;
using base::Result;
using core::IfFull;

constexpr std::string_view kDomain = "persistent_notification";
const std::string kCollection(core::kNotifications);

Result<void> check_length(std::string_view key, std::string_view value, std::size_t most) {
  const auto length = base::utf8_length(value);
  if (length && *length <= most) return {};
  return base::fail(ErrorCode::invalid, fmt::format("{}: expected at most {} characters", key, most));
}

core::ServiceDescription describe(std::string service, std::string name, std::string description,
                                  std::vector<core::Field> fields) {
  core::ServiceDescription made;
  made.domain = kDomain;
  made.service = std::move(service);
  made.name = std::move(name);
  made.description = std::move(description);
  made.fields = std::move(fields);
  made.has_target = false;
  return made;
}

// Not another person's; the hub's own calls, which have no user, reach all.
bool is_for(const core::Item& item, const core::Context& context) {
  const std::string whose = base::text_at(item.fields, core::kNoteUser);
  return whose.empty() || !context.user_id || context.user_id->str() == whose;
}

constexpr core::Field kId{"notification_id", "Which one.", "door", core::field::Text{}, true};

}  // namespace

Notifications::Notifications(core::Hub& hub) : hub_(hub) {
  const auto add = [&](core::ServiceDescription description,
                       Result<void> (Notifications::*run)(const core::ServiceCall&)) {
    registrations_.push_back(hub_.services.add(
        std::move(description), [this, run](const core::ServiceCall& call, const core::ServiceReply& reply) {
          if (auto done = (this->*run)(call); !done) return reply(std::unexpected(done.error()));
          reply(json::value());
        }));
  };
  core::Field optional_id = kId;
  optional_id.description = "One of this id is replaced; without an id it is a new one.";
  optional_id.required = false;
  add(describe("create", "Create", "Shows a note to everybody until it is dismissed.",
               {{"message", "What it says.", "The door has been open for an hour.", core::field::Text{}, true},
                {"title", "Its heading.", "Front door", core::field::Text{}},
                optional_id}),
      &Notifications::create);
  core::ServiceDescription as_notify =
      describe("persistent_notification", "Show a note", "Shows a note to everybody until it is dismissed.",
               {{"message", "What it says.", "The door has been open for an hour.", core::field::Text{}, true},
                {"title", "Its heading.", "Front door", core::field::Text{}},
                {"data", "Perhaps its `notification_id`: one of this id is replaced.",
                 core::Example::Json{R"({"notification_id":"door"})"}, core::field::Object{}}});
  as_notify.domain = "notify";
  add(std::move(as_notify), &Notifications::create);
  add(describe("dismiss", "Dismiss", "Removes a note.", {kId}), &Notifications::dismiss);
  add(describe("dismiss_all", "Dismiss all", "Removes all notes.", {}), &Notifications::dismiss_all);
  add(describe("mark_read", "Mark as read", "Says that somebody has read a note.", {kId}), &Notifications::mark_read);
}

Result<void> Notifications::create(const core::ServiceCall& call) {
  const json::value* const more = call.data().if_contains("data");  // of notify.persistent_notification
  const json::value* const named = more ? more->get_object().if_contains("notification_id") : nullptr;
  if (named && !named->is_string()) return base::fail(ErrorCode::invalid, "data: expected a text as notification_id");
  std::string id = named ? std::string(named->get_string()) : base::text_at(call.data(), "notification_id");
  return put({.id = std::move(id),
              .title = base::text_at(call.data(), "title"),
              .message = base::text_at(call.data(), "message")},
             call.context());
}

Result<void> Notifications::put(const Note& note, const core::Context& context) {
  for (const auto& checked :
       {check_length("notification_id", note.id, kMaxText), check_length("title", note.title, kMaxText),
        check_length("message", note.message, kMaxMessage)}) {
    if (!checked) return checked;
  }
  const std::string id = note.id.empty() ? base::make_random_id() : note.id;
  json::object fields{{"message", note.message},
                      {"title", note.title.empty() ? json::value() : json::value(note.title)},
                      {"created_at", base::to_string(hub_.clock.now())},
                      {"status", "unread"}};
  if (!note.user_id.empty()) fields[core::kNoteUser] = note.user_id;
  const auto registry = hub_.registry.snapshot();
  const auto put = registry->find_item(kCollection, id)
                       ? hub_.registry.update_item(kCollection, id, std::move(fields), {}, context, IfFull::pass)
                       : hub_.registry.create_item(kCollection, id, std::move(fields), context, IfFull::pass);
  if (!put) return std::unexpected(put.error());
  const auto all = registry->items_of(kCollection);
  if (all.size() < kMost || registry->find_item(kCollection, id)) return {};
  return hub_.registry.delete_items(kCollection, {&all.front()->id, 1}, context, IfFull::pass);
}

Result<void> Notifications::dismiss(const core::ServiceCall& call) {
  const std::string id = base::text_at(call.data(), "notification_id");
  // Somebody else may have been quicker.
  const auto registry = hub_.registry.snapshot();
  const core::Item* const item = registry->find_item(kCollection, id);
  if (!item || !is_for(*item, call.context())) return {};
  return hub_.registry.delete_items(kCollection, {&id, 1}, call.context(), IfFull::pass);
}

Result<void> Notifications::dismiss_all(const core::ServiceCall& call) {
  std::vector<std::string> ids;
  const auto registry = hub_.registry.snapshot();
  for (const core::Item* const item : registry->items_of(kCollection))
    if (is_for(*item, call.context())) ids.push_back(item->id);
  return hub_.registry.delete_items(kCollection, ids, call.context(), IfFull::pass);
}

Result<void> Notifications::mark_read(const core::ServiceCall& call) {
  const std::string id = base::text_at(call.data(), "notification_id");
  const auto registry = hub_.registry.snapshot();
  const core::Item* const item = registry->find_item(kCollection, id);
  if (!item || !is_for(*item, call.context()))
    return base::fail(ErrorCode::invalid, fmt::format("notification_id: there is no {}", base::utf8_excerpt(id)));
  json::object fields = item->fields;
  fields["status"] = "read";
  const auto put = hub_.registry.update_item(kCollection, id, std::move(fields), {}, call.context(), IfFull::pass);
  if (!put) return std::unexpected(put.error());
  return {};
}

}  // namespace hearth::domains
