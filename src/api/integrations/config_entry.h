// SPDX-License-Identifier: Apache-2.0
// An integration as clients of this family see it: as a config entry, whose id is the integration's name, because each
// runs at most once. Any thread.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "core/view.h"

namespace hearth::api {

struct Parts;

// The ids of the entries that a caller may know. Any thread; immutable.
class ConfigEntryIds {
 public:
  explicit ConfigEntryIds(const core::View& home);
  // That of the integration; null if configuration.yaml names it no more, or it is the hub itself.
  json::value of(std::string_view integration) const;

 private:
  std::set<std::string, std::less<>> names_;
};

json::object config_entry(const core::IntegrationStatus& status, std::string_view title);
// What the hub tells of an integration, or of a domain, beside how it does.
json::object manifest(const Parts& parts, const core::HubConfig& config, std::string_view name, bool is_domain);

}  // namespace hearth::api
