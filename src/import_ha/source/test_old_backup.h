// SPDX-License-Identifier: Apache-2.0
// For tests and fuzzers: backups of the other hub, also encrypted as it does, and archives that it would never make.
#pragma once

#include <fmt/format.h>
#include <openssl/evp.h>
#include <sodium.h>
#include <zlib.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/testing/fuzz_check.h"

namespace hearth::import_ha {

inline unsigned char* raw_octets(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}
inline const unsigned char* raw_octets(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// The same each time.
inline std::string some_salt(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(0x11 * i + 7);
  return bytes;
}

inline std::string hash_chain(std::string bytes) {
  for (int i = 0; i < 100; ++i) {
    const auto hash = base::sha256(bytes);
    bytes.assign(hash.begin(), hash.end());
  }
  return bytes.substr(0, 16);
}

inline std::string in_cbc(std::string_view plain, std::string_view passphrase, std::string_view salt) {
  const std::string key = hash_chain(std::string(passphrase));
  const std::string vector = hash_chain(key + std::string(salt));
  EVP_CIPHER_CTX* const context = EVP_CIPHER_CTX_new();
  EVP_EncryptInit_ex(context, EVP_aes_128_cbc(), nullptr, raw_octets(key), raw_octets(vector));
  std::string out(plain.size() + 32, '\0');
  int size = 0, rest = 0;
  EVP_EncryptUpdate(context, raw_octets(out), &size, raw_octets(plain), static_cast<int>(plain.size()));
  EVP_EncryptFinal_ex(context, raw_octets(out) + size, &rest);
  EVP_CIPHER_CTX_free(context);
  out.resize(static_cast<std::size_t>(size + rest));
  return out;
}

inline std::string in_stream(std::string_view plain, std::string_view passphrase) {
  const std::string salts = some_salt(48), person = std::string("SecureTarv3") + std::string(5, '\0');
  std::string root(32, '\0'), check(32, '\0'), key(32, '\0'), header(24, '\0');
  base::must(crypto_pwhash(raw_octets(root), root.size(), passphrase.data(), passphrase.size(), raw_octets(salts), 8,
                           16 << 20, crypto_pwhash_ALG_ARGON2ID13) == 0,
             "there is a key");
  crypto_generichash_blake2b_salt_personal(raw_octets(check), 32, nullptr, 0, raw_octets(root), 32,
                                           raw_octets(salts) + 16, raw_octets(person));
  crypto_generichash_blake2b_salt_personal(raw_octets(key), 32, nullptr, 0, raw_octets(root), 32,
                                           raw_octets(salts) + 32, raw_octets(person));
  crypto_secretstream_xchacha20poly1305_state state;
  crypto_secretstream_xchacha20poly1305_init_push(&state, raw_octets(header), raw_octets(key));
  std::string out = salts.substr(0, 32) + check + salts.substr(32) + header;
  do {
    const auto piece = plain.substr(0, 1 << 20);
    plain.remove_prefix(piece.size());
    std::string box(piece.size() + 17, '\0');
    crypto_secretstream_xchacha20poly1305_push(&state, raw_octets(box), nullptr, raw_octets(piece), piece.size(),
                                               nullptr, 0,
                                               plain.empty() ? crypto_secretstream_xchacha20poly1305_TAG_FINAL : 0);
    out += box;
  } while (!plain.empty());
  return out;
}

// The text of a file of .storage/.
inline std::string storage_text(std::string_view key, int major, int minor, std::string_view data) {
  return fmt::format(R"({{"version": {}, "minor_version": {}, "key": "{}", "data": {}}})", major, minor, key, data);
}

// A tar archive (ustar), of whatever its entries are.
struct TarPart {
  std::string path, content = {};
  char type = '0';  // '0' a file, '1' a hard link, '2' a symbolic link, '5' a folder
  std::string link = {};
};

inline std::string tar_of(const std::vector<TarPart>& parts) {
  std::string tar;
  for (const TarPart& part : parts) {
    std::string header(512, '\0');
    const auto put = [&](std::size_t at, std::string_view text) { header.replace(at, text.size(), text); };
    put(0, std::string_view(part.path).substr(0, 100));
    put(100, "0000644");
    put(108, "0000000");
    put(116, "0000000");
    put(124, fmt::format("{:011o}", part.content.size()));
    put(136, "14524770400");
    put(148, "        ");
    put(156, std::string(1, part.type));
    put(157, part.link);
    put(257, std::string_view("ustar\00000", 8));
    unsigned sum = 0;
    for (const char c : header) sum += static_cast<unsigned char>(c);
    put(148, fmt::format("{:06o}", sum) + '\0');
    tar += header + part.content;
    tar.resize((tar.size() + 511) / 512 * 512);
  }
  return tar + std::string(1024, '\0');
}

inline std::string gzipped(std::string_view plain) {
  z_stream stream{};
  base::must(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK, "it works");
  std::string out(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  base::must(deflate(&stream, Z_FINISH) == Z_STREAM_END, "it works");
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// As the other hub encrypts, in that version of the format.
inline std::string encrypted(int version, std::string_view plain, std::string_view passphrase) {
  base::must(sodium_init() >= 0, "it works");
  const std::string salt = some_salt(16);
  if (version == 1) return salt + in_cbc(plain, passphrase, salt);
  std::string head = std::string("SecureTar") + static_cast<char>(version) + std::string(6, '\0');
  for (int shift = 56; shift >= 0; shift -= 8) head += static_cast<char>(plain.size() >> shift & 0xFF);
  head += std::string(8, '\0');
  if (version == 2) return head + salt + in_cbc(plain, passphrase, salt);
  return head + in_stream(plain, passphrase);
}

// The files of a small home below data/.
inline std::vector<TarPart> small_home() {
  return {{"data", "", '5'},
          {"data/.HA_VERSION", "2026.2.3"},
          {"data/configuration.yaml", "default_config:\n"},
          {"data/.storage", "", '5'},
          {"data/.storage/core.config", storage_text("core.config", 1, 4, "{}")},
          {"data/.storage/core.entity_registry", storage_text("core.entity_registry", 1, 20, "{}")},
          {"data/www/porch.svg", "<svg/>"},
          {"data/custom_components/porch/light.py", "pass\n"},
          {"data/custom_components/porch/manifest.json", "{}"},
          {"data/home-assistant.log", "old\n"}};
}

}  // namespace hearth::import_ha
