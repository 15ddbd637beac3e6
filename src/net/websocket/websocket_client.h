// SPDX-License-Identifier: Apache-2.0
// A WebSocket to a server (RFC 6455), kept by a link: it comes back by itself. Without compression. Thread `net` only.
//
// The handler is called from the reactor, never within a call of this; it may destroy this, or call anything of it.
// Its exceptions are logged, and fail the present connection.
//
// Bounds: a message that arrives has at most `max_message` bytes; one that is sent, with all that waits for the server,
// at most Connection::kMaxUnsent.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "net/http/http_message.h"
#include "net/http/url.h"
#include "net/link/link.h"
#include "net/reactor/life.h"
#include "net/reactor/timer.h"

namespace hearth::net {

struct WebSocketOptions {
  std::string url;           // ws://, wss://, http:// or https://; with a user name: basic authentication
  HttpHeaders headers = {};  // of the handshake, beside those that the protocol has
  std::string subprotocol = {};
  bool verify_certificate = true;
  std::string authorities = {};                               // as TlsOptions has it
  std::size_t max_message = 4 * 1024 * 1024;                  // bytes
  std::chrono::milliseconds ping = std::chrono::seconds(20);  // asks a silent server; without an answer until the next
                                                              // one the connection is lost
  std::chrono::milliseconds greeting_limit = std::chrono::seconds(10);  // for the handshake
  Pauses pauses = {};
  Addresses addresses = {};  // where mDNS has found the host
};

class WebSocketClient final : private Link::Handler {
 public:
  class Handler {
   public:
    virtual ~Handler() = default;
    // The server has agreed: send the first messages.
    virtual void on_open() = 0;
    // A whole message; gone after the call. Text is UTF-8.
    virtual void on_message(std::string_view message, bool binary) = 0;
    // An attempt has failed, or the connection is lost; the next attempt is in `retry_in`.
    virtual void on_lost(const Failure& why, std::chrono::milliseconds retry_in) = 0;
  };
  using MakeLink = std::function<std::unique_ptr<Link>(LinkOptions options, Link::Handler& handler)>;

  // Fails with invalid_host if the URL is none, with unknown if a header is broken. Begins at once. `make`: for tests.
  static std::expected<std::unique_ptr<WebSocketClient>, Failure> create(Reactor& reactor, WebSocketOptions options,
                                                                         Handler& handler, MakeLink make = {});
  ~WebSocketClient() override;
  WebSocketClient(const WebSocketClient&) = delete;
  WebSocketClient& operator=(const WebSocketClient&) = delete;

  bool is_open() const { return open_; }
  Link::State state() const { return link_->state(); }
  // Ignored unless it is open.
  void send(std::string_view message, bool binary = false);
  // Tells the server why (RFC 6455 §7.4: 1000 normal, 1002 protocol error, …), and stops. `reason`: at most 123 bytes.
  void stop(std::uint16_t code = 1000, std::string_view reason = {});
  // As of Link.
  void fail(Failure why);
  void retry_now() { link_->retry_now(); }
  void pause_reading();
  void resume_reading();

 private:
  struct Session;  // of one connection
  enum class Opcode : std::uint8_t { text = 1, binary = 2, close = 8, ping = 9 };

  WebSocketClient(Reactor& reactor, WebSocketOptions options, Url url, Handler& handler);

  void on_connected() override;
  void on_bytes(std::string_view bytes) override;
  void on_lost(const Failure& why, std::chrono::milliseconds retry_in) override;

  // Work of Beast's callbacks: what it throws fails the link.
  template <class Work>
  void guarded(Work work);
  void on_handshake(const boost::system::error_code& error);
  void read();
  void on_read(const boost::system::error_code& error);
  void ping();
  void write(Opcode opcode, std::string_view payload);
  // Pauses the link while Beast has enough to read, or the owner wants it.
  void regulate();
  void end_session();
  void fail(Reason reason, std::string_view what);

  Reactor& reactor_;
  const WebSocketOptions options_;
  const Url url_;
  Handler& handler_;
  std::shared_ptr<Session> session_;  // kept by its pending operations, too
  bool open_ = false;
  bool paused_ = false, read_waits_ = false;  // by the owner; the next read waits for the end of that
  bool link_paused_ = false;
  bool heard_ = false;  // since the last ping
  Timer ping_;
  Life life_;                   // of a session
  std::unique_ptr<Link> link_;  // last: it uses the others
};

}  // namespace hearth::net
