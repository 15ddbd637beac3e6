// SPDX-License-Identifier: Apache-2.0
// A connection upgraded to a WebSocket (RFC 6455), and its handler. Owned by its session; worker thread only.
//
// In: one message at a time, of at most Limits::websocket_message_bytes (otherwise close code 1009), much less until
// the client has authenticated. All messages being received share a budget (otherwise close code 1013). Further input
// waits in the kernel's buffer until the message is handled, other connections have had their turn, and the client has
// taken enough of what waits for it. Beast handles pings, closing, malformed frames and invalid UTF-8.
//
// Out: messages that the client has not taken wait, at most Limits::stream_frames and, after the one being sent,
// stream_bytes. Beyond either the client is cut at once; if more than websocket_high wait for websocket_high_time, too.
// Nobody else waits for it. The kernel sizes the socket's buffer: a thousand idle clients need none.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "http/memory_budget.h"
#include "http/websocket/message_queue.h"

namespace hearth::http {

class Session;
class WebSocket;
class Worker;

// The handler of one connection; owned by its WebSocket. Destroyed soon after the connection has ended for any reason,
// never inside a call of its own or of the WebSocket's.
class WebSocketHandler {
 public:
  virtual ~WebSocketHandler() = default;

  // The upgrade has been answered; messages sent from now on follow it. What is sent in here, and in received, goes out
  // when the call returns.
  virtual void opened(WebSocket& socket) = 0;
  // One whole message; valid during the call. A text message is UTF-8.
  virtual void received(std::string_view payload, bool binary) = 0;
};

class WebSocket {
 public:
  WebSocket(Session& session, boost::asio::ip::address client, std::unique_ptr<WebSocketHandler> handler);
  WebSocket(const WebSocket&) = delete;
  WebSocket& operator=(const WebSocket&) = delete;
  ~WebSocket();

  // Queues for the next flush. False if the connection was cut because its client is slow, has ended or is closing.
  bool send(MessagePtr message);
  // The same for a text made piece by piece as the client takes it; later messages wait for its end. If the source
  // throws, the connection is cut.
  bool send(BodySource source);
  // Sends what waits, as far as the client takes it, in as few system calls as possible.
  void flush();
  // Calls back once, when little waits for the client, perhaps at once: for callers with much to send.
  void when_drained(std::function<void()> callback);
  // The unfinished part of the current message: runs once, after others have had their turn and the client has taken
  // enough, and not at all if the connection ends first. Nothing is read until then. One at a time.
  void set_aside(std::function<void()> rest) { rest_ = std::move(rest); }
  // Bytes that wait for the client.
  std::size_t waiting_bytes() const { return queue_.bytes(); }
  // True if nothing can be sent any more: the connection was cut or is ending.
  bool over() const { return over_ || closing_; }
  // From now on, messages that wait together are sent as one frame: a JSON array of them.
  void set_coalescing(bool on) { coalescing_ = on; }

  // The client has authenticated: from now on it may send long messages. Otherwise the connection is cut
  // websocket_login_time after its start, rounded to half a second.
  void admit();

  // After what is queued: the close handshake, which may take Limits::websocket_close_time, then the end.
  void close(std::uint16_t code, std::string_view reason);
  // Ends the connection at once.
  void cut();

  Worker& worker() const;
  std::uint64_t id() const;  // the session's: unique in its worker, never reused
  // The peer, or the client that a trusted proxy names.
  const boost::asio::ip::address& client() const { return client_; }

 private:
  friend class Session;
  struct Connection;  // Beast's part
  using Time = std::chrono::steady_clock::time_point;

  // For the session.
  void accept(std::string_view key);
  void take_early(std::string_view data);  // what the client sent together with its request
  void on_readable();
  void on_writable();
  void sweep();
  void drain();
  void closed();
  bool has_pending() const { return pending_ > 0; }

  bool count_received(std::size_t bytes);
  void dismiss(std::uint16_t code, std::string_view reason);
  void on_accepted(bool failed);
  void read();
  void on_read(bool failed);
  void deliver();
  void read_or_pause();
  void go_on();
  void broken(const std::exception& failure);
  void failed(const std::exception& failure);
  void ping();
  void operation_ended();
  void begin_closing();
  void linger();
  void queue(MessagePtr message);
  bool cut_if_slow();
  bool within_limits() const;
  bool much_waits() const;

  Session& session_;
  const boost::asio::ip::address client_;
  std::unique_ptr<Connection> connection_;
  MessageQueue queue_;
  std::size_t pending_ = 0;        // Beast's operations that have not completed
  std::size_t received_ = 0;       // of the message being received
  MemoryBudget::Share receiving_;  // the same, if the message is long
  Time deadline_ = Time::max();
  Time next_ping_ = Time::max();
  Time received_at_;  // when bytes last arrived
  std::vector<std::function<void()>> drained_;
  std::function<void()> rest_;      // set by set_aside
  std::optional<Time> high_since_;  // since when too many messages wait
  bool alive_ = true;               // since the last ping the client has sent something, or taken what waits
  bool open_ = false;               // the handshake is done
  bool coalescing_ = false;
  bool paused_ = false;   // nothing is read until the client has taken more of what waits
  bool closing_ = false;  // a close frame is queued, or soon will be: nothing may follow it
  bool shaken_ = false;   // and Beast expects nothing more from the client
  bool ended_ = false;    // and has completed: what is queued is still sent
  bool lingering_ = false;
  bool over_ = false;  // the connection has ended
  std::unique_ptr<WebSocketHandler> handler_;
};

}  // namespace hearth::http
