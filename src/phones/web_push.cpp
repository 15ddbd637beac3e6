// SPDX-License-Identifier: Apache-2.0
#include "phones/web_push.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <sodium.h>

#include <array>
#include <chrono>

#include "base/json/json.h"

namespace hearth::phones {
namespace {

using base::ErrorCode;
using base::Result;
using KeyPtr = std::shared_ptr<EVP_PKEY>;

constexpr std::size_t kPoint = 65, kBrowserSecret = 16, kHash = 32, kSalt = 16, kTag = 16, kContentKey = 16,
                      kNonce = 12;
constexpr std::uint32_t kRecord = 4'096;
constexpr std::string_view kContact = "mailto:hearth@localhost.invalid";
constexpr std::chrono::hours kTokenLife{12};

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

std::string from_base64url(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes(text.size(), '\0');
  std::size_t length = 0;
  if (sodium_base642bin(bytes_of(bytes), bytes.size(), text.data(), text.size(), nullptr, &length, nullptr,
                        sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0)
    return {};
  bytes.resize(length);
  return bytes;
}

KeyPtr owned(EVP_PKEY* key) {
  return {key, [](EVP_PKEY* each) { EVP_PKEY_free(each); }};
}

KeyPtr make_key() {
  return owned(EVP_EC_gen("P-256"));
}

// The point, uncompressed.
std::string point_of(const KeyPtr& key) {
  std::string point(kPoint, '\0');
  std::size_t length = 0;
  if (EVP_PKEY_get_octet_string_param(key.get(), OSSL_PKEY_PARAM_PUB_KEY, bytes_of(point), point.size(), &length) !=
          1 ||
      length != kPoint)
    return {};
  return point;
}

// Null if it is none of the curve.
KeyPtr key_at(std::string_view point) {
  const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> context(
      EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr), EVP_PKEY_CTX_free);
  std::string group = "P-256", bytes(point);
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group.data(), 0),
      OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, bytes.data(), bytes.size()),
      OSSL_PARAM_construct_end()};
  EVP_PKEY* key = nullptr;
  if (!context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, const_cast<OSSL_PARAM*>(parameters)) != 1)
    return nullptr;
  return owned(key);
}

std::string shared_secret(const KeyPtr& own, const KeyPtr& other) {
  const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> context(
      EVP_PKEY_CTX_new_from_pkey(nullptr, own.get(), nullptr), EVP_PKEY_CTX_free);
  std::string secret(kHash, '\0');
  std::size_t length = secret.size();
  if (!context || EVP_PKEY_derive_init(context.get()) != 1 ||
      EVP_PKEY_derive_set_peer_ex(context.get(), other.get(), 1) != 1 ||
      EVP_PKEY_derive(context.get(), bytes_of(secret), &length) != 1 || length != kHash)
    return {};
  return secret;
}

// HKDF of SHA-256 (RFC 5869).
std::string derived(std::string_view salt, std::string_view secret, std::string_view info, std::size_t length) {
  const std::unique_ptr<EVP_KDF, decltype(&EVP_KDF_free)> kdf(EVP_KDF_fetch(nullptr, "HKDF", nullptr), EVP_KDF_free);
  const std::unique_ptr<EVP_KDF_CTX, decltype(&EVP_KDF_CTX_free)> context(EVP_KDF_CTX_new(kdf.get()), EVP_KDF_CTX_free);
  std::string digest = "SHA256", salt_bytes(salt), secret_bytes(secret), info_bytes(info), out(length, '\0');
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest.data(), 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, salt_bytes.data(), salt_bytes.size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, secret_bytes.data(), secret_bytes.size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info_bytes.data(), info_bytes.size()),
      OSSL_PARAM_construct_end()};
  if (!context || EVP_KDF_derive(context.get(), bytes_of(out), out.size(), parameters) != 1) return {};
  return out;
}

// AES-128-GCM, the tag behind.
std::string sealed(const std::string& key, const std::string& nonce, std::string_view text) {
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(EVP_CIPHER_CTX_new(),
                                                                                EVP_CIPHER_CTX_free);
  std::string out(text.size() + kTag, '\0');
  int length = 0, rest = 0;
  if (!context || EVP_EncryptInit_ex(context.get(), EVP_aes_128_gcm(), nullptr, bytes_of(key), bytes_of(nonce)) != 1 ||
      EVP_EncryptUpdate(context.get(), bytes_of(out), &length, bytes_of(text), static_cast<int>(text.size())) != 1 ||
      EVP_EncryptFinal_ex(context.get(), bytes_of(out) + length, &rest) != 1 ||
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, kTag, out.data() + text.size()) != 1)
    return {};
  return out;
}

