// SPDX-License-Identifier: Apache-2.0
#include "http/tls/tls_context.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <array>
#include <ctime>

namespace hearth::http {
namespace {

// Of TLS 1.2: forward secrecy and authenticated encryption only. Source: RFC 9325 §4.2.
constexpr const char* kCiphers =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
// As on the wire: a length and a name. Source: RFC 7301.
constexpr unsigned char kProtocol[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

// The newest error of OpenSSL, in its words.
std::string reason() {
  const unsigned long code = ERR_peek_last_error();
  const char* const text = code == 0 ? nullptr : ERR_reason_error_string(code);
  ERR_clear_error();
  return text ? text : "unknown error";
}

std::unexpected<base::Error> refuse(const std::filesystem::path& file, std::string_view expected) {
  return base::fail(base::ErrorCode::invalid, fmt::format("{}: expected {}: {}", file.native(), expected, reason()));
}

// A client that speaks other protocols only is refused.
int choose_protocol(::SSL*, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
                    unsigned offered_size, void*) {
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, size, kProtocol, sizeof kProtocol, offered, offered_size) != OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

// Otherwise OpenSSL would ask for it on the terminal.
int no_password(char*, int, int, void*) {
  return 0;
}

base::Timestamp time_of(const ::ASN1_TIME* time) {
  std::tm parts{};
  if (!time || ASN1_TIME_to_tm(time, &parts) != 1) return {};
  return base::Timestamp(std::chrono::seconds(::timegm(&parts)));
}

}  // namespace

base::Result<std::shared_ptr<const TlsContext>> TlsContext::load(const std::filesystem::path& certificate,
                                                                 const std::filesystem::path& key, Version least) {
  ERR_clear_error();
  ::SSL_CTX* const context = SSL_CTX_new(TLS_server_method());
  if (!context) return base::fail(base::ErrorCode::internal, "TLS is not available: " + reason());
  const std::shared_ptr<TlsContext> made(new TlsContext(context));
  SSL_CTX_set_min_proto_version(context, least == Version::tls1_3 ? TLS1_3_VERSION : TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
  // An idle connection holds no buffers; a record is read in one call.
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);  // sessions go on by tickets, which the client keeps
  SSL_CTX_set_num_tickets(context, 1);
  SSL_CTX_set_alpn_select_cb(context, choose_protocol, nullptr);
  SSL_CTX_set_default_passwd_cb(context, no_password);
  if (SSL_CTX_set_cipher_list(context, kCiphers) != 1)
    return base::fail(base::ErrorCode::internal, "TLS has none of its ciphers: " + reason());
  if (SSL_CTX_use_certificate_chain_file(context, certificate.c_str()) != 1)
    return refuse(certificate, "certificates in PEM");
  if (SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1)
    return refuse(key, "the certificate's private key in PEM, without a password");
  if (SSL_CTX_check_private_key(context) != 1) return refuse(key, "the private key of the certificate");
  made->not_after_ = time_of(X509_get0_notAfter(SSL_CTX_get0_certificate(context)));
  return made;
}

TlsContext::~TlsContext() {
  SSL_CTX_free(context_);
}

}  // namespace hearth::http
