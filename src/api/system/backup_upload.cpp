// SPDX-License-Identifier: Apache-2.0
#include "api/system/backup_upload.h"

#include "api/gateway/upload_sink.h"
#include "api/parts.h"
#include "api/rows.h"
#include "backup/upload.h"
#include "base/text/timestamp.h"

namespace hearth::api {
namespace {

using BackupSink = UploadSink<backup::Upload>;

std::expected<std::shared_ptr<http::BodySink>, http::Response> receive_upload(const Call& call) {
  return receive_backup(call, call.request.target.query("name").value_or(""), false);
}

// Fails with invalid, unavailable.
void upload_backup(const Call& call, http::Responder responder) {
  finish_upload(call, std::move(responder), 201);
}

constexpr Answer kUploaded[] = {{201, "The backup is one of those that the hub keeps.", "Backup"},
                                {503, "Another one is being uploaded, or the disk is too full.", "Message"}};
constexpr Parameter kBackupName[] = {
    {"name", "What to call it: letters, digits, _ and -. By default the time at which it was made.",
     R"({"type": "string", "maxLength": 64})"}};

}  // namespace

std::expected<std::shared_ptr<http::BodySink>, http::Response> receive_backup(const Call& call, std::string_view name,
                                                                              bool replace) {
  if (!call.parts.backups) return std::unexpected(no_backups());
  auto upload = call.parts.backups->upload(name, replace);
  if (!upload) return std::unexpected(http::Response::error(upload.error()));
  return std::make_shared<BackupSink>(std::move(*upload));
}

void finish_upload(const Call& call, http::Responder responder, int status) {
  auto shared = std::make_shared<http::Responder>(std::move(responder));
  // The request may be over before the upload is checked.
  const auto sink = std::static_pointer_cast<BackupSink>(call.request.sink);
  sink->upload->finish([shared, sink, status](const base::Result<backup::BackupInfo>& kept) {
    if (!kept) return shared->send(http::Response::error(kept.error()));
    http::Response response = http::Response::json(base::to_json(described(*kept)), status);
    if (status == 201) response.with_header("Location", "/api/backups/" + kept->name);
    shared->send(std::move(response));
  });
}

json::object described(const backup::BackupInfo& backup) {
  return {{"name", backup.name},
          {"bytes", backup.bytes},
          {"created", base::to_string(backup.created)},
          {"version", backup.version.empty() ? json::value() : json::value(backup.version)},
          {"encrypted", backup.encrypted}};
}

http::Response no_backups() {
  return http::Response::error({base::ErrorCode::unavailable, "This hub makes no backups."});
}

constexpr Endpoint kBackupUploadEndpointRows[] = {
    {http::Verb::post, "/api/backups", Access::admin, upload_backup, Durable::no, "Upload a backup", kUploaded,
     kBackupName, &kBackupFile, false, receive_upload},
};
constexpr Endpoints kBackupUploadEndpoints = kBackupUploadEndpointRows;

}  // namespace hearth::api
