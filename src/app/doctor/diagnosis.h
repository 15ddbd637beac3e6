// SPDX-License-Identifier: Apache-2.0
// Looks at a home and the machine that it runs on, and says how they are, and what to do. For `hearth doctor` and the
// page of the system.
//
// One thread at a time; the hub may run meanwhile. Reads, but for one small file that measures the disk and is removed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/settings/settings.h"
#include "base/clock.h"
#include "base/json/json.h"
#include "storage/database.h"

namespace hearth::app {

struct Diagnosis {
  enum class Grade {
    good,
    warning,  // the home works; sooner or later it may not
    bad,      // the home does not work, or loses something
  };

  std::string_view check;  // what was looked at, one word
  Grade grade = Grade::good;
  std::string text;
  std::string advice = {};  // what to do; empty if it is good
};
using Diagnoses = std::vector<Diagnosis>;

std::string_view to_string(Diagnosis::Grade grade);
// The gravest; good if there are none.
Diagnosis::Grade gravest(const Diagnoses& diagnoses);

// Each looks at one kind of thing. The first word of each diagnosis is the kind.
Diagnoses examine_configuration(const base::Result<Settings>& settings);
Diagnoses examine_folder(const std::filesystem::path& folder);
// Only what is bad: with it no hub can run with the folder. Quick: for each start.
Diagnoses find_obstacles(const std::filesystem::path& folder);
Diagnoses examine_disk(const std::filesystem::path& folder);
Diagnoses examine_databases(const std::filesystem::path& folder, const storage::GoOn& go_on);
// Copies from before upgrades; an upgrade that the next start begins, or that was interrupted; files of a newer
// version.
Diagnoses examine_upgrades(const std::filesystem::path& folder);
Diagnoses examine_clock(const Settings& settings, base::Timestamp now);
// Changes in history of times that cannot be; empty if there are none.
Diagnoses examine_recorded_times(const std::filesystem::path& folder, base::Timestamp now);
// The hub that runs with the folder: its answers and its room; who can reach it.
Diagnoses examine_hub(const std::filesystem::path& folder, const Settings& settings);
// Clients in the network find that hub by themselves (mDNS).
Diagnoses examine_announcement(const std::filesystem::path& folder, const Settings& settings);
// Brokers and certificates that the configuration names.
Diagnoses examine_connections(const std::filesystem::path& folder, const Settings& settings, base::Timestamp now);
// Secrets that are written as they are, proxies that may be any machine, tokens that nobody uses.
Diagnoses examine_security(const std::filesystem::path& folder, const Settings& settings, base::Timestamp now);
// The audit log: its chain and its size. Reads all of it.
Diagnoses examine_audit(const std::filesystem::path& folder, const storage::GoOn& go_on);
// Traces of earlier runs: a home that stood still, starts that failed.
Diagnoses examine_past(const std::filesystem::path& folder);

// All of them, in this order. `go_on` is called between and within them; if it says false, the rest is left out.
Diagnoses examine(const std::filesystem::path& folder, const base::Result<Settings>& settings, const base::Clock& clock,
                  const storage::GoOn& go_on);
// {grade, diagnoses: [{check, grade, text, advice}]}
json::object report_of(const Diagnoses& diagnoses);

}  // namespace hearth::app
