// SPDX-License-Identifier: Apache-2.0
// A key, PIN or password of a connection. No JSON writer, log line or template takes one: who needs the bytes says
// `reveal`. They are overwritten when the last copy goes. Any thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace hearth::core {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string bytes);

  bool empty() const { return !bytes_ || bytes_->empty(); }
  // Valid as long as this. For the integration whose secret it is, and for the table that keeps it.
  std::string_view reveal() const { return bytes_ ? std::string_view(*bytes_) : std::string_view(); }
  bool operator==(const Secret& other) const { return reveal() == other.reveal(); }

 private:
  std::shared_ptr<const std::string> bytes_;
};

// By name, such as `noise_psk`.
using Secrets = std::map<std::string, Secret, std::less<>>;

// The text with `**` in place of each secret that it has, also in base 64 and in hexadecimal digits.
std::string without_secrets(std::string text, const Secrets& secrets);

}  // namespace hearth::core
