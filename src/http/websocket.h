// SPDX-License-Identifier: Apache-2.0
// A connection that has become a WebSocket (RFC 6455), and what stands behind it. Belongs to its session; worker thread
// only.
//
// In: one message at a time, of Limits::websocket_message_bytes at most (else close code 1009), and of far fewer until
// the client has said who it is. All that are coming in share a budget (else close code 1013). What comes behind it
// waits in the kernel's buffer until all of it has been handled, other connections have had their turn, and the client
// has taken enough of what it has been sent. Pings, closing, malformed frames and text that is not UTF-8 are Beast's.
//
// Out: messages that the client has not taken wait, at most Limits::stream_frames and, behind the one being sent,
// stream_bytes; past that the client is cut at once, and where more than websocket_high have waited for
// websocket_high_time, too. Nobody else waits. The socket's buffer is the kernel's to size: it holds what is on its
// way, and a thousand idle clients need none.
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
#include "http/message_queue.h"

namespace hearth::http {

class Session;
class WebSocket;
class Worker;

// What stands behind one connection; owned by its WebSocket. It is destroyed soon after the connection has ended for
// whatever reason, never inside a call of its own or of the WebSocket's.
class WebSocketHandler {
 public:
  virtual ~WebSocketHandler() = default;

  // The client has been told that this is a WebSocket now; what is sent from here on stands behind that.
  // What is sent in here, and in received, goes out when the call returns.
  virtual void opened(WebSocket& socket) = 0;
  // One whole message; valid during the call. A text is UTF-8.
  virtual void received(std::string_view payload, bool binary) = 0;
};

class WebSocket {
 public:
  WebSocket(Session& session, boost::asio::ip::address client, std::unique_ptr<WebSocketHandler> handler);
  WebSocket(const WebSocket&) = delete;
  WebSocket& operator=(const WebSocket&) = delete;
  ~WebSocket();

  // Queues; goes out with the next flush. False where the connection was cut for being slow, or is over or closing.
  bool send(MessagePtr message);
  // The same of a text that is made piece by piece, as the client takes it: what is sent after it waits for its end. If
  // the source throws, the connection is cut.
  bool send(BodySource source);
  // Sends what waits, as far as the client takes it, in as few calls as possible.
  void flush();
  // Calls back once, when little waits for the client: at once where little does now. For those who have much to say.
  void when_drained(std::function<void()> callback);
  // What the message that is being handled leaves for later: it runs once, when others have had their turn and the
  // client has taken enough, and not at all where the connection ends before. Nothing is read until then. One at a
  // time.
  void set_aside(std::function<void()> rest) { rest_ = std::move(rest); }
  // What waits for the client.
  std::size_t waiting_bytes() const { return queue_.bytes(); }
  // Whether nothing can be sent any more: the connection was cut, or ends.
  bool over() const { return over_ || closing_; }
  // What waits together goes out as one frame from now on: a JSON array of the messages.
  void set_coalescing(bool on) { coalescing_ = on; }

  // The client has said who it is: from here on it may send long messages. Without that the connection is cut
  // websocket_login_time after its start, to the half second.
  void admit();

  // After what is queued: the close handshake, for which the client has Limits::websocket_close_time, then the end.
  void close(std::uint16_t code, std::string_view reason);
  // The connection's end at once.
  void cut();

  Worker& worker() const;
  std::uint64_t id() const;  // the session's: the worker's own, never used again
  // The peer, or whom a trusted proxy names.
  const boost::asio::ip::address& client() const { return client_; }

 private:
  friend class Session;
  struct Connection;  // Beast's part
  using Time = std::chrono::steady_clock::time_point;

  // For the session.
  void accept(std::string_view key);
  void take_early(std::string_view data);  // what the client sent behind its request
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
  std::size_t pending_ = 0;        // Beast's operations that have not come back
  std::size_t received_ = 0;       // of the message that is coming in
  MemoryBudget::Share receiving_;  // that, if it is long
  Time deadline_ = Time::max();
  Time next_ping_ = Time::max();
  Time heard_at_;  // when bytes last came
  std::vector<std::function<void()>> drained_;
  std::function<void()> rest_;      // what was set aside
  std::optional<Time> high_since_;  // since when too many messages wait
  bool alive_ = true;               // since the last ping the client has sent something, or taken what waited for it
  bool open_ = false;               // the handshake is done
  bool coalescing_ = false;
  bool paused_ = false;   // nothing is read until the client has taken more of what waits
  bool closing_ = false;  // a close frame stands in the queue, or soon will: nothing may come behind it
  bool shaken_ = false;   // and Beast expects nothing more from the client
  bool ended_ = false;    // and has come back: what is queued still goes out
  bool lingering_ = false;
  bool over_ = false;  // the connection has ended
  std::unique_ptr<WebSocketHandler> handler_;
};

}  // namespace hearth::http
