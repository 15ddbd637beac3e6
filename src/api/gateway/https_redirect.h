// SPDX-License-Identifier: Apache-2.0
// Answers of the port without TLS beside the one that has it: it leads pages there, shows the challenges by which a
// certificate is got (RFC 8555 §8.3), and serves nothing else. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>

#include "http/messages/request.h"
#include "http/messages/response.h"

namespace hearth::api {

struct HttpsRedirect {
  bool pages = true;                      // false: challenges only
  std::filesystem::path challenges = {};  // the folder of their files; empty: there are none

  // 308 for GET and HEAD of pages, 403 for what programs ask and for whatever brings a token: who sends one without
  // TLS should hear of it. `port` is the one with TLS.
  http::Response answer(const http::Request& request, std::uint16_t port) const;
};

}  // namespace hearth::api
