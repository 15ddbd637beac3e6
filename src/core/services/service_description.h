// SPDX-License-Identifier: Apache-2.0
// A service's name, fields and answer. Any thread.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/clock.h"
#include "core/values/service_field.h"

namespace hearth::core {

enum class ResponseSupport { none, optional, only };

struct ServiceDescription {
  std::string domain;
  std::string service;
  std::string name;         // for people: "Turn on"
  std::string description;  // one sentence
  std::vector<Field> fields;
  // Of fields that people or another hub made: name, default, example, selector and so on as they are written, by the
  // field's name. A name that `fields` lacks is for clients only: such a field is taken if `hands_on`.
  json::object written_fields = {};
  json::object written_target = {};         // the target as another hub describes it; empty: entities of target_domains
  bool has_target = true;                   // accepts entity_id, device_id, area_id, floor_id, label_id
  bool target_optional = false;             // may be called without one, too
  std::vector<std::string> target_domains;  // whose entities it accepts; empty means any
  ResponseSupport response = ResponseSupport::none;
  bool administrator = false;  // only administrators may call it
  bool for_everybody = false;  // changes nothing in the home: everybody with a token may call it
  // The unique id of the entity that people made and the service stands for, such as a script: who may not read the
  // entity does not know the service. Of what has no entity, <domain>.<service> counts as its id.
  std::string stands_for = {};
  // The name of another hub, if the service is called there: it gives way to one of this hub of the same name.
  std::string provider = {};
  // A call that takes longer than this is answered then, while the service continues.
  base::Duration longest = std::chrono::seconds(60);
  bool hands_on = false;  // takes further fields, unchecked: the services that it calls, or another hub, check them

  // True if it changes nothing: then the right to read is enough.
  bool only_asks() const { return response == ResponseSupport::only; }
  const Field* find(std::string_view field_name) const;
};

// The description as GET /api/services returns it: name, description, fields, target, response.
json::object to_json_object(const ServiceDescription& description);

// The data with each value converted to its field's type, without targets. Fails with invalid; the message names the
// field that is unknown, missing or of a wrong type.
base::Result<json::object> validate(const ServiceDescription& description, const json::object& data);

}  // namespace hearth::core
