// SPDX-License-Identifier: Apache-2.0
// Looks for problems of the home every few seconds, for core::Repairs: integrations that do not start, a recorder or
// registry that cannot write, an archive that is behind, a disk that is nearly full, callbacks that hold the bus, files
// of the configuration that cannot be read, wrong values and unknown words in them, a clock that is not set. On a
// thread of its own, because the disk may hang. Removes copies of earlier versions that are too old.
//
// Construction, start and stop: one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "app/connections/integrations.h"
#include "app/files/finding.h"
#include "app/files/last_good.h"
#include "app/fleet.h"
#include "app/followers.h"
#include "app/network/tls_files.h"
#include "app/settings/mqtt_settings.h"
#include "audit/log.h"
#include "automation/engine.h"
#include "base/threads/task_thread.h"
#include "building_blocks/notify/notifiers.h"
#include "building_blocks/polled/polled_entities.h"
#include "building_blocks/rest_commands/rest_commands.h"
#include "building_blocks/shell_commands/shell_commands.h"
#include "core/hub.h"
#include "derived/sensors/derived_sensors.h"
#include "recorder/journal/registry_store.h"
#include "recorder/recorder.h"
#include "template_entities/template_entities.h"

namespace hearth::app {

class RepairWatch {
 public:
  static constexpr base::Duration kInterval = std::chrono::seconds(5);
  static constexpr std::uintmax_t kLowDisk = 512 * 1024 * 1024, kFullDisk = 64 * 1024 * 1024;  // bytes
  static constexpr base::Duration kVerySlow = std::chrono::seconds(2);                         // a callback …
  static constexpr base::Duration kSlowLately = std::chrono::hours(1);                         // … in this time
  static constexpr base::Duration kCopiesInterval = std::chrono::hours(1);
  static constexpr std::size_t kMaxSilent = 20;
  static constexpr std::size_t kMaxText = 500;  // bytes of a detail

  // All must outlive this.
  RepairWatch(core::Hub& hub, std::filesystem::path folder, Integrations integrations,
              const automation::Engine& automations, const template_entities::TemplateEntities& template_entities,
              const derived::DerivedSensors& derived_sensors, const building_blocks::Notifiers& notifiers,
              const building_blocks::RestCommands& rest_commands, const building_blocks::ShellCommands& shell_commands,
              const building_blocks::PolledEntities& polled_entities, const domains::FileScenes& scenes,
              const domains::FileHelpers& helpers, const MqttSettings& mqtt, bool runs_last_good)
      : hub_(hub),
        folder_(std::move(folder)),
        integrations_(integrations),
        automations_(automations),
        template_entities_(template_entities),
        derived_sensors_(derived_sensors),
        notifiers_(notifiers),
        rest_commands_(rest_commands),
        shell_commands_(shell_commands),
        polled_entities_(polled_entities),
        scenes_(scenes),
        helpers_(helpers),
        mqtt_(mqtt),
        runs_last_good_(runs_last_good) {}

  void start(const audit::Log& audit, const recorder::Recorder& recorder, const recorder::RegistryStore& registry,
             const Followers& followers, const Fleet& fleet, const TlsFiles* tls);
  void stop() { thread_.stop(); }

 private:
  void check();
  // Copies of earlier versions that have been kept long enough, once an hour.
  void remove_old_copies_if_due();
  // Reads the configuration again if one of its files has changed.
  void check_configuration();

  core::Hub& hub_;
  const std::filesystem::path folder_;
  const Integrations integrations_;
  const automation::Engine& automations_;
  const template_entities::TemplateEntities& template_entities_;
  const derived::DerivedSensors& derived_sensors_;
  const building_blocks::Notifiers& notifiers_;
  const building_blocks::RestCommands& rest_commands_;
  const building_blocks::ShellCommands& shell_commands_;
  const building_blocks::PolledEntities& polled_entities_;
  const domains::FileScenes& scenes_;
  const domains::FileHelpers& helpers_;
  const MqttSettings& mqtt_;
  const bool runs_last_good_;
  const audit::Log* audit_ = nullptr;
  const recorder::Recorder* recorder_ = nullptr;
  const recorder::RegistryStore* registry_ = nullptr;
  const Followers* followers_ = nullptr;
  const Fleet* fleet_ = nullptr;
  const TlsFiles* tls_ = nullptr;
  LastGood last_good_{folder_};
  std::shared_ptr<const ReadFiles> read_;  // the files of the configuration; null: not read yet
  std::chrono::steady_clock::time_point copies_due_;
  std::vector<core::Issue> configuration_;  // what was wrong with them then
  base::TaskThread thread_{"repairs", "hub", {1}, [this] {
                             check();
                             return kInterval;
                           }};
};

// Each finds the issues of one kind.
std::vector<core::Issue> issues_of(const core::IntegrationList& integrations);
// `domain`: of those that belong to no item; of helpers it is the one that the fault's key names.
std::vector<core::Issue> issues_of(const std::vector<configured::Fault>& faults,
                                   std::string_view domain = "automation");
std::vector<core::Issue> issues_of(const Findings& findings);
// `faults`: of components that configuration.yaml describes.
std::vector<core::Issue> mqtt_issues(const std::vector<std::string>& faults);
std::vector<core::Issue> issues_of(const std::vector<core::BusWatch::Slow>& slow, base::Timestamp now);
std::vector<core::Issue> disk_issues(std::uintmax_t free_bytes);
std::vector<core::Issue> clock_issues(base::Timestamp now);
// Of devices that have not answered for long: one for each, or one for all if there are more than kMaxSilent.
std::vector<core::Issue> silent_issues(const core::AlertList& silent, const core::RegistryData& registry);

}  // namespace hearth::app
