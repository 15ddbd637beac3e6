// SPDX-License-Identifier: Apache-2.0
// The section `mqtt` of configuration.yaml, or the options that the settings page stores in its place. Values; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/config/config_reader.h"
#include "base/result.h"

namespace hearth::integrations::mqtt {

enum class Protocol {
  automatic,  // 5, or 3.1.1 if the broker does not know 5
  v5,
  v311,
  v31,
};

// "5", "3.1.1" or "3.1"; for automatic "automatic".
std::string_view to_string(Protocol protocol);

// A message that tells others whether the hub is there.
struct StatusMessage {
  std::string topic;
  std::string payload;
  int qos = 0;
  bool retain = false;

  bool operator==(const StatusMessage&) const = default;
};

struct Options {
  static constexpr std::uint16_t kPort = 1883, kSecurePort = 8883;
  // At most so many bytes of user name, password and client id, each (MQTT 5 §1.5.4).
  static constexpr std::size_t kMaxText = 65'535;

  std::string broker;  // a host name or an address
  std::uint16_t port = kPort;
  std::string username, password;  // empty: none
  std::string client_id;           // empty: that of own_client_id
  Protocol protocol = Protocol::automatic;
  int keepalive = 60;       // seconds
  std::string certificate;  // a file with the authorities that are trusted; auto: the system's; empty: no TLS
  std::string client_certificate, client_key;  // files; empty: none
  bool tls_insecure = false;                   // the certificate may be for another host
  bool discovery = true;
  std::string discovery_prefix = "homeassistant";
  std::optional<StatusMessage> birth, will;  // null: none

  bool secure() const { return !certificate.empty(); }
  // host:port
  std::string address() const;
  bool operator==(const Options&) const = default;

  // Fails with invalid; a line for each error.
  static base::Result<Options> parse(const base::ConfigNode& section);
  static std::vector<base::ConfigProblem> check(const base::ConfigNode& section);
};

}  // namespace hearth::integrations::mqtt
