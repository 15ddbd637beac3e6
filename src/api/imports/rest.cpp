// SPDX-License-Identifier: Apache-2.0
// /api/imports: backups of another hub that were uploaded, and what the import does.
#include "api/gateway/upload_sink.h"
#include "api/imports/import_upload.h"
#include "api/imports/imports.h"
#include "api/parts.h"
#include "api/rows.h"
#include "api/system/backup_upload.h"

namespace hearth::api {
namespace {

using ImportSink = UploadSink<Imports::Upload>;

std::expected<std::shared_ptr<http::BodySink>, http::Response> receive_import_upload(const Call& call) {
  return receive_import(call, call.request.target.query("name").value_or(""));
}

// Fails with invalid, unavailable.
void upload_import(const Call& call, http::Responder responder) {
  finish_import_upload(call, std::move(responder), 201);
}

void list_imports(const Call& call, http::Responder responder) {
  if (!call.parts.home_imports) return responder.send(no_imports());
  auto shared = std::make_shared<http::Responder>(std::move(responder));
  call.parts.home_imports->list([shared](const base::Result<json::object>& found) {
    shared->send(found ? http::Response::json(base::to_json(*found)) : http::Response::error(found.error()));
  });
}

// Fails with not_found.
void remove_import(const Call& call, http::Responder responder) {
  if (!call.parts.home_imports) return responder.send(no_imports());
  auto shared = std::make_shared<http::Responder>(std::move(responder));
  call.parts.home_imports->remove(std::string(call.path(2)), [shared](const base::Result<void>& removed) {
    shared->send(removed ? http::Response::json("{}") : http::Response::error(removed.error()));
  });
}

constexpr Answer kImports[] = {{200, "What can be imported, and what the import does.", "Imports"}};
constexpr Answer kImportUploaded[] = {{201, "The backup can be imported.", "ImportUpload"},
                                      {503, "Another one is being uploaded, or the disk is too full.", "Message"}};
constexpr Answer kImportRemoved[] = {{200, "It is removed.", "Nothing"}};
constexpr Parameter kImportName[] = {
    {"name", "What to call it: letters, digits, _ and -. By default the time at which it came.",
     R"({"type": "string", "maxLength": 64})"}};

}  // namespace

std::expected<std::shared_ptr<http::BodySink>, http::Response> receive_import(const Call& call, std::string_view name) {
  if (!call.parts.home_imports) return std::unexpected(no_imports());
  auto upload = call.parts.home_imports->upload(name);
  if (!upload) return std::unexpected(http::Response::error(upload.error()));
  return std::make_shared<ImportSink>(std::move(*upload));
}

void finish_import_upload(const Call& call, http::Responder responder, int status) {
  auto shared = std::make_shared<http::Responder>(std::move(responder));
  // The request may be over before the upload is checked.
  const auto sink = std::static_pointer_cast<ImportSink>(call.request.sink);
  sink->upload->finish([shared, sink, status](const base::Result<json::object>& kept) {
    if (!kept) return shared->send(http::Response::error(kept.error()));
    shared->send(http::Response::json(base::to_json(*kept), status));
  });
}

http::Response no_imports() {
  return http::Response::error({base::ErrorCode::unavailable, "This hub imports nothing."});
}

http::Response import_error(const Call& call, const base::Error& error) {
  if (error.code != base::ErrorCode::throttled) return http::Response::error(error);
  return too_many_requests(error.message, call.parts.home_imports->retry_after());
}

constexpr Endpoint kImportEndpointRows[] = {
    {http::Verb::get, "/api/imports", Access::admin, list_imports, Durable::no, "What can be imported", kImports},
    {http::Verb::post, "/api/imports", Access::admin, upload_import, Durable::no,
     "Upload a backup of Home Assistant to import", kImportUploaded, kImportName, &kBackupFile, false,
     receive_import_upload},
    {http::Verb::delete_,
     "/api/imports/{name}",
     Access::admin,
     remove_import,
     Durable::no,
     "Remove an uploaded backup of Home Assistant",
     kImportRemoved,
     {},
     nullptr,
     true},
};
constexpr Endpoints kImportEndpoints = kImportEndpointRows;

}  // namespace hearth::api
