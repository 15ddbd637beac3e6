// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "app/settings/settings.h"

namespace hearth::app {
namespace {

// "dsmr: 1 2\nmodbus: cellar\n" of the hosts or names in the sections that start integrations.
std::string integrations_of(std::string_view text) {
  const std::vector<KnownIntegration> known{{"dsmr", nullptr}, {"modbus", nullptr}, {"mqtt", nullptr}};
  const Settings settings = parse_settings(text, known);
  std::string all;
  for (const auto& finding : settings.findings) all += finding.message + "\n";
  for (const auto& integration : settings.integrations) {
    all += integration.name + ":";
    const auto add = [&](const base::ConfigNode& item) { all += " " + item.find("name")->text().value(); };
    if (integration.options.is_list())
      std::ranges::for_each(integration.options.items(), add);
    else
      add(integration.options);
    all += "\n";
  }
  return all;
}

TEST(PlatformIntegrations, HaveTheirSectionsInPackagesToo) {
  EXPECT_EQ(integrations_of("modbus: {name: one}\n"
                            "homeassistant:\n"
                            "  packages:\n"
                            "    cellar: {modbus: [{name: two}, {name: three}]}\n"
                            "    attic: {modbus: {name: four}, dsmr: {name: meter}}\n"),
            "modbus: one two three four\ndsmr: meter\n");
}

TEST(PlatformIntegrations, AreFoundAmongThePlatformsOfPackages) {
  EXPECT_EQ(integrations_of("sensor: [{platform: dsmr, name: old}]\n"
                            "homeassistant:\n"
                            "  packages:\n"
                            "    a: {sensor: [{platform: dsmr, name: older}], dsmr: [{name: new}]}\n"),
            "dsmr: new old older\n");
}

}  // namespace
}  // namespace hearth::app
