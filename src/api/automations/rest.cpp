// SPDX-License-Identifier: Apache-2.0
// /api/config/automation/config/{id}, and the same of script and scene.
#include "api/automations/automation_files.h"
#include "api/parts.h"
#include "api/rows.h"
#include "api/system/configuration_task.h"
#include "base/digest.h"
#include "base/text/text.h"
#include "http/messages/static_file.h"

namespace hearth::api {
namespace {

// The item that the path names.
struct Item {
  AutomationFiles* files;
  std::string domain, id;
  AutomationFiles::By by;
};

Item item_of(const Call& call) {
  return {call.parts.automation_files, std::string(call.path(2)), std::string(call.path(4)),
          std::string(std::string_view(call.caller->user->id))};
}

base::Error for_people(base::Error error) {
  if (error.code == base::ErrorCode::unsupported) error.code = base::ErrorCode::invalid;
  return error;
}

// The text in the file is not the one that the client has seen.
http::Response refusal_of(const base::Error& error) {
  constexpr int kPreconditionFailed = 412;
  if (error.code == base::ErrorCode::conflict) return http::Response::message(kPreconditionFailed, error.message);
  return http::Response::error(for_people(error));
}

constexpr std::string_view kYaml = "application/yaml";

bool is_yaml(std::string_view type) {
  const std::string_view name = base::trim_blanks(type.substr(0, type.find_first_of(";,")));
  return name == kYaml || name == "application/x-yaml" || name == "text/yaml";
}

// Of the item's own text, or of what it means if it has none.
std::string tag_of(const AutomationFiles::Item& found) {
  return "\"" + base::fingerprint(found.text ? *found.text : base::to_json(found.content)) + "\"";
}

// Fails with conflict if the item is no longer what the client says it is, by If-Match.
base::Result<void> check_same(const Item& item, const std::string& if_match) {
  if (if_match.empty()) return {};
  const auto found = item.files->read(item.domain, item.id);
  if (found && http::has_tag(if_match, tag_of(*found))) return {};
  return base::fail(base::ErrorCode::conflict,
                    found ? "It was changed meanwhile; read it again." : "It is no longer there.");
}

// Lets change(files, active) do it, and answers when it is in force.
template <class Change>
void answer_when_active(const Call& call, http::Responder responder, Change change) {
  const auto shared = std::make_shared<http::Responder>(std::move(responder));
  const auto active = [shared] { shared->send(http::Response::json(R"({"result":"ok"})")); };
  const bool posted = post_to_configuration(call.parts, [shared, active, change = std::move(change)] {
    const base::Result<void> done = change(active);
    if (!done) shared->send(refusal_of(done.error()));
  });
  if (!posted) shared->send(http::Response::message(503, std::string(kConfigurationBusy)));
}

// Fails with not_found.
void get_item_text(const Call& call, http::Responder responder) {
  const std::string& accept = call.request.headers.accept;
  const bool wants_text = is_yaml(accept), takes_json = accept.contains(http::Response::kJson);
  const auto read = [item = item_of(call), wants_text, takes_json] {
    if (!item.files) return http::Response::error({base::ErrorCode::not_found, "This hub runs no automations."});
    const auto found = item.files->read(item.domain, item.id);
    if (!found) return http::Response::error(for_people(found.error()));
    http::Response response;
    const bool has_none = !found->text && found->text.error().code == base::ErrorCode::unsupported;
    if (wants_text && !(has_none && takes_json)) {
      if (!found->text) return http::Response::error(for_people(found->text.error()));
      response.content_type = kYaml;
      response.text = *found->text;
    } else {
      response = http::Response::json(base::to_json(found->content));
    }
    response.with_header("ETag", tag_of(*found));
    return response;
  };
  answer_from_configuration(call.parts, std::move(responder), read);
}

// Fails with invalid.
void post_item_text(const Call& call, http::Responder responder) {
  Item item = item_of(call);
  if (!item.files)
    return responder.send(http::Response::error({base::ErrorCode::not_found, "This hub runs no automations."}));
  const std::string& if_match = call.request.headers.if_match;
  if (is_yaml(call.request.headers.content_type)) {
    return answer_when_active(
        call, std::move(responder),
        [item = std::move(item), if_match, text = call.request.body](AutomationFiles::Active active) {
          if (auto same = check_same(item, if_match); !same) return same;
          return item.files->write_text(item.domain, item.id, text, item.by, std::move(active));
        });
  }
  auto body = base::parse_json(call.request.body);
  if (!body || !body->is_object()) {
    return responder.send(http::Response::error(
        {base::ErrorCode::invalid,
         body ? "Expected a JSON object: the item." : "Invalid JSON specified: " + body.error().message + "."}));
  }
  answer_when_active(
      call, std::move(responder),
      [item = std::move(item), if_match, wanted = std::move(body->get_object())](AutomationFiles::Active active) {
        if (auto same = check_same(item, if_match); !same) return same;
        return item.files->write(item.domain, item.id, wanted, item.by, std::move(active));
      });
}

// Fails with not_found, invalid.
void remove_item_text(const Call& call, http::Responder responder) {
  Item item = item_of(call);
  if (!item.files)
    return responder.send(http::Response::error({base::ErrorCode::not_found, "This hub runs no automations."}));
  answer_when_active(call, std::move(responder), [item = std::move(item)](AutomationFiles::Active active) {
    return item.files->remove(item.domain, item.id, item.by, std::move(active));
  });
}

constexpr Answer kItem[] = {
    {200, "With the present names of its keys, secrets as ********; as application/yaml its own text in the file.",
     "AutomationItem"},
    {200, "", "Text", "application/yaml"}};
constexpr Answer kItemChanged[] = {{200, "It is in its file, and in force.", "ItemChanged"},
                                   {412, "It is not what If-Match says.", "Message"}};
constexpr Body kItemBody{.schema = "AutomationItem", .required = true, .text_type = "application/yaml"};

// A row for the text of an item that is in a file.
constexpr Endpoint item_text(http::Verb method, std::string_view path, AsyncHandler handler, std::string_view summary,
                             std::span<const Answer> answers) {
  const bool writes = method == http::Verb::post;
  return {method, path, Access::admin, handler, Durable::no, summary, answers, {}, writes ? &kItemBody : nullptr,
          !writes};
}

}  // namespace

constexpr Endpoint kItemTextEndpointRows[] = {
    item_text(http::Verb::get, "/api/config/automation/config/{id}", get_item_text, "An automation as it is written",
              kItem),
    item_text(http::Verb::post, "/api/config/automation/config/{id}", post_item_text, "Make or replace an automation",
              kItemChanged),
    item_text(http::Verb::delete_, "/api/config/automation/config/{id}", remove_item_text, "Remove an automation",
              kItemChanged),
    item_text(http::Verb::get, "/api/config/script/config/{id}", get_item_text, "A script as it is written", kItem),
    item_text(http::Verb::post, "/api/config/script/config/{id}", post_item_text, "Make or replace a script",
              kItemChanged),
    item_text(http::Verb::delete_, "/api/config/script/config/{id}", remove_item_text, "Remove a script", kItemChanged),
    item_text(http::Verb::get, "/api/config/scene/config/{id}", get_item_text, "A scene as it is written", kItem),
    item_text(http::Verb::post, "/api/config/scene/config/{id}", post_item_text, "Make or replace a scene",
              kItemChanged),
    item_text(http::Verb::delete_, "/api/config/scene/config/{id}", remove_item_text, "Remove a scene", kItemChanged),
};
constexpr Endpoints kItemTextEndpoints = kItemTextEndpointRows;

}  // namespace hearth::api
