// SPDX-License-Identifier: Apache-2.0
// Bytes to and from the broker, over TCP, with TLS if the options have a certificate. One thread.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "integrations/mqtt/protocol/options.h"

struct ssl_st;

namespace hearth::integrations::mqtt {

class Stream {
 public:
  // One address has so long to take the connection, and then to agree on TLS.
  static constexpr std::chrono::seconds kConnectTime{10};

  // Finds the host and connects to it; finding it may take minutes. Fails with a message for people.
  static base::Result<std::unique_ptr<Stream>> connect(const Options& options);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  struct Outcome {
    enum class Kind { done, later, closed, failed };
    Kind kind;
    std::size_t bytes = 0;   // if done
    std::string error = {};  // if failed, for people
  };
  // Reads the bytes that are there; `later` if there are none.
  Outcome read(std::span<char> into);
  // As much as the system takes; `later` if that is nothing.
  Outcome write(std::string_view bytes);

  int descriptor() const { return socket_; }
  // Events of poll that it waits for, beside new bytes; 0: none.
  short awaited() const { return awaited_; }
  // Bytes have arrived that poll does not see any more.
  bool has_read_ahead() const;

 private:
  explicit Stream(int socket) : socket_(socket) {}
  base::Result<void> secure(const Options& options);
  base::Result<void> agree(const Options& options);
  Outcome tls_outcome(int returned);

  const int socket_;
  std::unique_ptr<ssl_st, void (*)(ssl_st*)> tls_{nullptr, nullptr};
  short awaited_ = 0;
};

}  // namespace hearth::integrations::mqtt
