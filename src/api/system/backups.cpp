// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "api/parts.h"
#include "api/rows.h"
#include "api/system/backup_upload.h"
#include "base/log/log.h"

namespace hearth::api {
namespace {

using backup::Backups;

constexpr std::size_t kPiece = 256 * 1024;

// A backup's file as fast as the client takes it, read on the thread of the backups.
class FilePieces final : public http::PieceSource, public std::enable_shared_from_this<FilePieces> {
 public:
  FilePieces(Backups& backups, Backups::Opened opened) : backups_(backups), opened_(std::move(opened)) {}

  void next(std::function<void(std::optional<Piece>)> ready) override {
    const bool posted = backups_.post([self = shared_from_this(), ready] { ready(self->read()); });
    if (!posted) ready({});
  }

 private:
  std::optional<Piece> read() {
    std::string bytes(std::min<std::uint64_t>(kPiece, opened_.bytes - sent_), '\0');
    const auto size = opened_.file.read_at(sent_, bytes);
    if (!size || *size < bytes.size()) {
      base::log_warning("backup", "a download of {} was cut short: {}", opened_.file_name,
                        size ? "the file has changed" : size.error().message);
      return {};
    }
    sent_ += bytes.size();
    return Piece{std::move(bytes), sent_ < opened_.bytes};
  }

  Backups& backups_;
  const Backups::Opened opened_;
  std::uint64_t sent_ = 0;  // one piece is asked for at a time
};

// Calls `ask` with the backups and where the answer goes.
template <class Ask>
void answer(const Call& call, http::Responder responder, const Ask& ask) {
  auto shared = std::make_shared<http::Responder>(std::move(responder));
  if (call.parts.backups) return ask(*call.parts.backups, shared);
  shared->send(no_backups());
}

void list_backups(const Call& call, http::Responder responder) {
  answer(call, std::move(responder), [](Backups& backups, const std::shared_ptr<http::Responder>& to) {
    backups.list([to](const base::Result<std::vector<backup::BackupInfo>>& found) {
      if (!found) return to->send(http::Response::error(found.error()));
      json::array list;
      for (const auto& one : *found) list.push_back(described(one));
      to->send(http::Response::json(base::to_json(json::value(std::move(list)))));
    });
  });
}

// Fails with not_found.
void download_backup(const Call& call, http::Responder responder) {
  answer(call, std::move(responder), [&](Backups& backups, const std::shared_ptr<http::Responder>& to) {
    backups.open(std::string(call.path(2)), [to, &backups](base::Result<Backups::Opened> opened) {
      if (!opened) return to->send(http::Response::error(opened.error()));
      http::Response response;
      response.content_type = "application/octet-stream";
      response.with_header("Content-Disposition", fmt::format("attachment; filename=\"{}\"", opened->file_name));
      response.length = opened->bytes;
      if (opened->bytes > 0) response.pieces = std::make_shared<FilePieces>(backups, std::move(*opened));
      to->send(std::move(response));
    });
  });
}

// Fails with not_found.
void remove_backup(const Call& call, http::Responder responder) {
  answer(call, std::move(responder), [&](Backups& backups, const std::shared_ptr<http::Responder>& to) {
    backups.remove(std::string(call.path(2)), [to](const base::Result<void>& removed) {
      to->send(removed ? http::Response::message(200, "Backup removed.") : http::Response::error(removed.error()));
    });
  });
}

constexpr Answer kBackups[] = {{200, "The backups that the hub keeps, newest first.", "Backups"}};
constexpr Answer kBackup[] = {{200, "The file.", "File", "application/octet-stream"}};

}  // namespace

constexpr Endpoint kBackupEndpointRows[] = {
    {http::Verb::get, "/api/backups", Access::admin, list_backups, Durable::no, "The backups that the hub keeps",
     kBackups},
    {http::Verb::get,
     "/api/backups/{name}",
     Access::admin,
     download_backup,
     Durable::no,
     "Download a backup",
     kBackup,
     {},
     nullptr,
     true},
    {http::Verb::delete_,
     "/api/backups/{name}",
     Access::admin,
     remove_backup,
     Durable::no,
     "Remove a backup",
     kMessage,
     {},
     nullptr,
     true},
};
constexpr Endpoints kBackupEndpoints = kBackupEndpointRows;

}  // namespace hearth::api
