// SPDX-License-Identifier: Apache-2.0
// A connection: one thing that the hub talks to, such as a device, a bridge or a broker. An integration has any number
// of them, each with a state of its own. Clients of this family call it a config entry.
//
// Immutable values; any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json/json.h"

namespace hearth::core {

struct Connection {
  enum class Source { yaml, user, zeroconf };  // configuration.yaml; a page; found, and confirmed by a person

  std::string entry_id;        // a ULID
  std::string domain;          // the integration's name
  std::string title;           // for people
  std::string unique_id = {};  // the device's own id; empty for the only connection of an integration
  Source source = Source::yaml;
  json::object data = {};        // host, port and the like: for the integration only, no client sees it
  json::object options = {};     // likewise
  bool disabled = false;         // by a person
  bool changes_by_flow = false;  // a flow can give it another address or secret; not kept
  base::Timestamp created_at = {}, modified_at = {};

  bool operator==(const Connection&) const = default;
};

using ConnectionPtr = std::shared_ptr<const Connection>;

// True for a device or entity that this connection brings.
bool is_provided_by(const Connection& connection, const auto& entry) {
  if (entry.integration != connection.domain) return false;
  return entry.entry_id.empty() ? connection.unique_id.empty() : entry.entry_id == connection.entry_id;
}

// The entry id of a connection that configuration.yaml names: the same in each run.
std::string fixed_entry_id(std::string_view domain, std::string_view unique_id);

std::string_view to_string(Connection::Source source);
std::optional<Connection::Source> parse_connection_source(std::string_view text);

// Why a flow or a connection does not go on; the codes are those of clients of this family.
enum class ConnectionError {
  cannot_connect,
  invalid_auth,
  invalid_host,
  invalid_pin,
  invalid_psk,
  already_configured,
  timeout,
  unsupported,
  busy,
  unknown,
};
std::string_view to_string(ConnectionError error);

}  // namespace hearth::core
