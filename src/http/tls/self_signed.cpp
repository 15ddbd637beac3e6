// SPDX-License-Identifier: Apache-2.0
#include "http/tls/self_signed.h"

#include <fmt/format.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <boost/asio/ip/address.hpp>
#include <memory>

namespace hearth::http {
namespace {

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* it) const {
    Free(it);
  }
};
using Key = std::unique_ptr<::EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<::X509, Freed<X509_free>>;
using Bytes = std::unique_ptr<::BIO, Freed<BIO_free_all>>;
using Extension = std::unique_ptr<::X509_EXTENSION, Freed<X509_EXTENSION_free>>;

bool add_extension(::X509& certificate, int kind, const std::string& value) {
  ::X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, &certificate, &certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  return extension && X509_add_ext(&certificate, extension.get(), -1) == 1;
}

std::string text_of(::BIO& bio) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(&bio, &text);
  return {text, static_cast<std::size_t>(size)};
}

std::unexpected<base::Error> failed() {
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  return base::fail(base::ErrorCode::internal, fmt::format("OpenSSL cannot: {}", reason ? reason : "unknown error"));
}

}  // namespace

bool is_address(const std::string& name) {
  boost::system::error_code error;
  boost::asio::ip::make_address(name, error);
  return !error;
}

base::Result<PemPair> make_self_signed(const std::vector<std::string>& names, int days) {
  ERR_clear_error();
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate(X509_new());
  const std::unique_ptr<::BIGNUM, Freed<BN_free>> number(BN_new());
  if (!key || !certificate || !number || BN_rand(number.get(), 127, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) != 1)
    return failed();
  std::string alternatives;
  for (const std::string& name : names)
    alternatives += fmt::format("{}{}:{}", alternatives.empty() ? "" : ",", is_address(name) ? "IP" : "DNS", name);
  ::X509_NAME* const subject = X509_get_subject_name(certificate.get());
  const auto* const common = reinterpret_cast<const unsigned char*>("Hearth");
  const bool filled = X509_set_version(certificate.get(), X509_VERSION_3) == 1 &&
                      BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate.get())) &&
                      X509_gmtime_adj(X509_getm_notBefore(certificate.get()), 0) &&
                      X509_time_adj_ex(X509_getm_notAfter(certificate.get()), days, 0, nullptr) &&
                      X509_set_pubkey(certificate.get(), key.get()) == 1 &&
                      X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, common, -1, -1, 0) == 1 &&
                      X509_set_issuer_name(certificate.get(), subject) == 1 &&
                      add_extension(*certificate, NID_basic_constraints, "critical,CA:FALSE") &&
                      add_extension(*certificate, NID_key_usage, "critical,digitalSignature") &&
                      add_extension(*certificate, NID_ext_key_usage, "serverAuth") &&
                      add_extension(*certificate, NID_subject_alt_name, alternatives) &&
                      X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0;
  const Bytes certificate_text(BIO_new(BIO_s_mem())), key_text(BIO_new(BIO_s_mem()));
  if (!filled || !certificate_text || !key_text || PEM_write_bio_X509(certificate_text.get(), certificate.get()) != 1 ||
      PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1)
    return failed();
  return PemPair{text_of(*certificate_text), text_of(*key_text)};
}

}  // namespace hearth::http
