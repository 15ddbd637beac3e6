// SPDX-License-Identifier: Apache-2.0
// A home that has no user yet starts from another hub's backup: it is uploaded, looked at, and imported.
#include <fmt/format.h>

#include "api/accounts/first_start.h"
#include "api/gateway/json_body.h"
#include "api/imports/import_order.h"
#include "api/imports/import_upload.h"
#include "api/imports/imports.h"
#include "api/parts.h"
#include "api/rows.h"
#include "api/system/backup_upload.h"

namespace hearth::api {
namespace {

std::expected<std::shared_ptr<http::BodySink>, http::Response> receive_first_import(const Call& call) {
  if (auto refused = refuse_second_start(call)) return std::unexpected(std::move(*refused));
  // A page of another site cannot send this type without asking first.
  if (!is_media_type(call.request.headers.content_type, "application/octet-stream")) {
    return std::unexpected(http::Response::message(400, "Content-Type: expected application/octet-stream."));
  }
  if (auto refused = refuse_code(call, "X-First-User-Code", call.request.headers.x_first_user_code))
    return std::unexpected(std::move(*refused));
  return receive_import(call, Imports::kFirstStart);
}

// Fails with invalid, unavailable.
void post_first_import(const Call& call, http::Responder responder) {
  finish_import_upload(call, std::move(responder), 200);
}

enum class OrderFields { nothing, passphrase, all };

// The order of somebody who may give it. Fails with the refusal.
std::expected<Imports::Order, http::Response> first_order(const Call& call, OrderFields wanted) {
  if (auto refused = refuse_second_start(call)) return std::unexpected(std::move(*refused));
  if (!is_media_type(call.request.headers.content_type, http::Response::kJson))
    return std::unexpected(http::Response::message(400, "Content-Type: expected application/json."));
  const auto body = parse_json_body(call.request.body);
  if (!body) return std::unexpected(http::Response::error(body.error()));
  Imports::Order order;
  order.source = fmt::format("upload:{}", Imports::kFirstStart);
  std::string code, automations = "as-they-were";
  MessageReader in(*body);
  in.optional("code", code);
  if (wanted == OrderFields::passphrase) in.optional("passphrase", order.passphrase);
  if (wanted == OrderFields::all) read_import_options(in, order, automations);
  auto read = in.finish();
  if (read) read = check_import_options(automations, order);
  if (!read) return std::unexpected(http::Response::error(read.error()));
  if (auto refused = refuse_code(call, "code", code)) return std::unexpected(std::move(*refused));
  if (!call.parts.home_imports) return std::unexpected(no_imports());
  return order;
}

http::Response shown_state(Imports& imports, int status = 200) {
  return http::Response::json(base::to_json(imports.state()), status);
}

// Fails with invalid, forbidden, conflict, throttled, unavailable.
void look_at_first_import(const Call& call, http::Responder responder) {
  auto order = first_order(call, OrderFields::passphrase);
  if (!order) return responder.send(std::move(order.error()));
  auto shared = std::make_shared<http::Responder>(std::move(responder));
  const auto kept = std::make_shared<std::shared_ptr<void>>();  // until it has answered
  auto begun =
      call.parts.home_imports->look(std::move(*order), [shared, kept](const base::Result<json::object>& report) {
        shared->send(report ? http::Response::json(base::to_json(*report)) : http::Response::error(report.error()));
      });
  if (!begun) return shared->send(import_error(call, begun.error()));
  *kept = std::move(*begun);
}

// Likewise.
void start_first_import(const Call& call, http::Responder responder) {
  auto order = first_order(call, OrderFields::all);
  if (!order) return responder.send(std::move(order.error()));
  const auto begun = call.parts.home_imports->start(std::move(*order));
  responder.send(begun ? shown_state(*call.parts.home_imports, 202) : import_error(call, begun.error()));
}

// Fails with invalid, forbidden.
void tell_first_import(const Call& call, http::Responder responder) {
  const auto order = first_order(call, OrderFields::nothing);
  responder.send(order ? shown_state(*call.parts.home_imports) : std::move(order.error()));
}

// Fails with invalid, forbidden, unavailable.
void cancel_first_import(const Call& call, http::Responder responder) {
  const auto order = first_order(call, OrderFields::nothing);
  if (!order) return responder.send(std::move(order.error()));
  auto shared = std::make_shared<http::Responder>(std::move(responder));
  call.parts.home_imports->cancel([shared, imports = call.parts.home_imports](const base::Result<void>& done) {
    shared->send(done ? shown_state(*imports) : http::Response::error(done.error()));
  });
}

constexpr std::string_view kNotFirst =
    "This home has its first user already, the code is missing or wrong, or a page of another site asks.";
constexpr Answer kFirstImport[] = {{200, "The backup is there, and can be imported.", "ImportUpload"},
                                   {403, kNotFirst, "Message"},
                                   {503, "Another one is being uploaded, or the disk is too full.", "Message"}};
constexpr Answer kFirstLook[] = {
    {200, "What would come: the report of a dry run.", "ImportReport"},
    {403, kNotFirst, "Message"},
    {404, "No backup was uploaded.", "Message"},
    {409, "Another import is under way.", "Message"},
    {503, "It cannot be read: the passphrase is wrong, or the file is damaged.", "Message"}};
constexpr Answer kFirstBegun[] = {{202, "It has begun. At its end the hub restarts as the home.", "ImportState"},
                                  {403, kNotFirst, "Message"},
                                  {404, "No backup was uploaded.", "Message"},
                                  {409, "Another import is under way.", "Message"},
                                  {503, "The hub has too much to do.", "Message"}};
constexpr Answer kFirstState[] = {{200, "What the import does.", "ImportState"}, {403, kNotFirst, "Message"}};
constexpr Body kFirstLookOrder{"ImportLook", true}, kFirstImportOrder{"ImportOrder", true},
    kFirstCode{"ImportCode", true};

}  // namespace

constexpr Endpoint kFirstImportEndpointRows[] = {
    {http::Verb::post,
     "/api/onboarding/import",
     Access::open,
     post_first_import,
     Durable::no,
     "Upload the backup of Home Assistant that a new home starts from",
     kFirstImport,
     {},
     &kBackupFile,
     false,
     receive_first_import},
    {http::Verb::post,
     "/api/onboarding/import/look",
     Access::open,
     look_at_first_import,
     Durable::no,
     "Say what would come of the uploaded backup",
     kFirstLook,
     {},
     &kFirstLookOrder},
    {http::Verb::post,
     "/api/onboarding/import/start",
     Access::open,
     start_first_import,
     Durable::no,
     "Start a new home from the uploaded backup of Home Assistant",
     kFirstBegun,
     {},
     &kFirstImportOrder},
    {http::Verb::post,
     "/api/onboarding/import/state",
     Access::open,
     tell_first_import,
     Durable::no,
     "Say how far the import is",
     kFirstState,
     {},
     &kFirstCode},
    {http::Verb::post,
     "/api/onboarding/import/cancel",
     Access::open,
     cancel_first_import,
     Durable::no,
     "Cancel the import",
     kFirstState,
     {},
     &kFirstCode},
};
constexpr Endpoints kFirstImportEndpoints = kFirstImportEndpointRows;

}  // namespace hearth::api
