// SPDX-License-Identifier: Apache-2.0
// The messages of the session with the other hub, which lives on the thread `net`, to the mirror of that hub on the bus
// thread, in their order. Values are those of the other hub; the mirror checks what it stores.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/text/optional_text.h"

namespace hearth::integrations::home_assistant {

using base::OptionalText;

// The hub there, by `get_config` and `auth/current_user`.
struct OtherHub {
  std::string version;              // of Home Assistant, such as 2026.2.3
  std::string hearth_version = {};  // empty unless the hub is another Hearth
  std::string uuid = {};            // `hearth_uuid`, or empty
  std::string name = {};            // of the place
  std::string user_id = {};         // the owner of the token
  std::string user_name = {};
  bool administrator = false;
  std::optional<base::Timestamp> token_ends = {};  // null: it does not, or is not told
  std::vector<std::string> missing = {};           // commands that the version there lacks
};

struct OtherFloor {
  std::string id, name;
  std::optional<int> level = {};
  OptionalText icon = {};
};

struct OtherLabel {
  std::string id, name;
  OptionalText icon = {}, color = {}, description = {};
};

struct OtherArea {
  std::string id, name;
  OptionalText floor_id = {}, icon = {};
  std::vector<std::string> aliases = {}, labels = {};
};

struct OtherDevice {
  std::string id;
  OptionalText name = {}, name_by_user = {}, manufacturer = {}, model = {}, model_id = {}, sw_version = {},
               hw_version = {};
  OptionalText serial_number = {}, via_device_id = {}, configuration_url = {}, entry_type = {}, area_id = {};
  OptionalText disabled_by = {};
  std::vector<std::pair<std::string, std::string>> identifiers = {}, connections = {};
  std::vector<std::string> labels = {};
};

// An entry of the entity registry there.
struct OtherEntity {
  std::string id;  // of the registry; empty before 2022
  std::string entity_id, unique_id, platform;
  OptionalText name = {}, original_name = {}, icon = {}, original_icon = {}, device_class = {},
               original_device_class = {};
  OptionalText device_id = {}, area_id = {}, translation_key = {}, entity_category = {}, disabled_by = {},
               hidden_by = {};
  bool has_entity_name = false;
  std::vector<std::string> labels = {}, aliases = {};
  json::object options = {}, capabilities = {};
  bool mirrored_there = false;  // `hearth_origin`, or of a platform that mirrors other hubs
  OptionalText origin = {};     // `instance` of `hearth_origin`, and its `hops`; 0 without one
  int hops = 0;
};

struct OtherContext {
  std::string id;
  OptionalText parent_id = {}, user_id = {};
};

struct OtherState {
  std::string entity_id;
  std::string value;
  json::object attributes;
  base::Timestamp last_changed, last_updated;
  OtherContext context;
};

// One service, as `get_services` describes it. `description` has name, description, fields, target and response.
struct OtherService {
  std::string domain, service;
  json::object description;
};

// --- The messages ---

// A new connection: the token is accepted. What was known of the former connection may be wrong now.
struct Opened {
  OtherHub hub;
};

// All registries, once for a connection and again after changes there. `complete` is false if the entity registry
// cannot be listed: the states are all that is known.
struct Registries {
  std::vector<OtherFloor> floors;
  std::vector<OtherLabel> labels;
  std::vector<OtherArea> areas;
  std::vector<OtherDevice> devices;
  std::vector<OtherEntity> entities;
  bool complete = true;
};

// All services of the hub there, once for a connection and again after changes.
struct Services {
  std::vector<OtherService> services;
};

// All states, once for a connection and again after `Running`. An entity that it lacks is gone only if `running`.
struct Picture {
  std::vector<OtherState> states;
  bool running = false;
};

// The hub there has started: what is missing from now on is gone.
struct Running {};

struct Change {
  std::string entity_id;
  std::optional<OtherState> state;  // null: removed there
};
struct Changes {
  std::vector<Change> changes;
  std::size_t skipped = 0;  // changes since the last ones that newer ones have replaced, because there were too many
};

struct OtherEvent {
  std::string type;
  json::value data;
  base::Timestamp time;
  OtherContext context;
};

// The answer to a command that the mirror has sent, with the number that the mirror gave it. Each command has one.
struct Answer {
  enum class Outcome {
    done,
    refused,      // `error` has code, message, and perhaps translation_key and translation_placeholders
    unreachable,  // not sent: there is no connection
    unknown,      // sent, and the connection was lost before the answer
    late,         // no answer within the limit; the connection goes on
  };
  std::uint64_t number;
  Outcome outcome = Outcome::done;
  json::value result = nullptr;
  json::object error = {};
};

// A message of a subscription that the mirror has asked for, such as a trigger.
struct Message {
  std::uint64_t number;
  json::value event;
};

struct Lost {
  enum class Why {
    link,      // the address, the network, TLS, or the hub closed the connection; comes back by itself
    refused,   // the token: nothing is tried until somebody asks, or an hour is over
    protocol,  // it answered something else than expected; comes back by itself
    flood,     // it sent more changes than a home may; comes back by itself
  };
  Why why = Why::link;
  std::string message;  // for people
  std::chrono::milliseconds retry_in{0};
};

// Time between a ping and its answer.
struct Latency {
  std::chrono::milliseconds time;
};

using News =
    std::variant<Opened, Registries, Services, Picture, Running, Changes, OtherEvent, Answer, Message, Lost, Latency>;

}  // namespace hearth::integrations::home_assistant
