// SPDX-License-Identifier: Apache-2.0
// For tests: a home with polled entities, given as JSON, whose clock moves only when the test says so; commands and the
// like run in real time.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "automation/test_automations.h"
#include "building_blocks/polled/polled_entities.h"
#include "net/http/http_client.h"

namespace hearth::building_blocks {

class TestPolled {
 public:
  explicit TestPolled(std::span<const Block> blocks, Databases* databases = nullptr) : blocks_(blocks) {
    static int number = 0;
    folder = std::filesystem::temp_directory_path() / fmt::format("hearth-polled-{}-{}", ::getpid(), ++number);
    std::filesystem::create_directories(folder);
    entities.emplace(blocks, automations.engine.home(), automations.home.domains.entities(), http_, folder, databases);
  }
  ~TestPolled() {
    entities->stop();
    entities->join();
    std::filesystem::remove_all(folder);
  }

  // Puts a section in force, and a list of platforms of a domain.
  void apply(std::string_view key, std::string_view section, std::string_view domain = "sensor",
             std::string_view platforms = "[]") {
    automation::Sections sections;
    sections.commands.emplace_back(std::string(key),
                                   automation::test_node(base::parse_json(section).value(), std::string(key)));
    sections.platforms.emplace_back(std::string(domain),
                                    automation::test_node(base::parse_json(platforms).value(), std::string(domain)));
    configuration = parse_polled(blocks_, sections);
    entities->apply(configuration);
    automations.run();
  }
  // Of the configuration, each on a line.
  std::string errors() const {
    std::string all;
    for (const std::string& error : errors_of(configuration)) all += error + "\n";
    return all;
  }
  // Waits until the entity has this state; what it has at the end of a minute otherwise.
  std::string becomes(std::string_view entity_id, std::string_view value) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    do {
      automations.run();
      if (automations.home.value(entity_id) == value) break;
    } while (std::chrono::steady_clock::now() < end);
    return automations.home.value(entity_id);
  }
  std::string attribute(std::string_view id, std::string_view key) { return automations.home.attribute(id, key); }
  void write(std::string_view name, std::string_view text) {
    std::ofstream(folder / name, std::ios::binary | std::ios::trunc) << text;
  }

  automation::TestAutomations automations;
  std::filesystem::path folder;
  std::optional<PolledEntities> entities;
  PolledConfiguration configuration;

 private:
  const std::span<const Block> blocks_;
  net::Reactor reactor_;
  net::HttpClient http_{reactor_, [this](std::size_t bytes, std::function<void()> task) {
                          return automations.home.hub.bus.post(core::IfFull::fail, bytes, std::move(task)).has_value();
                        }};
};

}  // namespace hearth::building_blocks
