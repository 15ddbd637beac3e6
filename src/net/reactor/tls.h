// SPDX-License-Identifier: Apache-2.0
// How links speak TLS: version 1.2 or later; the peer's certificate is checked unless a person says that it must not
// be.
#pragma once

#include <openssl/types.h>

#include <expected>
#include <memory>
#include <string>

#include "net/reactor/failure.h"

namespace hearth::net {

struct TlsOptions {
  bool verify_certificate = true;  // `verify_ssl`
  std::string server_name = {};    // of the certificate, and told to the peer; empty: the host of the link
  std::string authorities = {};    // a PEM file with those that are trusted; empty: the system's

  bool operator==(const TlsOptions&) const = default;
};

// Thread `net` only.
class TlsContexts {
 public:
  TlsContexts() = default;
  ~TlsContexts();
  TlsContexts(const TlsContexts&) = delete;
  TlsContexts& operator=(const TlsContexts&) = delete;

  using Session = std::unique_ptr<::SSL, void (*)(::SSL*)>;
  // The client's side of one connection to `host`, without a socket yet. Fails if a file cannot be used.
  std::expected<Session, Failure> session(const TlsOptions& options, const std::string& host);

 private:
  using Context = std::unique_ptr<::SSL_CTX, void (*)(::SSL_CTX*)>;
  static std::expected<Context, Failure> make(const TlsOptions& options);

  // With the system's authorities, which are read once. Those in files are read for each connection.
  Context checking_{nullptr, nullptr}, trusting_{nullptr, nullptr};
};

// The first error that OpenSSL has noted on this thread, for people; forgets all of them.
std::string take_tls_error();

}  // namespace hearth::net
