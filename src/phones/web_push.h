// SPDX-License-Identifier: Apache-2.0
// Messages to browsers by their makers' push services, which cannot read them: RFC 8030, 8188, 8291, and 8292 for who
// sends them. Any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

struct evp_pkey_st;

namespace hearth::phones {

// The subscription that a browser gives a page.
struct BrowserKeys {
  std::string public_key;  // 65 bytes, a point of P-256
  std::string secret;      // 16 bytes
};
// Both as base64url. Fails with invalid.
base::Result<BrowserKeys> read_browser_keys(std::string_view public_key, std::string_view secret);

// The key by which push services know the hub.
class PushKey {
 public:
  static PushKey make();
  // Of text(). Fails with invalid.
  static base::Result<PushKey> read(std::string_view text);
  std::string text() const;        // PEM; a secret
  std::string public_key() const;  // base64url of the point: for browsers that subscribe
  // The Authorization field of a request to the push service of this origin, such as https://push.example.
  std::string authorization(std::string_view origin, base::Timestamp now) const;

 private:
  explicit PushKey(std::shared_ptr<evp_pkey_st> key) : key_(std::move(key)) {}
  std::shared_ptr<evp_pkey_st> key_;
};

constexpr std::size_t kMaxPushed = 3'000;  // bytes of a message, so that every service takes it
// The body of the request, of Content-Encoding aes128gcm. Empty if the keys are no keys, or the machine fails.
std::string encrypt_push(const BrowserKeys& browser, std::string_view message);

std::string base64url(std::string_view bytes);

}  // namespace hearth::phones
