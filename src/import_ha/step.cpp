// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "import_ha/import.h"

namespace hearth::import_ha {
namespace {

using base::ErrorCode;
using base::Result;

constexpr std::array<std::pair<Step, std::string_view>, 9> kSteps{{
    {Step::settings, "settings"},
    {Step::registry, "registry"},
    {Step::users, "users"},
    {Step::helpers, "helpers"},
    {Step::automations, "automations"},
    {Step::dashboards, "dashboards"},
    {Step::states, "states"},
    {Step::history, "history"},
    {Step::statistics, "statistics"},
}};

}  // namespace

std::string_view to_text(Step step) {
  return std::ranges::find(kSteps, step, &std::pair<Step, std::string_view>::first)->second;
}

Result<std::set<Step>> parse_steps(std::string_view list) {
  std::set<Step> steps;
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(name.size() + 1, list.size()));
    const auto found = std::ranges::find(kSteps, name, &std::pair<Step, std::string_view>::second);
    if (found == kSteps.end()) {
      std::vector<std::string_view> names;
      for (const auto& [step, text] : kSteps) names.push_back(text);
      return base::fail(ErrorCode::invalid,
                        fmt::format("--only: there is no step {}; there are {}.", name, fmt::join(names, ", ")));
    }
    steps.insert(found->first);
  }
  return steps;
}

}  // namespace hearth::import_ha
