// SPDX-License-Identifier: Apache-2.0
// A GET whose answer is taken as it comes, without an end, such as the stream of a camera. Thread `net` only.
//
// Bounds: HttpRequest::timeout until the head has come, kSilence between bytes. Follows no redirection, and knows the
// credentials of the headers only. While it is paused, the server waits.
#pragma once

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/http/http_message.h"
#include "net/http/url.h"
#include "net/link/connection.h"
#include "net/link/connector.h"

namespace hearth::net {

class HttpStream final : private Connection::Handler {
 public:
  static constexpr std::chrono::minutes kSilence{5};

  // Called later. It may destroy the stream within each.
  class User {
   public:
    virtual ~User() = default;
    virtual void on_head(int status, std::string_view content_type) = 0;
    virtual void on_body(std::string_view bytes) = 0;
    // Once, the last call. Null: it has come to its end.
    virtual void on_end(const std::optional<Failure>& why) = 0;
  };

  // Begins at once; `request` is checked.
  HttpStream(Reactor& reactor, HttpRequest request, Url url, User& user);
  HttpStream(const HttpStream&) = delete;
  HttpStream& operator=(const HttpStream&) = delete;

  void pause();
  void resume();

 private:
  using Parser = boost::beast::http::response_parser<boost::beast::http::string_body>;
  static constexpr std::size_t kMostUnparsed = HttpRequest::kMaxHeaderBytes + 64 * 1024;

  void on_bytes(std::string_view bytes) override;
  void on_end(const std::optional<Failure>& why) override;
  void connected(std::expected<std::unique_ptr<Stream>, Failure> result);
  std::string head() const;
  void wait(std::chrono::milliseconds time, std::string_view what);
  void fail(Reason reason, std::string_view what);
  void end(const std::optional<Failure>& why);

  Reactor& reactor_;
  const HttpRequest request_;
  const Url url_;
  User& user_;
  Timer deadline_;
  std::string unparsed_;
  Parser parser_;
  bool head_told_ = false, ended_ = false;
  std::optional<Connector> connector_;
  std::unique_ptr<Connection> connection_;
  Life life_;
};

}  // namespace hearth::net
