// SPDX-License-Identifier: Apache-2.0
#include "api/services/described.h"

namespace hearth::api {

json::object described(const core::View& home, const core::ServiceDescription& description) {
  json::object object = core::to_json_object(description);
  if (home.rights().reads_all()) return object;
  json::object& fields = object["fields"].as_object();
  for (const auto& written : description.written_fields) {
    json::object& field = fields[written.key()].as_object();
    for (const char* const key : {"default", "example", "selector"}) {
      const json::value* const value = field.if_contains(key);
      if (value && home.names_hidden(base::to_json(*value))) field.erase(key);
    }
  }
  return object;
}

}  // namespace hearth::api
