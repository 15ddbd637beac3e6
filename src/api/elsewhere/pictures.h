// SPDX-License-Identifier: Apache-2.0
// Pictures, streams and files of videos that another hub has. Each passes through: nothing of it is stored here.
// Any thread.
#pragma once

#include <string>

#include "api/call.h"
#include "http/messages/handler.h"

namespace hearth::api {

// A drawing (SVG) that is opened by itself runs no script and loads nothing.
inline constexpr std::string_view kPicturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

// `hub`: as View::elsewhere names it. `rest`: the first segment of the request's path that follows the entity.
void get_picture_elsewhere(const Call& call, const std::string& hub, const std::string& entity_id, std::size_t rest,
                           http::Responder responder);
void get_stream_elsewhere(const Call& call, const std::string& hub, const std::string& entity_id,
                          http::Responder responder);

}  // namespace hearth::api
