// SPDX-License-Identifier: Apache-2.0
// For tests: a certificate that has signed itself, in files that go with it.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "net/reactor/resolver.h"

namespace hearth::net::testing {

class Certificate {
 public:
  // `name`: the host, or the address, that it is for.
  explicit Certificate(const std::string& name) {
    std::string folder = (std::filesystem::temp_directory_path() / "hearth-XXXXXX").native();
    if (!::mkdtemp(folder.data())) throw std::runtime_error("no folder for the certificate");
    folder_ = folder;
    const std::unique_ptr<::EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const std::unique_ptr<::X509, decltype(&X509_free)> made(X509_new(), X509_free);
    X509_set_version(made.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -3'600);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), 86'400);
    X509_set_pubkey(made.get(), key.get());
    ::X509_NAME* const subject = X509_get_subject_name(made.get());
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
    X509_set_issuer_name(made.get(), subject);
    const std::string names = (parse_address(name) ? "IP:" : "DNS:") + name;
    const std::unique_ptr<::X509_EXTENSION, decltype(&X509_EXTENSION_free)> extension(
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str()), X509_EXTENSION_free);
    X509_add_ext(made.get(), extension.get(), -1);
    X509_sign(made.get(), key.get(), EVP_sha256());
    write(certificate_file(), [&](std::FILE* file) { return PEM_write_X509(file, made.get()); });
    write(key_file(), [&](std::FILE* file) {
      return PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
  }
  ~Certificate() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;

  // PEM.
  std::string certificate_file() const { return folder_ / "certificate.pem"; }
  std::string key_file() const { return folder_ / "key.pem"; }

 private:
  template <class Write>
  static void write(const std::string& path, Write work) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "w"), std::fclose);
    if (!file || work(file.get()) != 1) throw std::runtime_error(path + " cannot be written");
  }

  std::filesystem::path folder_;
};

}  // namespace hearth::net::testing
