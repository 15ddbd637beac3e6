// SPDX-License-Identifier: Apache-2.0
// One request until its answer: with its redirections, and the second try that digest authentication needs. Thread
// `net` only.
#pragma once

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "net/http/digest_memory.h"
#include "net/http/http_message.h"
#include "net/http/http_wire.h"
#include "net/http/url.h"
#include "net/link/connector.h"

namespace hearth::net {

class HttpExchange final : private Connection::Handler {
 public:
  using Done = std::move_only_function<void(HttpResult result)>;

  // Begins at once. `request` has been checked, `url` is its address. Calls `done` once, later; it may destroy this.
  HttpExchange(Reactor& reactor, HttpPool& pool, DigestMemory& digests, HttpRequest request, Url url, Done done);
  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;

 private:
  using Parser = boost::beast::http::response_parser<boost::beast::http::string_body>;
  static constexpr std::size_t kPiece = 256 * 1024;  // of the body, given to the connection at a time
  static constexpr int kMostInterim = 8;             // answers such as 102 before the answer
  // Bytes that the parser leaves until more have come: a head, or the line before a chunk.
  static constexpr std::size_t kMostUnparsed = HttpRequest::kMaxHeaderBytes + 64 * 1024;

  void on_bytes(std::string_view bytes) override;
  void on_sent() override { send_body(); }
  void on_end(const std::optional<Failure>& why) override;

  // The time since the beginning.
  void start_deadline(std::chrono::milliseconds limit);
  Target target() const;  // of the present URL
  void begin(bool may_reuse);
  void connected(std::expected<std::unique_ptr<Stream>, Failure> result);
  void send();
  void send_body();
  void begin_answer();
  // The Authorization field; empty if there is none.
  std::string authorization();
  std::string digest_key() const;
  std::string head();
  void answered();
  // True if the request goes out again.
  bool challenged(const HttpResponse& response);
  // As well, or if it may not and has ended, which may have destroyed this.
  bool redirected(const HttpResponse& response);
  HttpResponse take_response();
  void fail(Reason reason, std::string_view what);
  void end(HttpResult result);

  Reactor& reactor_;
  HttpPool& pool_;
  DigestMemory& digests_;
  HttpRequest request_;
  std::optional<HttpCredentials> credentials_;
  const Url first_url_;
  Url url_;
  Done done_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  Timer deadline_;
  int redirections_ = 0;
  int digest_tries_ = 0;
  std::optional<DigestChallenge> answered_challenge_;  // that the present request answers
  std::optional<Connector> connector_;
  std::unique_ptr<HttpWire> wire_;
  bool reused_ = false;     // the connection has served others before
  bool heard_any_ = false;  // of the answer
  std::size_t sent_ = 0;    // bytes of the body
  std::string unparsed_;
  std::optional<Parser> parser_;
  int interim_ = 0;
};

}  // namespace hearth::net
