// SPDX-License-Identifier: Apache-2.0
// The bytes of one connection, over TCP or TLS, without waiting. Thread `net` only.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <span>
#include <string_view>

#include "net/reactor/failure.h"
#include "net/reactor/tls.h"

namespace hearth::net {

class Stream {
 public:
  using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

  // A connected socket.
  explicit Stream(Socket socket);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  struct Outcome {
    enum class Kind { done, later, closed, failed };
    Kind kind;
    std::size_t bytes = 0;  // if done
    Failure failure = {};   // if failed; the message is without the host
  };
  // Turns to TLS; then call `shake_hands` until it is done.
  void secure(TlsContexts::Session session);
  Outcome shake_hands();
  // As much as there is for one call; `later` if nothing is.
  Outcome read(std::span<char> into);
  // As much as the system takes; `later` if that is nothing.
  Outcome write(std::string_view bytes);
  // Tells a peer that speaks TLS that nothing more comes.
  void say_goodbye();

  Socket& socket() { return socket_; }
  // The last `later` was because TLS itself must write (while reading), or read (while writing).
  bool awaits_write() const { return awaits_write_; }
  bool awaits_read() const { return awaits_read_; }
  // Bytes have arrived that the socket does not show any more.
  bool has_read_ahead() const;

 private:
  Outcome tls_outcome(int returned);

  Socket socket_;
  TlsContexts::Session tls_{nullptr, nullptr};
  bool awaits_write_ = false, awaits_read_ = false;
};

}  // namespace hearth::net
