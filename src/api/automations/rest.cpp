// SPDX-License-Identifier: Apache-2.0
// /api/config/automation/config/{id}, and the same of script and scene.
#include "api/accounts/accounts_answer.h"
#include "api/automations/automation_files.h"
#include "api/handlers.h"
#include "api/records.h"

namespace hearth::api {
namespace {

// What the path names.
struct Item {
  AutomationFiles* files;
  std::string domain, id;
  AutomationFiles::By by;
};

Item item_of(const Call& call) {
  return {call.records.automation_files, std::string(call.path(2)), std::string(call.path(4)),
          std::string(std::string_view(call.caller->user->id))};
}

base::Error for_people(base::Error error) {
  if (error.code == base::ErrorCode::unsupported) error.code = base::ErrorCode::invalid;
  return error;
}

// Lets change(files, active) do it, and answers when it is in force.
template <class Change>
void answer_when_active(const Call& call, http::Responder responder, Change change) {
  const auto shared = std::make_shared<http::Responder>(std::move(responder));
  const auto active = [shared] { shared->send(http::Response::json(R"({"result":"ok"})")); };
  const bool posted = call.gate.accounts.post([shared, active, change = std::move(change)](auth::AccountStore&) {
    base::Result<void> done = change(active);
    return auth::Accounts::Reply{[shared, done] {
      if (!done) shared->send(http::Response::error(for_people(done.error())));
    }};
  });
  if (!posted) {
    shared->send(http::Response::error(
        {base::ErrorCode::unavailable, "The hub has too much to do with accounts and settings."}));
  }
}

}  // namespace

void automation_config::get(const Call& call, http::Responder responder) {
  answer_from_accounts(call.gate, std::move(responder), [item = item_of(call)](auth::AccountStore&) {
    if (!item.files) return http::Response::error({base::ErrorCode::not_found, "This hub runs no automations."});
    const auto found = item.files->read(item.domain, item.id);
    return found ? http::Response::json(base::to_json(*found)) : http::Response::error(for_people(found.error()));
  });
}

void automation_config::post(const Call& call, http::Responder responder) {
  auto body = base::parse_json(call.request.body);
  if (!body || !body->is_object()) {
    return responder.send(http::Response::error(
        {base::ErrorCode::invalid,
         body ? "Expected a JSON object: the item." : "Invalid JSON specified: " + body.error().message + "."}));
  }
  Item item = item_of(call);
  if (!item.files)
    return responder.send(http::Response::error({base::ErrorCode::not_found, "This hub runs no automations."}));
  answer_when_active(call, std::move(responder),
                     [item = std::move(item), wanted = std::move(body->get_object())](AutomationFiles::Active active) {
                       return item.files->write(item.domain, item.id, wanted, item.by, std::move(active));
                     });
}

void automation_config::remove(const Call& call, http::Responder responder) {
  Item item = item_of(call);
  if (!item.files)
    return responder.send(http::Response::error({base::ErrorCode::not_found, "This hub runs no automations."}));
  answer_when_active(call, std::move(responder), [item = std::move(item)](AutomationFiles::Active active) {
    return item.files->remove(item.domain, item.id, item.by, std::move(active));
  });
}

}  // namespace hearth::api
