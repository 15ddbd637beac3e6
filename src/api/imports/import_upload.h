// SPDX-License-Identifier: Apache-2.0
// Receives a backup of another hub, for the endpoints that take one. Worker threads.
#pragma once

#include <expected>
#include <memory>
#include <string_view>

#include "api/call.h"
#include "http/messages/body_sink.h"
#include "http/messages/handler.h"
#include "http/messages/response.h"

namespace hearth::api {

std::expected<std::shared_ptr<http::BodySink>, http::Response> receive_import(const Call& call, std::string_view name);
// REQUIRES: a request whose sink receive_import made. Answers with the source, or with what is wrong with it.
void finish_import_upload(const Call& call, http::Responder responder, int status);

http::Response no_imports();
// Of throttled with the time to wait.
http::Response import_error(const Call& call, const base::Error& error);

}  // namespace hearth::api
