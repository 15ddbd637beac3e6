// SPDX-License-Identifier: Apache-2.0
// A home that has no user yet starts from a backup: it is uploaded, and then restored.
#include <fmt/format.h>

#include <algorithm>

#include "api/accounts/first_start.h"
#include "api/gateway/json_body.h"
#include "api/parts.h"
#include "api/rows.h"
#include "api/system/backup_upload.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"

namespace hearth::api {
namespace {

// Always the same one, so that strangers cannot fill the disk.
constexpr std::string_view kName = "first_start";
constexpr std::size_t kMaxFileName = 255;

struct Order {
  std::string passphrase;
  std::string code;
  std::string file;
};

base::Result<Order> parse_order(std::string_view text) {
  const auto body = parse_json_body(text);
  if (!body) return std::unexpected(body.error());
  Order order;
  for (const auto& [name, to] : {std::pair<std::string_view, std::string*>{"passphrase", &order.passphrase},
                                 {"code", &order.code},
                                 {"file", &order.file}}) {
    auto field = optional_text_field(*body, name);
    if (!field) return std::unexpected(std::move(field.error()));
    *to = std::move(*field).value_or("");
  }
  const auto length = base::utf8_length(order.file);
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (!length || *length > kMaxFileName || std::ranges::any_of(order.file, is_control))
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("file: expected a file's name of at most {} characters.", kMaxFileName));
  return order;
}

std::expected<std::shared_ptr<http::BodySink>, http::Response> receive_first_backup(const Call& call) {
  if (auto refused = refuse_second_start(call)) return std::unexpected(std::move(*refused));
  // A page of another site cannot send this type without asking first.
  if (!is_media_type(call.request.headers.content_type, "application/octet-stream")) {
    return std::unexpected(http::Response::message(400, "Content-Type: expected application/octet-stream."));
  }
  if (auto refused = refuse_code(call, "X-First-User-Code", call.request.headers.x_first_user_code))
    return std::unexpected(std::move(*refused));
  return api::receive_backup(call, kName, true);
}

// Fails with invalid, unavailable.
void post_first_backup(const Call& call, http::Responder responder) {
  finish_upload(call, std::move(responder), 200);
}

// Fails with invalid, forbidden.
void restore_first_backup(const Call& call, http::Responder responder) {
  if (auto refused = refuse_second_start(call)) return responder.send(std::move(*refused));
  if (!is_media_type(call.request.headers.content_type, http::Response::kJson))
    return responder.send(http::Response::message(400, "Content-Type: expected application/json."));
  auto order = parse_order(call.request.body);
  if (!order) return responder.send(http::Response::error(order.error()));
  if (auto refused = refuse_code(call, "code", order->code)) return responder.send(std::move(*refused));
  if (!call.parts.backups) return responder.send(no_backups());
  auto shared = std::make_shared<http::Responder>(std::move(responder));
  backup::Backups::Restore restore{std::string(kName),
                                   std::move(order->passphrase),
                                   false,
                                   {},
                                   [&accounts = call.gate.accounts](const auto&) -> base::Result<void> {
                                     if (!accounts.any_users()) return {};
                                     return base::fail(base::ErrorCode::forbidden,
                                                       "This home has its first user already.");
                                   },
                                   std::move(order->file)};
  call.parts.backups->restore(
      std::move(restore), [shared, restart = call.parts.restart](const base::Result<backup::Manifest>& done) {
        if (!done) return shared->send(http::Response::error(done.error()));
        shared->send(http::Response::json(base::to_json(json::object{{"home", done->home_name},
                                                                     {"created", base::to_string(done->created)},
                                                                     {"version", done->version},
                                                                     {"restarting", true}})));
        restart();
      });
}

constexpr Answer kFirstBackup[] = {
    {200, "The backup is there, and can be restored.", "Backup"},
    {403, "This home has its first user already, the code is missing or wrong, or a page of another site asks.",
     "Message"},
    {503, "Another one is being uploaded, or the disk is too full.", "Message"}};
constexpr Answer kFirstRestore[] = {
    {200, "The hub restarts as the home of the backup.", "FirstRestore"},
    {403, "This home has its first user already, the code is missing or wrong, or a page of another site asks.",
     "Message"}};
constexpr Body kFirstRestoreOrder{"FirstRestoreOrder", true};

}  // namespace

constexpr Endpoint kFirstBackupEndpointRows[] = {
    {http::Verb::post,
     "/api/onboarding/backup",
     Access::open,
     post_first_backup,
     Durable::no,
     "Upload the backup that a new home starts from",
     kFirstBackup,
     {},
     &kBackupFile,
     false,
     receive_first_backup},
    {http::Verb::post,
     "/api/onboarding/restore",
     Access::open,
     restore_first_backup,
     Durable::no,
     "Start a new home from the uploaded backup",
     kFirstRestore,
     {},
     &kFirstRestoreOrder},
};
constexpr Endpoints kFirstBackupEndpoints = kFirstBackupEndpointRows;

}  // namespace hearth::api
