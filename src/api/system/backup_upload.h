// SPDX-License-Identifier: Apache-2.0
// Receives a backup into the folder of the backups, for the endpoints that take one. Worker threads.
#pragma once

#include <expected>
#include <memory>
#include <string_view>

#include "api/call.h"
#include "api/endpoint.h"
#include "backup/backups.h"
#include "http/messages/body_sink.h"
#include "http/messages/handler.h"
#include "http/messages/response.h"

namespace hearth::api {

inline constexpr Body kBackupFile{"File", true, false, true};

// `name` and `replace` as backup::Backups::upload has them.
std::expected<std::shared_ptr<http::BodySink>, http::Response> receive_backup(const Call& call, std::string_view name,
                                                                              bool replace);
// REQUIRES: a request whose sink receive_backup made. Answers with the backup, or with what is wrong with it.
void finish_upload(const Call& call, http::Responder responder, int status);

json::object described(const backup::BackupInfo& backup);
http::Response no_backups();

}  // namespace hearth::api
