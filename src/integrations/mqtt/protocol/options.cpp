// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/protocol/options.h"

#include <fmt/format.h>

#include "base/config/config_reader.h"
#include "integrations/mqtt/protocol/text.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr std::int64_t kMaxKeepalive = 65'535;  // seconds; of MQTT 5 §3.1.2.10

using OptionalText = std::optional<std::string>;

OptionalText parse_text(std::string_view text) {
  if (text.size() > Options::kMaxText || text.find('\0') != std::string_view::npos) return {};
  return std::string(text);
}

OptionalText parse_host_name(std::string_view text) {
  if (text.empty() || text.size() > 255 ||
      text.find_first_of(std::string_view(" \t\n/\0", 5)) != std::string_view::npos)
    return {};
  return std::string(text);
}

OptionalText parse_topic(std::string_view text) {
  if (!check_topic(text)) return {};
  return std::string(text);
}

// The default, unless the key is there; empty there means that no such message is sent.
void read_status(base::ConfigReader& in, std::string_view key, StatusMessage standard,
                 std::optional<StatusMessage>& message) {
  const base::ConfigNode* const node = in.find(key);
  message = std::move(standard);
  if (!node) return;
  if (node->is_empty() || (node->is_map() && node->entries().empty())) {
    message.reset();
    return;
  }
  base::ConfigReader& section = in.section(key);
  section.parsed("topic", message->topic, "a topic such as hub/status, without + and #", parse_topic);
  section.text("payload", message->payload);
  section.integer("qos", message->qos, 0, 2);
  section.boolean("retain", message->retain);
}

void check_files(base::ConfigReader& in, const base::ConfigNode& section, const Options& options) {
  const auto needs = [&](std::string_view key, bool there, std::string_view other) {
    const base::ConfigNode* const node = section.find(key);
    if (node && !there) in.report(*node, node->error(fmt::format("needs {}, too", other)));
  };
  needs("client_cert", !options.client_key.empty(), "client_key");
  needs("client_key", !options.client_certificate.empty(), "client_cert");
  for (const std::string_view key : {"client_cert", "client_key", "tls_insecure"})
    needs(key, options.secure(), "certificate: a file with the authorities to trust, or auto for the system's");
}

void read(base::ConfigReader& in, const base::ConfigNode& section, Options& options) {
  constexpr std::string_view kAnyText = "a text of at most 65535 bytes";
  in.parsed("broker", options.broker, "a host name or an address such as 192.168.1.5", parse_host_name);
  if (!section.find("broker")) in.report(section, section.error("broker is missing: expected its host"));
  in.parsed("certificate", options.certificate, kAnyText, parse_text);
  if (options.secure()) options.port = Options::kSecurePort;
  in.integer("port", options.port, 1, 65'535);
  in.parsed("username", options.username, kAnyText, parse_text);
  in.parsed("password", options.password, kAnyText, parse_text);
  in.parsed("client_id", options.client_id, kAnyText, parse_text);
  in.option(
      "protocol", options.protocol,
      {{"automatic", Protocol::automatic}, {"5", Protocol::v5}, {"3.1.1", Protocol::v311}, {"3.1", Protocol::v31}});
  in.integer("keepalive", options.keepalive, 5, kMaxKeepalive);
  in.parsed("client_cert", options.client_certificate, kAnyText, parse_text);
  in.parsed("client_key", options.client_key, kAnyText, parse_text);
  in.boolean("tls_insecure", options.tls_insecure);
  check_files(in, section, options);
  in.boolean("discovery", options.discovery);
  in.parsed("discovery_prefix", options.discovery_prefix, "a topic such as homeassistant, without + and #",
            parse_topic);
  read_status(in, "birth_message", {options.discovery_prefix + "/status", "online"}, options.birth);
  read_status(in, "will_message", {options.discovery_prefix + "/status", "offline"}, options.will);
}

}  // namespace

std::string_view to_string(Protocol protocol) {
  switch (protocol) {
    case Protocol::automatic:
      return "automatic";
    case Protocol::v5:
      return "5";
    case Protocol::v311:
      return "3.1.1";
    case Protocol::v31:
      return "3.1";
  }
  return "automatic";
}

std::string Options::address() const {
  const bool is_ipv6 = broker.find(':') != std::string::npos;
  return is_ipv6 ? fmt::format("[{}]:{}", broker, port) : fmt::format("{}:{}", broker, port);
}

base::Result<Options> Options::parse(const base::ConfigNode& section) {
  Options options;
  base::ConfigReader in(section);
  read(in, section, options);
  return in.finish(std::move(options));
}

std::vector<base::ConfigProblem> Options::check(const base::ConfigNode& section) {
  Options options;
  base::ConfigReader in(section);
  read(in, section, options);
  return in.problems();
}

}  // namespace hearth::integrations::mqtt
