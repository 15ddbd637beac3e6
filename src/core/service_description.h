// SPDX-License-Identifier: Apache-2.0
// What a service is called, what it takes and what it gives. Any thread.
#pragma once

#include <string>
#include <vector>

#include "core/service_field.h"

namespace hearth::core {

enum class ResponseSupport { none, optional, only };

struct ServiceDescription {
  std::string domain;
  std::string service;
  std::string name;         // for people: "Turn on"
  std::string description;  // one sentence
  std::vector<Field> fields;
  bool has_target = true;                   // takes entity_id, device_id, area_id, floor_id, label_id
  std::vector<std::string> target_domains;  // whose entities it takes; empty: any
  ResponseSupport response = ResponseSupport::none;
  bool administrator = false;  // who may call it

  const Field* find(std::string_view field_name) const;
};

// The description as GET /api/services shows it: name, description, fields, target, response.
json::object to_json_object(const ServiceDescription& description);

// The data with each value converted to its field's type, targets left out. Fails with invalid; the message names the
// field that is unknown, missing or of a wrong type.
base::Result<json::object> validate(const ServiceDescription& description, const json::object& data);

}  // namespace hearth::core
