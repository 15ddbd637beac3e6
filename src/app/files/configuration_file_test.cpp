// SPDX-License-Identifier: Apache-2.0
#include "app/files/configuration_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <regex>

#include "app/settings/settings.h"

namespace hearth::app {
namespace {

class ConfigurationFile : public testing::Test {
 protected:
  ConfigurationFile() {
    std::string name = (std::filesystem::temp_directory_path() / "hearth_test_XXXXXX").native();
    folder_ = ::mkdtemp(name.data());
  }
  ~ConfigurationFile() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return (folder_ / "configuration.yaml").native(); }
  void write(std::string_view text) const { std::ofstream(path(), std::ios::binary) << text; }
  std::string error() const {
    const auto text = read_configuration(folder_);
    return text ? "no error" : text.error().message;
  }

  std::filesystem::path folder_;
  const std::vector<KnownIntegration> known_ = {{"demo", nullptr}};
};

TEST_F(ConfigurationFile, IsReadAsItStands) {
  write("a: 1\r\n");
  EXPECT_EQ(read_configuration(folder_), "a: 1\r\n");
}

TEST_F(ConfigurationFile, IsWrittenIfThereIsNone) {
  EXPECT_EQ(error(), path() + ": there is no such file; `hearth serve` writes one");
  EXPECT_EQ(write_default_configuration(folder_), true);
  EXPECT_EQ(read_configuration(folder_), default_configuration());
}

TEST_F(ConfigurationFile, IsNeverOverwritten) {
  write("mine: yes");
  EXPECT_EQ(write_default_configuration(folder_), false);
  EXPECT_EQ(read_configuration(folder_), "mine: yes");
}

TEST_F(ConfigurationFile, SaysWhyItCannotBeWritten) {
  EXPECT_EQ(write_default_configuration(folder_ / "absent").error().message,
            (folder_ / "absent/configuration.yaml").native() + ": cannot be written: No such file or directory");
}

TEST_F(ConfigurationFile, IsRefusedIfItIsNoFile) {
  std::filesystem::create_directory(path());
  EXPECT_EQ(error(), path() + ": is a folder, expected a file");
  std::filesystem::remove(path());
  ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
  EXPECT_EQ(error(), path() + ": is not a plain file");
}

TEST_F(ConfigurationFile, SaysWhyItCannotBeRead) {
  write("a: 1");
  std::filesystem::permissions(folder_, std::filesystem::perms(0755));
  std::filesystem::permissions(path(), std::filesystem::perms::none);
  const bool administrator = ::geteuid() == 0;  // root may read everything
  ASSERT_EQ(administrator ? ::seteuid(65'534) : 0, 0);
  const std::string message = error();
  ASSERT_EQ(administrator ? ::seteuid(0) : 0, 0);
  EXPECT_EQ(message, path() + ": cannot be read: Permission denied");

  std::filesystem::remove(path());
  std::filesystem::create_symlink("configuration.yaml", path());
  EXPECT_EQ(error(), path() + ": cannot be read: Too many levels of symbolic links");
}

TEST_F(ConfigurationFile, IsAtMostFourMebibytes) {
  write(std::string(4 << 20, '#'));
  EXPECT_EQ(error(), "no error");
  write(std::string((4 << 20) + 1, '#'));
  EXPECT_EQ(error(), path() + ": is larger than 4 MiB");
}

TEST_F(ConfigurationFile, IsWhatTheSettingsAreLoadedFrom) {
  write("http: {server_port: 80}");
  EXPECT_EQ(load_settings(folder_, known_)->http.server_port, 80);
  write("http: {server_port: x}");
  EXPECT_EQ(texts_of(load_settings(folder_, known_)->findings, Finding::Kind::refused),
            "configuration.yaml:1: http.server_port: expected a whole number from 1 to 65535, found \"x\"");
  std::filesystem::remove(path());
  EXPECT_EQ(load_settings(folder_, known_).error().code, base::ErrorCode::not_found);
}

// The default file with every commented key enabled.
std::string uncommented() {
  return std::regex_replace(std::string(default_configuration()), std::regex("\n  # (\\w+: )"), "\n  $1");
}

TEST_F(ConfigurationFile, ShowsTheTrueDefaults) {
  for (const std::string& text : {std::string(default_configuration()), uncommented()}) {
    const auto settings = parse_settings(text, known_);
    EXPECT_EQ(texts_of(settings.findings, Finding::Kind::note), "");
    const core::HubConfig home;
    EXPECT_EQ(settings.home.location_name, home.location_name);
    EXPECT_EQ(settings.home.latitude, home.latitude);
    EXPECT_EQ(settings.home.longitude, home.longitude);
    EXPECT_EQ(settings.home.elevation, home.elevation);
    EXPECT_EQ(settings.home.time_zone, home.time_zone);
    EXPECT_EQ(settings.home.unit_system, home.unit_system);
    EXPECT_EQ(settings.home.currency, home.currency);
    EXPECT_EQ(settings.home.country, home.country);
    EXPECT_EQ(settings.home.language, home.language);
    EXPECT_EQ(settings.home.internal_url, home.internal_url);
    EXPECT_EQ(settings.home.external_url, home.external_url);
    EXPECT_EQ(settings.http, HttpSettings());
    EXPECT_EQ(settings.log_level, Settings().log_level);
    EXPECT_EQ(settings.recorder.commit_interval, Settings().recorder.commit_interval);
    ASSERT_EQ(settings.integrations.size(), 1u);
    EXPECT_EQ(settings.integrations[0].name, "demo");
  }
}

TEST_F(ConfigurationFile, ShowsEveryKey) {
  for (const char* section : {"home", "http", "log", "recorder"}) {
    const auto settings = parse_settings(std::string(section) + ": {no_such_key: 1}", known_);
    const std::string message = texts_of(settings.findings, Finding::Kind::left_out);
    const std::string keys = message.substr(message.find("Known: ") + 7);
    const std::regex separator(", ");
    for (std::sregex_token_iterator key(keys.begin(), keys.end(), separator, -1), end; key != end; ++key) {
      EXPECT_NE(uncommented().find("\n  " + key->str() + ": "), std::string::npos) << key->str();
    }
  }
}

}  // namespace
}  // namespace hearth::app
