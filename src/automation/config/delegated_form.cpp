// SPDX-License-Identifier: Apache-2.0
#include "automation/config/delegated_form.h"

#include <algorithm>

#include "automation/config/device_forms.h"
#include "domains/entities/kinds.h"

namespace hearth::automation {
namespace {

// Forms that only this hub has.
constexpr std::string_view kOwnKeys[] = {"trigger",   "platform", "condition",        "id", "alias", "enabled",
                                         "variables", "metadata", "continue_on_error"};

std::string text_of(const ConfigNode& node, std::string_view key) {
  const ConfigNode* const found = node.find(key);
  const auto text = found ? found->text() : std::unexpected(base::Error{});
  return text ? std::string(*text) : std::string();
}

}  // namespace

std::optional<DelegatedForm> delegated_form(ConfigReader& in, const ConfigNode& node, std::string_view key) {
  const std::string domain = text_of(node, "domain"), type = text_of(node, "type");
  DelegatedForm form{.device_id = text_of(node, "device_id"), .written = {}};
  if (domain.empty() || form.device_id.empty() || domain == "mqtt" || domains::find_kind(domain)) return {};
  const bool known = key == "platform"    ? device_trigger(domain, type).has_value()
                     : key == "condition" ? device_condition(domain, type).has_value()
                                          : device_action(domain, type).has_value();
  if (known && (key.empty() || !text_of(node, "entity_id").empty())) return {};
  const json::value written = written_as(node);
  for (const auto& [name, value] : written.as_object()) {
    in.find(name);
    if (std::ranges::find(kOwnKeys, std::string_view(name)) == std::end(kOwnKeys)) form.written[name] = value;
  }
  if (!key.empty()) form.written[key] = "device";
  return form;
}

}  // namespace hearth::automation
