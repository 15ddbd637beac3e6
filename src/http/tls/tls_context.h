// SPDX-License-Identifier: Apache-2.0
// The certificate and the rules by which a port speaks TLS, as OpenSSL has them. Immutable; any thread. A connection
// keeps the one that it began with.
#pragma once

#include <openssl/types.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "base/clock.h"
#include "base/result.h"

namespace hearth::http {

class TlsContext {
 public:
  enum class Version { tls1_2, tls1_3 };

  // `certificate` is a PEM file with the certificate and those that it was signed with, in this order, `key` one with
  // its private key, without a password. Fails with invalid; the message names the file and what was expected.
  static base::Result<std::shared_ptr<const TlsContext>> load(const std::filesystem::path& certificate,
                                                              const std::filesystem::path& key, Version least);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  base::Timestamp not_after() const { return not_after_; }
  ::SSL_CTX* get() const { return context_; }

 private:
  explicit TlsContext(::SSL_CTX* context) : context_(context) {}

  ::SSL_CTX* const context_;
  base::Timestamp not_after_;
};

}  // namespace hearth::http
