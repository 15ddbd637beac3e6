// SPDX-License-Identifier: Apache-2.0
#include "core/values/connection.h"

#include <fmt/format.h>

#include "base/digest.h"

namespace hearth::core {
namespace {

constexpr std::size_t kUlidLength = 26;
constexpr std::string_view kCrockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

}  // namespace

std::string fixed_entry_id(std::string_view domain, std::string_view unique_id) {
  const auto digest = base::sha256(fmt::format("{}\n{}", domain, unique_id));
  std::string id;
  id.reserve(kUlidLength);
  id += '0';  // a time that has been
  for (std::size_t i = 0; id.size() < kUlidLength; ++i) id += kCrockford[digest[i] % kCrockford.size()];
  return id;
}

std::string_view to_string(Connection::Source source) {
  switch (source) {
    case Connection::Source::yaml:
      return "yaml";
    case Connection::Source::user:
      return "user";
    case Connection::Source::zeroconf:
      return "zeroconf";
  }
  return "user";
}

std::optional<Connection::Source> parse_connection_source(std::string_view text) {
  for (const auto source : {Connection::Source::yaml, Connection::Source::user, Connection::Source::zeroconf})
    if (to_string(source) == text) return source;
  return {};
}

std::string_view to_string(ConnectionError error) {
  using enum ConnectionError;
  switch (error) {
    case cannot_connect:
      return "cannot_connect";
    case invalid_auth:
      return "invalid_auth";
    case invalid_host:
      return "invalid_host";
    case invalid_pin:
      return "invalid_pin";
    case invalid_psk:
      return "invalid_psk";
    case already_configured:
      return "already_configured";
    case timeout:
      return "timeout";
    case unsupported:
      return "unsupported";
    case busy:
      return "busy";
    case unknown:
      return "unknown";
  }
  return "unknown";
}

}  // namespace hearth::core