// ECDSA with SHA-256, both numbers side by side, as JWS has it (RFC 7518 §3.4).
std::string signature(const KeyPtr& key, std::string_view text) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::string der(128, '\0');
  std::size_t length = der.size();
  if (!context || EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) != 1 ||
      EVP_DigestSign(context.get(), bytes_of(der), &length, bytes_of(text), text.size()) != 1)
    return {};
  const unsigned char* at = bytes_of(der);
  const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> numbers(
      d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(length)), ECDSA_SIG_free);
  std::string out(2 * kHash, '\0');
  if (!numbers || BN_bn2binpad(ECDSA_SIG_get0_r(numbers.get()), bytes_of(out), kHash) < 0 ||
      BN_bn2binpad(ECDSA_SIG_get0_s(numbers.get()), bytes_of(out) + kHash, kHash) < 0)
    return {};
  return out;
}

}  // namespace

std::string base64url(std::string_view bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes_of(bytes), bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  text.resize(text.find('\0'));
  return text;
}

Result<BrowserKeys> read_browser_keys(std::string_view public_key, std::string_view secret) {
  BrowserKeys keys{from_base64url(public_key), from_base64url(secret)};
  if (keys.public_key.size() != kPoint || !key_at(keys.public_key))
    return base::fail(ErrorCode::invalid, "p256dh: expected a point of P-256 as base64url");
  if (keys.secret.size() != kBrowserSecret)
    return base::fail(ErrorCode::invalid, fmt::format("auth: expected {} bytes as base64url", kBrowserSecret));
  return keys;
}

PushKey PushKey::make() {
  return PushKey(make_key());
}

Result<PushKey> PushKey::read(std::string_view text) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())),
                                                         BIO_free);
  auto key = owned(memory ? PEM_read_bio_PrivateKey(memory.get(), nullptr, nullptr, nullptr) : nullptr);
  if (!key || point_of(key).empty()) return base::fail(ErrorCode::invalid, "no key");
  return PushKey(std::move(key));
}

std::string PushKey::text() const {
  const std::unique_ptr<BIO, decltype(&BIO_free)> memory(BIO_new(BIO_s_mem()), BIO_free);
  if (!memory || PEM_write_bio_PrivateKey(memory.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1)
    return {};
  char* data = nullptr;
  const long length = BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(length)};
}

std::string PushKey::public_key() const {
  return base64url(point_of(key_));
}

std::string PushKey::authorization(std::string_view origin, base::Timestamp now) const {
  const auto end = std::chrono::duration_cast<std::chrono::seconds>((now + kTokenLife).time_since_epoch()).count();
  const json::object head{{"typ", "JWT"}, {"alg", "ES256"}};
  const json::object claims{{"aud", origin}, {"exp", end}, {"sub", kContact}};
  const std::string text = base64url(base::to_json(head)) + "." + base64url(base::to_json(claims));
  return fmt::format("vapid t={}.{}, k={}", text, base64url(signature(key_, text)), public_key());
}

std::string encrypt_push(const BrowserKeys& browser, std::string_view message) {
  const KeyPtr own = make_key(), other = key_at(browser.public_key);
  const std::string point = own ? point_of(own) : std::string();
  const std::string secret = own && other ? shared_secret(own, other) : std::string();
  if (point.empty() || secret.empty()) return {};
  const std::string info = std::string("WebPush: info\0", 14) + browser.public_key + point;
  const std::string input = derived(browser.secret, secret, info, kHash);
  std::string salt(kSalt, '\0');
  randombytes_buf(salt.data(), salt.size());
  const std::string key = derived(salt, input, std::string_view("Content-Encoding: aes128gcm\0", 28), kContentKey);
  const std::string nonce = derived(salt, input, std::string_view("Content-Encoding: nonce\0", 24), kNonce);
  if (key.empty() || nonce.empty()) return {};
  // The last record ends with 2; there is one (RFC 8188 §2).
  const std::string body = sealed(key, nonce, std::string(message) + '\x02');
  if (body.empty()) return {};
  std::string head = salt;
  for (const int shift : {24, 16, 8, 0}) head += static_cast<char>((kRecord >> shift) & 0xFF);
  head += static_cast<char>(kPoint);
  return head + point + body;
}

}  // namespace hearth::phones
