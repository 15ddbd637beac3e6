// SPDX-License-Identifier: Apache-2.0
// A request of the HTTP client, and its answer. Values; any thread.
#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/reactor/failure.h"

namespace hearth::net {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

// Of requests under way.
struct HttpBounds {
  std::size_t most = 8, of_a_host = 2;
};

struct HttpCredentials {
  enum class Kind { basic, digest };
  Kind kind = Kind::basic;
  std::string user, password;
};

// The URL may have a user name and a password; `credentials` come first.
struct HttpRequest {
  static constexpr std::size_t kMaxBody = 1024 * 1024;       // bytes of an answer, by default
  static constexpr std::size_t kMaxSent = 4 * 1024 * 1024;   // bytes of a request's body
  static constexpr std::size_t kMaxHeaderBytes = 16 * 1024;  // of a request, and of an answer

  std::string method = "GET";
  std::string url;
  // The client's own are not taken from here: Connection, Content-Length, Transfer-Encoding, Accept-Encoding, TE,
  // Expect. Only Accept, Accept-Language, Content-Type and User-Agent go with a redirection to another origin.
  HttpHeaders headers = {};
  std::string body = {};
  std::optional<HttpCredentials> credentials = {};
  std::chrono::milliseconds timeout = std::chrono::seconds(10);  // from when it begins, with all redirections
  std::chrono::milliseconds first_byte{0};  // likewise, until the answer begins; 0: it has no bound of its own
  std::size_t max_body = kMaxBody;
  int redirections = 3;
  bool verify_certificate = true;
  bool only_public = false;      // a stranger has named the URL: it must not lead into this machine or this network
  std::string authorities = {};  // as TlsOptions has it
};

struct HttpResponse {
  int status = 0;
  HttpHeaders headers;
  std::string body;
  std::string url;         // that has answered, without credentials
  std::string media_type;  // lower case, without parameters: `text/html`; may be empty
  std::string charset;     // lower case; empty if the server names none

  // The first of that name, in any case. Null if there is none.
  const std::string* header(std::string_view name) const;
};
using HttpResult = std::expected<HttpResponse, Failure>;

// Fails with unknown if it cannot be sent: no method, a field that would split the request, too much body.
std::optional<Failure> check_request(const HttpRequest& request);

}  // namespace hearth::net
