// SPDX-License-Identifier: Apache-2.0
// A connection's non-blocking socket, which remembers its poller's events. Worker thread only.
//
// The poller notifies once when the socket becomes readable or writable. It counts as such until a call finds the
// kernel's buffer empty, or full; an owner that waits for a state that it is already in is called soon, too.
#pragma once

#include <sys/types.h>

#include <boost/intrusive/list.hpp>
#include <cstdint>
#include <memory>
#include <string_view>

#include "http/messages/file_descriptor.h"
#include "http/tls/tls_channel.h"

namespace hearth::http {

class Poller;

class Socket {
 public:
  // Each call answers one `wait_…`, never inside it.
  class Owner {
   public:
    virtual void on_readable() = 0;  // or at its end, or broken: receive returns which
    virtual void on_writable() = 0;

   protected:
    ~Owner() = default;
  };

  // The descriptor must be non-blocking (O_NONBLOCK). The owner and the poller must outlive the socket. With `tls` it
  // speaks TLS; throws std::bad_alloc then.
  Socket(Poller& poller, FileDescriptor descriptor, Owner& owner, const TlsContext* tls = nullptr);
  ~Socket() { close(); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  // Call once, before anything else. False if the system has no room for another descriptor.
  bool start();
  // No owner is called after this.
  void close();

  void wait_readable();
  void wait_writable();
  bool waits_writable() const { return waits_writable_; }

  // As recv(2), send(2), sendfile(2): -1 with errno; EAGAIN if nothing is there, or no room.
  ::ssize_t receive(char* buffer, std::size_t size);
  ::ssize_t send(std::string_view bytes);
  ::ssize_t send_file(int file, ::off_t& offset, std::size_t size);
  void shutdown_send();
  // Acknowledges what was received now instead of after 40 ms: a peer that waits for that before it sends the rest
  // (Nagle's algorithm) continues at once.
  void acknowledge();

 private:
  friend class Poller;
  using Place = boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

  void note(std::uint32_t events);
  void flush_encrypted();
  ::ssize_t send_file_encrypted(int file, ::off_t& offset, std::size_t size);
  bool due() const { return (waits_readable_ && readable_) || (waits_writable_ && writable_); }
  void call_owner();

  FileDescriptor descriptor_;
  std::unique_ptr<TlsChannel> tls_;  // null: it speaks plainly
  bool shuts_down_ = false;          // once all that is encrypted is sent
  bool started_ = false;
  bool readable_ = false;
  bool writable_ = true;
  bool ended_ = false;  // the peer has finished or is gone: reported once, but received perhaps much later
  bool waits_readable_ = false;
  bool waits_writable_ = false;
  Poller& poller_;
  Owner& owner_;
  Place place_;  // in the poller's queue; leaves it by itself
};

}  // namespace hearth::http
