// SPDX-License-Identifier: Apache-2.0
#include "app/settings/home_settings.h"

#include <gtest/gtest.h>

#include "storage/temporary_folder.h"

namespace hearth::app {
namespace {

using base::ConfigNode;

ConfigNode changes(const std::vector<std::pair<std::string, std::string>>& values) {
  ConfigNode::Map map;
  for (const auto& [key, value] : values) map.push_back({key, ConfigNode({{}, 0, key}, value)});
  return ConfigNode({}, std::move(map));
}

// A hub with a configuration file, and its settings.
struct Home {
  explicit Home(const std::filesystem::path& folder, std::string yaml = "") : file(std::move(yaml)) {
    settings = parse_settings(file, {});
    EXPECT_TRUE(home.open(folder / "home.db"));
    core::HubConfig rest;
    rest.uuid = "u";
    hub.config.publish(std::make_shared<const core::HubConfig>(home.config(rest, "http://127.0.0.1:1")));
    subscription = hub.bus.listen(core::event_type::kCoreConfigUpdated, [this](const core::Event& event) {
      events.push_back(std::get<std::string>(event.data));
    });
  }
  std::string change(const std::vector<std::pair<std::string, std::string>>& values) {
    const auto changed = home.change(changes(values), {});
    hub.bus.run_pending();
    return changed ? "" : changed.error().message;
  }

  // Empty, or what went wrong.
  std::string reload() {
    const auto loaded = home.apply(parse_settings(file, {}), {});
    hub.bus.run_pending();
    return loaded ? "" : loaded.error().message;
  }

  std::string file;  // configuration.yaml
  base::ManualClock clock;
  core::Hub hub{clock};
  Settings settings;
  HomeSettings home{hub, settings, [this] { return std::make_shared<const Settings>(parse_settings(file, {})); }};
  std::vector<std::string> events;
  core::Subscription subscription;
};

TEST(HomeSettings, ChangesWhatIsInForceAndKeepsTheRest) {
  const storage::TemporaryFolder folder;
  Home home(folder.path());
  EXPECT_EQ(home.change({{"location_name", "Villa"}, {"latitude", "52.5"}}), "");
  const auto config = home.hub.config.load();
  EXPECT_EQ(config->location_name, "Villa");
  EXPECT_EQ(config->latitude, 52.5);
  EXPECT_EQ(config->uuid, "u");
  EXPECT_EQ(config->internal_url, "http://127.0.0.1:1");
  EXPECT_EQ(home.events, std::vector<std::string>{R"({"location_name":"Villa","latitude":52.5})"});
}

TEST(HomeSettings, SurviveReopening) {
  const storage::TemporaryFolder folder;
  EXPECT_EQ(Home(folder.path()).change({{"time_zone", "Europe/Berlin"}}), "");
  EXPECT_EQ(Home(folder.path()).hub.config.load()->time_zone, "Europe/Berlin");
}

TEST(HomeSettings, FireNothingIfNothingDiffers) {
  const storage::TemporaryFolder folder;
  Home home(folder.path());
  EXPECT_EQ(home.change({{"location_name", "Home"}}), "");
  EXPECT_TRUE(home.events.empty());
}

TEST(HomeSettings, ChangeAllOrNothing) {
  const storage::TemporaryFolder folder;
  Home home(folder.path(), "home:\n  currency: CHF\n");
  EXPECT_EQ(home.change({{"location_name", "Villa"}, {"latitude", "91"}}),
            "latitude: expected a number from -90 to 90, found \"91\"");
  EXPECT_EQ(home.change({{"location_name", "Villa"}, {"currency", "EUR"}}),
            "currency is set in configuration.yaml:2: home.currency, and can be changed only there.");
  EXPECT_EQ(home.hub.config.load()->location_name, "Home");
  EXPECT_EQ(Home(folder.path()).hub.config.load()->location_name, "Home");
  EXPECT_TRUE(home.events.empty());
}

TEST(HomeSettings, AreOverriddenByTheFileAsLongAsItHasTheKey) {
  const storage::TemporaryFolder folder;
  EXPECT_EQ(Home(folder.path()).change({{"location_name", "Stored"}, {"currency", "USD"}}), "");
  const auto config = Home(folder.path(), "home:\n  name: File\n").hub.config.load();
  EXPECT_EQ(config->location_name, "File");
  EXPECT_EQ(config->currency, "USD");
  EXPECT_EQ(config->file_keys, std::set<std::string>{"location_name"});
  EXPECT_EQ(Home(folder.path()).hub.config.load()->location_name, "Stored");
}

TEST(HomeSettings, FollowTheFileWhenItIsReadAnew) {
  const storage::TemporaryFolder folder;
  Home home(folder.path(), "home: {name: Villa}");
  EXPECT_EQ(home.change({{"country", "DE"}, {"currency", "CHF"}}), "");
  home.events.clear();
  home.file = "home: {name: Cabin, currency: USD, latitude: 47.5}";
  EXPECT_EQ(home.reload(), "");
  const auto config = home.hub.config.load();
  EXPECT_EQ(config->location_name, "Cabin");
  EXPECT_EQ(config->currency, "USD");
  EXPECT_EQ(config->country, "DE");
  EXPECT_EQ(config->uuid, "u");
  EXPECT_EQ(home.events, std::vector<std::string>{R"({"location_name":"Cabin","latitude":47.5,"currency":"USD"})"});
  EXPECT_TRUE(home.change({{"latitude", "1"}}).contains("configuration.yaml:1"));
  EXPECT_EQ(home.reload(), "");
  EXPECT_EQ(home.events.size(), 1u);  // nothing differs

  home.file = "log: {level: debug}";
  EXPECT_EQ(home.reload(), "");
  EXPECT_EQ(home.hub.config.load()->currency, "CHF");
  EXPECT_EQ(home.hub.config.load()->location_name, "Home");
  EXPECT_EQ(home.change({{"latitude", "1"}}), "");
}

TEST(HomeSettings, StayAsTheyAreIfTheFileIsWrong) {
  const storage::TemporaryFolder folder;
  Home home(folder.path(), "home: {name: Villa}");
  EXPECT_TRUE(home.home.check_file());
  home.file = "home:\n  name: Cabin\n  latitude: north\n";
  EXPECT_TRUE(home.reload().contains("configuration.yaml:3: home.latitude"));
  EXPECT_FALSE(home.home.check_file());
  EXPECT_EQ(home.hub.config.load()->location_name, "Villa");
  EXPECT_TRUE(home.events.empty());
}

}  // namespace
}  // namespace hearth::app
