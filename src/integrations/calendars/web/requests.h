// SPDX-License-Identifier: Apache-2.0
// Requests to the server of a calendar, with its credentials: basic authentication, or digest if the server wants that.
// Bus thread only.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/handle.h"
#include "core/values/secret.h"
#include "net/http/http_client.h"

namespace hearth::integrations::calendars {

struct Access {
  std::string user = {};
  core::Secret password = {};
  bool verify_certificate = true;
};

class Requests {
 public:
  static constexpr std::chrono::seconds kTimeout{30};
  // Answers with 401 or 403 are failures with invalid_auth, others beyond 399 with cannot_connect; the sentence names
  // the host.
  using Done = std::function<void(net::HttpResult result)>;

  // The client must outlive it.
  Requests(net::HttpClient& client, Access access) : client_(client), access_(std::move(access)) {}

  // One at a time: another request takes the place of the present one, which is not answered then. `accepted`: a status
  // beyond 399 that is an answer, too.
  void ask(net::HttpRequest request, Done done, int accepted = 0);
  void cancel() { open_ = {}; }

 private:
  void send(net::HttpRequest request, Done done, int accepted);

  net::HttpClient& client_;
  const Access access_;
  bool digest_ = false;
  base::Handle open_;
};

// webcal:// becomes https://. Empty if it is no address of a calendar.
std::string web_address(std::string_view text);

}  // namespace hearth::integrations::calendars
