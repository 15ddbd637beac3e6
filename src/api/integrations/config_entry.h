// SPDX-License-Identifier: Apache-2.0
// A connection as clients of this family see it: as a config entry. Any thread.
#pragma once

#include <functional>
#include <map>
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
  // That of the connection which brings the device or entity; null if the home has it no more, or it is the hub itself.
  json::value of(const auto& entry) const { return of(entry.integration, entry.entry_id); }

 private:
  json::value of(std::string_view integration, std::string_view entry_id) const;

  std::map<std::string, std::string, std::less<>> only_ones_;  // by integration
  std::set<std::string, std::less<>> ids_;
};

// `title`: that of the only connection of an integration.
json::object config_entry(const core::IntegrationStatus& status, std::string_view title);
// The hub's words about an integration, or a domain, beside its health.
json::object manifest(const Parts& parts, const core::HubConfig& config, std::string_view name, bool is_domain);

}  // namespace hearth::api
