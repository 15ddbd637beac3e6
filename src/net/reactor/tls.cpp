// SPDX-License-Identifier: Apache-2.0
#include "net/reactor/tls.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "base/text/utf8.h"
#include "net/reactor/resolver.h"

namespace hearth::net {

std::string take_tls_error() {
  const unsigned long code = ERR_get_error();
  const char* const text = code == 0 ? nullptr : ERR_reason_error_string(code);
  ERR_clear_error();
  return text ? text : "unknown error";
}

TlsContexts::~TlsContexts() = default;

std::expected<TlsContexts::Context, Failure> TlsContexts::make(const TlsOptions& options) {
  ERR_clear_error();
  Context context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  if (!context || SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION) != 1)
    return std::unexpected(Failure{Reason::busy, "TLS: " + take_tls_error()});
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION);
  // An idle connection keeps no buffers.
  SSL_CTX_set_mode(context.get(),
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  if (!options.verify_certificate) return context;
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  const bool found = options.authorities.empty()
                         ? SSL_CTX_set_default_verify_paths(context.get()) == 1
                         : SSL_CTX_load_verify_file(context.get(), options.authorities.c_str()) == 1;
  if (found) return context;
  return std::unexpected(
      Failure{Reason::unknown, fmt::format("TLS: {} cannot be used: {}",
                                           options.authorities.empty() ? "the system's list of authorities"
                                                                       : base::utf8_repaired(options.authorities),
                                           take_tls_error())});
}

std::expected<TlsContexts::Session, Failure> TlsContexts::session(const TlsOptions& options, const std::string& host) {
  Context own(nullptr, nullptr);
  Context& context = !options.authorities.empty() ? own : options.verify_certificate ? checking_ : trusting_;
  if (!context) {
    auto made = make(options);
    if (!made) return std::unexpected(std::move(made.error()));
    context = std::move(*made);
  }
  Session session(SSL_new(context.get()), SSL_free);
  const std::string& name = options.server_name.empty() ? host : options.server_name;
  const auto address = parse_address(name);
  bool set = session != nullptr;
  if (set && address) {
    // A certificate has no zone.
    auto plain = *address;
    if (plain.is_v6()) plain = boost::asio::ip::address_v6(plain.to_v6().to_bytes());
    set = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session.get()), plain.to_string().c_str()) == 1;
  } else if (set) {
    SSL_set_hostflags(session.get(), X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    // Without the dot that ends a complete name (RFC 6066 §3).
    const std::string plain = name.ends_with('.') ? name.substr(0, name.size() - 1) : name;
    set =
        SSL_set1_host(session.get(), plain.c_str()) == 1 && SSL_set_tlsext_host_name(session.get(), plain.c_str()) == 1;
  }
  if (!set) return std::unexpected(Failure{Reason::busy, "TLS: " + take_tls_error()});
  SSL_set_connect_state(session.get());
  return session;
}

}  // namespace hearth::net
