// SPDX-License-Identifier: Apache-2.0
// For tests: a home in a folder, whose recorder runs by hand.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "backup/backup_reader.h"
#include "backup/backup_writer.h"
#include "recorder/test_history.h"
#include "storage/home_uuid.h"
#include "storage/temporary_folder.h"

namespace hearth::backup {

inline std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

inline void put_text(const std::filesystem::path& file, std::string_view text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

// Every path below the folder, and the text of files.
inline std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
  std::map<std::string, std::string> found;
  if (!std::filesystem::exists(folder)) return found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    found[entry.path().lexically_relative(folder)] = entry.is_regular_file() ? text_of(entry.path()) : "";
  return found;
}

class TestHome {
 public:
  explicit TestHome(std::filesystem::path path)
      : folder(std::move(path)), uuid(make(folder)), running(clock, folder), recorder(running.recorder) {}

  void set(std::string_view id, std::string_view value) {
    clock.advance(std::chrono::seconds(1));
    running.set(id, value, R"({"a":1})");
  }
  std::string value(std::string_view id) const {
    const auto state = running.hub.states.find(id);
    return state ? std::string(state->value()) : "none";
  }
  void commit() { recorder->commit().value(); }

 private:
  static std::string make(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    auto database = storage::Database::open(folder / "home.db").value();
    return storage::home_uuid(database).value();
  }

 public:
  const std::filesystem::path folder;
  const std::string uuid;
  base::ManualClock clock;
  recorder::TestHome running;
  std::unique_ptr<recorder::Recorder>& recorder;
};

class BackupFixture : public testing::Test {
 protected:
  std::filesystem::path home() const { return temporary_ / "home"; }
  std::filesystem::path file() const { return temporary_ / "home.tar.zst"; }
  BackupPlan plan() const {
    BackupPlan made;
    made.folder = home();
    made.target = file();
    made.version = "2026.11.0";
    made.home_name = "Home";
    made.created = base::ManualClock().now();
    return made;
  }
  BackupToRead to_read(std::string passphrase = {}) const { return {file(), std::move(passphrase), "2026.11.0"}; }
  // A home with some of everything, not in use.
  void fill_home() {
    put_text(home() / "configuration.yaml", "home:\n  name: Home\n");
    put_text(home() / "www/panel.js", "panel();\n");
    TestHome running(home());
    running.set("light.kitchen", "on");
    running.set("light.hall", "off");
  }

  storage::TemporaryFolder temporary_;
};

}  // namespace hearth::backup
