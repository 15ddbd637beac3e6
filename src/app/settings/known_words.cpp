// SPDX-License-Identifier: Apache-2.0
#include "app/settings/known_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/sections/automation_sections.h"
#include "app/sections/foreign_words.h"
#include "app/sections/platform_integrations.h"
#include "base/json/json.h"

namespace hearth::app {
namespace {

using import_ha::KnownConfiguration;
using Word = KnownConfiguration::Word;

constexpr std::string_view kNoPlatform = "no_such_platform";

bool leaves_out(const std::string& text, std::span<const KnownIntegration> integrations) {
  const Findings findings = parse_settings(text, integrations).findings;
  return std::ranges::any_of(findings, [](const Finding& each) { return each.kind == Finding::Kind::left_out; });
}

Word word_of(const ForeignWord& word) {
  using enum ForeignWord::Kind;
  const auto kind = word.kind == built_in     ? KnownConfiguration::Kind::built_in
                    : word.kind == translated ? KnownConfiguration::Kind::translated
                                              : KnownConfiguration::Kind::not_here;
  return {kind, std::string(word.meaning)};
}

}  // namespace

KnownConfiguration known_words(std::span<const KnownIntegration> integrations) {
  KnownConfiguration known;
  known.section = [integrations](const std::string& section, bool in_package) -> Word {
    if (const ForeignWord* const word = find_foreign(section)) return word_of(*word);
    // A key in quotes, as JSON has it, is one in YAML.
    const std::string key = base::to_json(json::value(section));
    const std::string text =
        in_package ? fmt::format("home:\n  packages:\n    one:\n      {}:\n", key) : fmt::format("{}:\n", key);
    if (leaves_out(text, integrations)) return {};
    return {KnownConfiguration::Kind::read};
  };
  known.key = [](const std::string& path) -> Word {
    if (const ForeignWord* const word = find_foreign(path)) return word_of(*word);
    return {KnownConfiguration::Kind::read};
  };
  known.has_platforms = [integrations](const std::string& section) {
    const std::string key = base::to_json(json::value(section));
    return !find_foreign(section) && !leaves_out(fmt::format("{}:\n", key), integrations) &&
           leaves_out(fmt::format("{}:\n  - platform: {}\n", key, kNoPlatform), integrations);
  };
  known.knows_platform = [](const std::string& section, const std::string& platform) {
    return app::knows_platform(section, platform) || !integration_of_platform(section, platform).empty();
  };
  return known;
}

}  // namespace hearth::app
