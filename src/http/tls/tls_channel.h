// SPDX-License-Identifier: Apache-2.0
// TLS on one connection's non-blocking socket, the server's side. The handshake happens within `receive`. What is sent
// counts as sent once it is encrypted: what the kernel does not take of it, a record of 16 KiB at most, waits here.
// Worker thread only.
#pragma once

#include <openssl/types.h>
#include <sys/types.h>

#include <string>
#include <string_view>

struct bio_method_st;  // of <openssl/bio.h>

namespace hearth::http {

class TlsContext;

class TlsChannel {
 public:
  // `socket` must outlive it. Throws std::bad_alloc.
  TlsChannel(const TlsContext& context, int socket);
  ~TlsChannel();
  TlsChannel(const TlsChannel&) = delete;
  TlsChannel& operator=(const TlsChannel&) = delete;

  // As recv(2): all there is, up to `size` bytes; 0 at the end, -1 with errno, EAGAIN if nothing is there, EPROTO if
  // the peer does not speak TLS as it should.
  ::ssize_t receive(char* buffer, std::size_t size);
  // As send(2): the bytes taken, perhaps fewer; -1 with errno, EAGAIN if some still wait.
  ::ssize_t send(std::string_view bytes);
  // Sends what waits. False if some of it still does, or cannot be sent any more.
  bool flush();
  bool has_unsent() const { return sent_ < unsent_.size(); }
  // The next `receive` returns the end, or an error.
  bool has_ended() const { return has_ended_; }
  // Tells the peer that nothing more comes.
  void close_notify();

 private:
  static int append(::BIO* bio, const char* bytes, int size);
  static const ::bio_method_st* unsent_bytes();

  ::SSL* const ssl_;
  const int socket_;
  std::string unsent_;  // encrypted
  std::size_t sent_ = 0;
  bool has_ended_ = false;
  int error_ = 0;       // errno of what has ended it; 0 if the peer has
  int send_error_ = 0;  // errno, if nothing can be sent any more
};

}  // namespace hearth::http
