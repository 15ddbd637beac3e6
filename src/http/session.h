// SPDX-License-Identifier: Apache-2.0
// One connection: reads requests, gets them answered in order, writes the answers. Owned by a worker; its thread only.
//
// While idle, a session holds no buffer: it waits until its socket is readable and then reads into its worker's buffer.
// It handles one request at a time; further requests of a client wait in the kernel's buffer.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "http/connection_table.h"
#include "http/event_stream.h"
#include "http/memory_budget.h"
#include "http/messages/handler.h"
#include "http/messages/request_parser.h"
#include "http/port.h"
#include "http/socket.h"
#include "http/websocket.h"

namespace hearth::http {

// A request being read, with its parser; reused by the worker for the next session.
struct Exchange {
  Request request;
  std::optional<RequestParser> parser;
  bool head_checked = false;
  std::optional<Response> early;  // set if found before the body was read
};

class Session final : private Socket::Owner {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Throws std::bad_alloc; std::runtime_error if the port speaks TLS and there is no certificate.
  Session(Worker& worker, std::uint64_t id, FileDescriptor socket, boost::asio::ip::address peer,
          ConnectionTable::Place place, Port port);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  std::uint64_t id() const { return id_; }
  Worker& worker() const { return worker_; }
  std::string peer_text() const { return peer_.to_string(); }

  void start();
  // Answers the current request, if that is still the one meant.
  void respond(std::uint64_t request, Response&& response);
  EventStream* open_stream(std::uint64_t request, Response head);
  void open_websocket(std::uint64_t request, std::unique_ptr<WebSocketHandler> handler);

  // Closes the session if its deadline has passed.
  void sweep();
  // Ends streams with their last chunk and idle connections; what is running continues.
  void drain();
  // Ends the connection. The session is destroyed soon after, once its WebSocket's pending operations have completed.
  void close();

  // How strong the session's claim to its place is, the weakest first.
  enum class Claim {
    none,             // the client has shown no token, and waits
    unauthenticated,  // such a client that is sending or reading
    idle,             // between requests
    fresh,            // at most a second old: its first bytes are not read yet
    works,
  };
  Claim claim() const;
  // The client of the WebSocket has authenticated.
  void admit() { admitted_ = true; }

  // For the stream and the WebSocket: the bytes accepted by the kernel, 0 if none now; closes on failure.
  std::size_t write_some(std::string_view bytes);
  bool writable() const { return !closed_ && !socket_.waits_writable(); }
  void wait_writable() { socket_.wait_writable(); }
  // For the WebSocket, which reads by itself: the bytes received, 0 if none now; closes on failure and at the end. It
  // also reports when one of its operations completes after the end.
  std::size_t read_some(char* buffer, std::size_t size);
  void wait_readable() { socket_.wait_readable(); }
  void operation_completed();
  // Sends nothing more; the connection ends after the client has had time to read.
  void linger();

 private:
  enum class Phase {
    idle,       // between requests
    head,       // a request's head is coming
    body,       // its body is coming
    storing,    // the body's sink has a piece to store
    handling,   // the handler is working on it
    writing,    // the answer waits for the client to read
    streaming,  // an event stream
    websocket,
    lingering,  // all is sent: further input is dropped until the client has read our answer
  };

  void on_readable() override;
  void on_writable() override;
  // Closes the connection if the step throws: whatever it lacks, memory most likely, others go on, and the client
  // learns of it at once.
  void attempt(void (Session::*step)());
  void go_on_reading();
  void go_on_writing();
  void receive();
  bool reads_requests() const { return phase_ == Phase::idle || phase_ == Phase::head || phase_ == Phase::body; }
  void read_requests(std::string_view data);
  bool advance(std::string_view& data);
  void check_head();
  bool is_too_slow() const;
  void take_body_part();
  bool count_body();
  class GivenPiece;
  void give_piece();
  void go_on_receiving(std::uint64_t request, bool wants_more);
  void release_exchange();
  std::optional<Response> find_client(Request& request);
  std::optional<Response> answer_early(Request& request);
  void handle();
  [[gnu::cold]] void fail(const boost::system::error_code& error);
  void write_response(Response&& response);
  void write_head(const Response& response, std::string_view framing, bool vary_encoding);
  void flush();
  void send_rest();
  bool send_source();
  bool send_file();
  void request_piece();
  class AskedPiece;
  void take_piece(std::uint64_t request, std::optional<PieceSource::Piece> piece);
  void after_write();
  void continue_reading();
  void set_phase(Phase phase);

  Worker& worker_;
  Phase phase_ = Phase::idle;
  bool closed_ = false;
  Socket socket_;
  const std::uint64_t id_;
  const boost::asio::ip::address peer_;
  const ConnectionTable::Place place_;
  const Port port_;
  bool admitted_ = false;  // the last request, or the WebSocket, was authenticated

  std::unique_ptr<Exchange> exchange_;  // from a request's first byte to its answer
  MemoryBudget::Share receiving_;       // the received part of an incomplete body
  Time opened_at_;
  Time began_;  // the current request
  Time body_since_;
  Time storing_since_;
  std::uint64_t given_ = 0;  // bytes of the body that its sink has
  std::uint64_t request_number_ = 0;
  std::string unread_;                   // received but not parsed: a partial head, or what follows the current request
  std::string unsent_;                   // answered but not accepted by the kernel
  std::size_t sent_ = 0;                 // of unsent_
  BodySource source_;                    // the rest of a long answer
  std::shared_ptr<PieceSource> pieces_;  // or that
  bool source_chunked_ = false;
  BodyFilePtr file_;  // likewise, from file_sent_ up to file_end_
  ::off_t file_sent_ = 0, file_end_ = 0;
  std::unique_ptr<EventStream> stream_;
  std::unique_ptr<WebSocket> websocket_;

  Time deadline_;  // of the phase, rounded to half a second; renewed by progress in body and writing
  bool close_after_write_ = false;
  bool stalled_ = false;  // unread_ may hold whole requests: reading did not stop for lack of input
};

}  // namespace hearth::http
