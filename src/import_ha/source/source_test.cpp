// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "import_ha/source/test_old_backup.h"
#include "import_ha/source/test_old_home.h"

namespace hearth::import_ha {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

// The attentions of the report, by their word.
std::vector<std::string> attentions_of(const Report& report) {
  std::vector<std::string> words;
  const json::object object = report.to_json();
  for (const json::value& each : object.at("attentions").as_array())
    words.emplace_back(each.as_object().at("attention").as_string());
  return words;
}

// Lets a test that root runs see what others may not read.
class AsNobody {
 public:
  explicit AsNobody(const fs::path& place) {
    if (::geteuid() != 0) return;
    constexpr auto others = fs::perms::others_read | fs::perms::others_exec;
    fs::permissions(place, fs::perms::owner_all | others | fs::perms::group_read | fs::perms::group_exec);
    changed_ = ::seteuid(65'534) == 0;
  }
  ~AsNobody() { EXPECT_TRUE(!changed_ || ::seteuid(0) == 0); }

 private:
  bool changed_ = false;
};

TEST(ImportSource, ReadsAFolderAndChangesNothing) {
  OldHome home;
  make_history(home / "home-assistant_v2.db");
  write_file(home / "automations.yaml", "[]\n");
  const auto before = digests_of(home.folder());
  {
    auto source = home.open();
    ASSERT_TRUE(source.has_value()) << source.error().message;
    EXPECT_EQ(source->version(), "2026.2.3");
    EXPECT_FALSE(source->running());
    EXPECT_EQ(home.report.source.kind, "folder");
    EXPECT_EQ(home.report.source.version, "2026.2.3");
    EXPECT_FALSE(home.report.source.fingerprint.empty());
    const auto config = source->read_storage("core.config", home.report);
    ASSERT_TRUE(config.has_value() && config->has_value());
    EXPECT_EQ((*config)->data.at("latitude"), 48.2);
    EXPECT_EQ((*config)->minor, 4);
    EXPECT_EQ(source->read_text("automations.yaml").value(), "[]\n");
    EXPECT_EQ(source->read_text("scenes.yaml").value(), std::optional<std::string>());
    auto history = source->open_history({}, home.report);
    ASSERT_TRUE(history.has_value() && history->has_value());
    EXPECT_EQ(count_states(**history), 3);
    EXPECT_EQ(home.report.source.schema, 53);
  }
  EXPECT_EQ(digests_of(home.folder()), before);
  EXPECT_FALSE(fs::exists(home.scratch()));
}

TEST(ImportSource, RefusesWhatIsNoHome) {
  OldHome home;
  fs::remove_all(home / ".storage");
  auto source = home.open();
  ASSERT_FALSE(source.has_value());
  EXPECT_EQ(source.error().code, ErrorCode::invalid);
  EXPECT_EQ(source.error().message,
            home.folder().native() +
                " is no Home Assistant folder: there is no .storage/core.config in it. In an installation with add-ons "
                "the folder is /config.");
  source = Source::open(home / "nowhere", home.options(), home.report);
  ASSERT_FALSE(source.has_value());
  EXPECT_EQ(source.error().code, ErrorCode::invalid);
  source = Source::open(home / "configuration.yaml", home.options(), home.report);
  ASSERT_FALSE(source.has_value());
  EXPECT_EQ(source.error().code, ErrorCode::invalid);
}

TEST(ImportSource, NeedsTheFilesWithoutWhichNothingMakesSense) {
  OldHome home;
  fs::remove(home / "configuration.yaml");
  EXPECT_TRUE(home.open().has_value());
  fs::remove(home / ".storage/core.config");
  auto source = home.open();
  ASSERT_FALSE(source.has_value());
  EXPECT_EQ(source.error().code, ErrorCode::unavailable);
  EXPECT_TRUE(source.error().message.contains("configuration.yaml")) << source.error().message;
  write_file(home / "configuration.yaml", "");
  EXPECT_TRUE(home.open().has_value());
  fs::remove(home / ".storage/core.entity_registry");
  source = home.open();
  ASSERT_FALSE(source.has_value());
  EXPECT_EQ(source.error().code, ErrorCode::unavailable);
  EXPECT_TRUE(source.error().message.contains("core.entity_registry")) << source.error().message;
}

TEST(ImportSource, SaysThatAFileMayNotBeRead) {
  for (const std::string name : {".storage/auth", ".storage/core.config", "home-assistant_v2.db", "secrets.yaml"}) {
    OldHome home;
    write_file(home / name, "{}");
    fs::permissions(home / name, fs::perms::none);
    const AsNobody nobody(home.around());
    const auto source = home.open();
    ASSERT_FALSE(source.has_value()) << name;
    EXPECT_EQ(source.error().code, ErrorCode::unavailable);
    EXPECT_EQ(source.error().message,
              name + ": permission denied; run it as the user of Home Assistant, or use a backup.");
    EXPECT_FALSE(fs::exists(home.scratch()));
  }
}

TEST(ImportSource, TakesAFileThatIsNotThereAsNone) {
  OldHome home;
  write_file(home / ".storage/zone", "{}");  // as the other hub takes it
  auto source = home.open().value();
  EXPECT_FALSE(source.read_storage("person", home.report).value().has_value());
  EXPECT_FALSE(source.read_storage("zone", home.report).value().has_value());
  auto history = source.open_history({}, home.report);
  ASSERT_TRUE(history.has_value());
  EXPECT_FALSE(history->has_value());
}

TEST(ImportSource, NamesAFileThatIsDamaged) {
  OldHome home;
  write_file(home / ".storage/core.area_registry.corrupt.2026-02-03", storage_text("core.area_registry", 1, 9, "{}"));
  const auto source = home.open().value();
  for (const auto& [text, words] : std::vector<std::pair<std::string, std::string>>{
           {"", "it is empty (0 bytes)"},
           {R"({"version": 1, "data": {"areas": [)", "at byte 34"},
           {"[]", "an object was expected"},
           {R"({"version": "1", "data": {}})", "`version` must be a whole number"},
           {R"({"data": {}})", "`version` must be a whole number"},
           {R"({"version": 1, "minor_version": 1.5, "data": {}})", "`minor_version` must be a whole number"},
           {R"({"version": 1, "minor_version": 2})", "`data` is missing"}}) {
    write_file(home / ".storage/core.area_registry", text);
    const auto file = source.read_storage("core.area_registry", home.report);
    ASSERT_FALSE(file.has_value()) << text;
    EXPECT_EQ(file.error().code, ErrorCode::invalid);
    EXPECT_TRUE(file.error().message.starts_with(".storage/core.area_registry is damaged: ")) << file.error().message;
    EXPECT_TRUE(file.error().message.contains(words)) << file.error().message;
    EXPECT_TRUE(file.error().message.contains("core.area_registry.corrupt")) << file.error().message;
  }
}

TEST(ImportSource, KnowsTheVersionsOfFiles) {
  OldHome home;
  auto options = home.options();
  const auto strict = Source::open(home.folder(), options, home.report).value();
  options.accept_newer = true;
  const auto lenient = Source::open(home.folder(), options, home.report).value();

  write_file(home / ".storage/core.device_registry", storage_text("core.device_registry", 2, 1, "{}"));
  write_file(home / ".storage/person", storage_text("person", 2, 1, "{}"));
  write_file(home / ".storage/tag", R"({"version": 1, "key": "tag", "data": {"items": []}})");
  for (const std::string name : {"core.device_registry", "person", "tag"})
    EXPECT_TRUE(strict.read_storage(name, home.report).value().has_value()) << name;
  EXPECT_EQ(strict.read_storage("tag", home.report).value()->minor, 1);
  EXPECT_EQ(home.report.notes(), std::vector<std::string>());

  // A higher minor version: a note, once.
  write_file(home / ".storage/core.area_registry", storage_text("core.area_registry", 1, 10, "{}"));
  EXPECT_TRUE(strict.read_storage("core.area_registry", home.report).value().has_value());
  EXPECT_TRUE(strict.read_storage("core.area_registry", home.report).value().has_value());
  EXPECT_EQ(home.report.notes(),
            std::vector<std::string>{".storage/core.area_registry has version 1.10; this Hearth knows 1.9, and reads "
                                     "what it knows."});

  write_file(home / ".storage/core.entity_registry", storage_text("core.entity_registry", 2, 1, R"({"a": 1})"));
  const auto refused = strict.read_storage("core.entity_registry", home.report);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
  EXPECT_EQ(refused.error().message,
            "core.entity_registry has version 2.1; this Hearth knows 1.x. Update Hearth, or try --accept-newer.");
  EXPECT_EQ(attentions_of(home.report), std::vector<std::string>());
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(lenient.read_storage("core.entity_registry", home.report).value()->data.at("a"), 1);
  EXPECT_EQ(attentions_of(home.report), std::vector<std::string>{"newer_version"});

  write_file(home / ".storage/core.device_registry", storage_text("core.device_registry", 3, 1, "{}"));
  EXPECT_TRUE(strict.read_storage("core.device_registry", home.report).error().message.contains("knows 1.x and 2.x"));
}

TEST(ImportSource, FollowsLinksWithinTheFolderOnly) {
  OldHome home;
  write_file(home / "parts/lights.yaml", "a: 1\n");
  write_file(home.around() / "outside.yaml", "b: 2\n");
  fs::create_symlink(home / "parts/lights.yaml", home / "lights.yaml");
  fs::create_symlink("../outside.yaml", home / "outside.yaml");
  fs::create_symlink("nowhere.yaml", home / "broken.yaml");
  const auto source = home.open().value();
  EXPECT_EQ(source.read_text("lights.yaml").value(), "a: 1\n");
  EXPECT_EQ(source.read_text("broken.yaml").value(), std::optional<std::string>());
  for (const std::string name : {"outside.yaml", "../outside.yaml"}) {
    const auto text = source.read_text(name);
    ASSERT_FALSE(text.has_value()) << name;
    EXPECT_EQ(text.error().code, ErrorCode::unavailable);
    EXPECT_TRUE(text.error().message.starts_with(name + " leads out of ")) << text.error().message;
  }
  EXPECT_EQ(source.locate("lights.yaml").value(), fs::canonical(home / "parts/lights.yaml"));
}

TEST(ImportSource, ListsFilesOfStorage) {
  OldHome home;
  for (const std::string name : {"lovelace.kitchen", "lovelace.hall", "lovelace.hall.corrupt.2026-02-03T04:05:06",
                                 "lovelace.hall.bak", "lovelace.tmp", "lovelace", "energy"})
    write_file(home / (".storage/" + name), "{}");
  fs::create_directory(home / ".storage/lovelace.folder");
  const auto source = home.open().value();
  EXPECT_EQ(source.storage_names("lovelace"),
            (std::vector<std::string>{"lovelace", "lovelace.hall", "lovelace.kitchen"}));
}

TEST(ImportSource, RefusesAFileThatIsTooLarge) {
  OldHome home;
  write_file(home / "large.yaml", "");
  fs::resize_file(home / "large.yaml", Source::kMaxFile + 1);  // takes no room
  const auto text = home.open().value().read_text("large.yaml");
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().message, "large.yaml has 257 MiB; at most 256 are read.");
}

TEST(ImportSource, TellsVersionsThatWereNotStudied) {
  OldHome home;
  write_file(home / ".HA_VERSION", "2022.3.8\n");
  EXPECT_TRUE(home.open().has_value());
  EXPECT_EQ(attentions_of(home.report), std::vector<std::string>{"old_version"});
  home.report = {};
  fs::remove(home / ".HA_VERSION");
  EXPECT_TRUE(home.open().has_value());
  EXPECT_EQ(attentions_of(home.report), std::vector<std::string>{"unknown_version"});
}

TEST(ImportSource, SeesByTheLockThatTheOtherHubRuns) {
  OldHome home;
  write_file(home / ".ha_run.lock", "{}");
  write_file(home / "home-assistant_v2.db-wal", "frames of a hub that was killed");
  EXPECT_FALSE(home.open().value().running());
  EXPECT_EQ(home.report.source.running_sign, ".ha_run.lock is there, and not locked");
  const int descriptor = ::open((home / ".ha_run.lock").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(::flock(descriptor, LOCK_EX | LOCK_NB), 0);
  EXPECT_TRUE(home.open().value().running());
  EXPECT_EQ(home.report.source.running_sign, ".ha_run.lock is locked");
  EXPECT_TRUE(home.report.source.running);
  ASSERT_EQ(home.report.notes().size(), 1U);
  EXPECT_TRUE(home.report.notes()[0].contains("last ten seconds"));
  ::close(descriptor);
  EXPECT_EQ(read_file(home / ".ha_run.lock"), "{}");
}

TEST(ImportSource, SeesByTheLogThatAnOlderHubRuns) {
  OldHome home;
  write_file(home / "home-assistant_v2.db-wal", "");
  EXPECT_FALSE(home.open().value().running());
  write_file(home / "home-assistant_v2.db-wal", "frames");
  EXPECT_TRUE(home.open().value().running());
  EXPECT_TRUE(home.report.source.running_sign.starts_with("home-assistant_v2.db-wal has content"));
  EXPECT_FALSE(fs::exists(home / ".ha_run.lock"));
}

TEST(ImportSource, HasAFingerprintOfWhatIsRead) {
  OldHome home;
  make_history(home / "home-assistant_v2.db");
  write_file(home / "custom_components/porch/light.py", "pass");
  const auto print = [&] { return home.open().value().fingerprint().value(); };
  std::string last = print();
  EXPECT_EQ(print(), last);
  EXPECT_EQ(home.report.source.fingerprint, last);
  write_file(home / "custom_components/porch/light.py", "import os");
  write_file(home / "home-assistant.log", "a line");
  EXPECT_EQ(print(), last);
  for (const std::string name : {"automations.yaml", ".storage/auth", "www/porch.svg", "packages/hall.yaml"}) {
    write_file(home / name, "{}");
    EXPECT_NE(print(), last) << name;
    last = print();
  }
  const auto written = fs::last_write_time(home / "automations.yaml");
  fs::last_write_time(home / "automations.yaml", written - std::chrono::hours(1));
  EXPECT_NE(print(), last);
  last = print();
  storage::Database::open(home / "home-assistant_v2.db").value().run("DELETE FROM states").value();
  EXPECT_NE(print(), last);
}

TEST(ImportSource, ReadsABackup) {
  OldHome home;
  auto parts = small_home();
  make_history(home.around() / "history.db", 48, 5);
  parts.push_back({"data/home-assistant_v2.db", read_file(home.around() / "history.db")});
  write_file(home.around() / "b.tar",
             tar_of({{"./homeassistant.tar.gz", encrypted(3, gzipped(tar_of(parts)), "key")}}));
  auto options = home.options();
  options.passphrase = "key";
  for (int i = 0; i < 2; ++i) {  // also again, into the same folder
    auto source = Source::open(home.around() / "b.tar", options, home.report);
    ASSERT_TRUE(source.has_value()) << source.error().message;
    EXPECT_TRUE(source->is_backup());
    EXPECT_EQ(home.report.source.kind, "backup");
    EXPECT_EQ(source->version(), "2026.2.3");
    EXPECT_TRUE(source->read_storage("core.config", home.report).value().has_value());
    auto history = source->open_history({}, home.report);
    ASSERT_TRUE(history.has_value() && history->has_value());
    EXPECT_EQ(count_states(**history), 5);
    EXPECT_EQ(home.report.source.schema, 48);
  }
  EXPECT_EQ(fs::status(home.scratch()).permissions(), fs::perms::owner_all);
}

TEST(ImportSource, TakesTheVersionOfABackupIfItsFilesDoNotSayIt) {
  OldHome home;
  auto parts = small_home();
  std::erase_if(parts, [](const TarPart& part) { return part.path == "data/.HA_VERSION"; });
  write_file(home.around() / "b.tar",
             tar_of({{"homeassistant.tar.gz", gzipped(tar_of(parts))},
                     {"backup.json", R"({"homeassistant": {"version": "2025.1.0", "exclude_database": true}})"}}));
  auto source = Source::open(home.around() / "b.tar", home.options(), home.report);
  ASSERT_TRUE(source.has_value()) << source.error().message;
  EXPECT_EQ(source->version(), "2025.1.0");
  EXPECT_EQ(attentions_of(home.report), std::vector<std::string>{"no_history"});
  EXPECT_FALSE(source->open_history({}, home.report).value().has_value());
}

}  // namespace
}  // namespace hearth::import_ha
