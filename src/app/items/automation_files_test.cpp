// SPDX-License-Identifier: Apache-2.0
#include "app/items/automation_files.h"

#include <gtest/gtest.h>

#include <fstream>

#include "app/settings/configuration_cache.h"
#include "storage/temporary_folder.h"

namespace hearth::app {
namespace {

constexpr std::string_view kThree =
    "- {id: a, triggers: [], actions: []}\n- id: b\n  triggers: []\n  actions: []\n- {id: c, triggers: [], actions: "
    "[]}\n";

// A folder with three automations, which counts how often they are parsed.
class CountedFiles {
 public:
  CountedFiles() {
    write("configuration.yaml", "home:\n");
    write("automations.yaml", kThree);
    first_ = load_settings(folder_.path(), {}).value();
    cache_.emplace(
        [this] {
          ++parses_;  // with all of the configuration
          return load_settings(folder_.path(), {});
        },
        first_);
    files_.emplace(
        folder_.path(), [this] { return cache_->load(); },
        [this](const Settings& settings, const auto&, const auto& then) {
          in_force_ = settings.automations.automations.at(0).items().size();
          then();
        },
        [](const auto&, const auto&) {},
        [this](std::string text, const std::string& file) {
          ++parses_;
          return yaml::parse_document(std::move(text), file);
        });
  }

  void write(const std::string& name, std::string_view text) {
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
  }
  AutomationFiles& files() { return *files_; }
  std::size_t take_parses() { return std::exchange(parses_, 0); }
  std::size_t in_force() const { return in_force_; }

 private:
  const storage::TemporaryFolder folder_;
  Settings first_;
  std::size_t parses_ = 0, in_force_ = 0;
  std::optional<ConfigurationCache> cache_;
  std::optional<AutomationFiles> files_;
};

json::object item(std::string_view alias) {
  return {{"alias", alias}, {"triggers", json::array()}, {"actions", json::array()}};
}

TEST(AutomationFiles, AChangeParsesItsFileThreeTimesAndALookNever) {
  CountedFiles home;
  AutomationFiles& files = home.files();
  bool active = false;
  EXPECT_TRUE(files.read("automation", "b"));
  EXPECT_EQ(home.take_parses(), 0u);
  ASSERT_TRUE(files.write("automation", "b", item("One"), "", [&] { active = true; }));
  EXPECT_EQ(home.take_parses(), 3u);
  EXPECT_TRUE(active);
  ASSERT_TRUE(files.write("automation", "new", item("Two"), "", [] {}));
  EXPECT_EQ(home.take_parses(), 3u);
  EXPECT_EQ(home.in_force(), 4u);
  ASSERT_TRUE(files.write_text("automation", "b", "alias: Three\ntriggers: []\nactions: []\n", "", [] {}));
  EXPECT_EQ(home.take_parses(), 3u);
  ASSERT_TRUE(files.remove("automation", "b", "", [] {}));
  EXPECT_EQ(home.take_parses(), 3u);
  EXPECT_EQ(home.in_force(), 3u);
  EXPECT_FALSE(files.read("automation", "b"));
  EXPECT_TRUE(files.read("automation", "new"));
  EXPECT_EQ(home.take_parses(), 0u);
}

TEST(AutomationFiles, ReadWhatSomebodyElseHasWritten) {
  CountedFiles home;
  home.write("automations.yaml", "- {id: d, triggers: [], actions: []}\n");
  EXPECT_TRUE(home.files().read("automation", "d"));
  EXPECT_FALSE(home.files().read("automation", "a"));
  EXPECT_EQ(home.take_parses(), 1u);
}

TEST(AutomationFiles, NameTheFileThatCannotBeRead) {
  CountedFiles home;
  home.write("scripts.yaml", "a:\n  sequence: [\n");
  const auto saved = home.files().write("script", "b", {{"sequence", json::array()}}, "", [] {});
  ASSERT_FALSE(saved);
  EXPECT_TRUE(saved.error().message.starts_with(
      "Nothing can be saved in scripts.yaml, because it cannot be read: scripts.yaml:2:"))
      << saved.error().message;
}

}  // namespace
}  // namespace hearth::app
