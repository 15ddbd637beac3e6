// SPDX-License-Identifier: Apache-2.0
#include "app/doctor/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "app/clock/clock_watch.h"
#include "app/clock/machine_clock.h"
#include "app/files/last_good.h"
#include "app/supervision.h"
#include "base/json/json.h"
#include "base/text/timestamp.h"

namespace hearth::app {
namespace {

using enum Diagnosis::Grade;

constexpr std::size_t kMostFindings = 10;

// Starts that have not ended well; the one that runs now is among them.
std::size_t begun_starts(const std::filesystem::path& folder) {
  std::ifstream in(folder / LastGood::kFolder / "attempts");
  const auto attempts = base::parse_json(std::string(std::istreambuf_iterator<char>(in), {}));
  return attempts && attempts->is_array() ? attempts->get_array().size() : 0;
}

}  // namespace

std::string_view to_string(Diagnosis::Grade grade) {
  switch (grade) {
    case good:
      return "good";
    case warning:
      return "warning";
    case bad:
      return "bad";
  }
  return "bad";
}

Diagnosis::Grade gravest(const Diagnoses& diagnoses) {
  return diagnoses.empty() ? good : std::ranges::max(diagnoses, {}, &Diagnosis::grade).grade;
}

Diagnoses examine_configuration(const base::Result<Settings>& settings) {
  constexpr std::string_view check = "configuration";
  if (!settings) {
    return {{check, bad, settings.error().message,
             "Start the hub, which writes a configuration.yaml with all defaults, or put yours there."}};
  }
  Diagnoses found;
  std::size_t left_out = 0;
  for (const Finding& each : settings->findings) {
    left_out += each.kind == Finding::Kind::left_out;
    if (each.kind < Finding::Kind::wrong) continue;
    const bool refused = each.kind == Finding::Kind::refused;
    if (found.size() < kMostFindings) {
      found.push_back({check, refused ? bad : warning, text_of(each),
                       refused ? "Mend it: the hub does not start with it." : "Mend it, then reload or restart."});
    }
  }
  if (left_out > 0) {
    found.push_back(
        {check, warning, fmt::format("{} of its words have no meaning here", left_out), "`hearth check` names them."});
  }
  if (found.empty()) found.push_back({check, good, "configuration.yaml is valid"});
  return found;
}

Diagnoses examine_clock(const Settings& settings, base::Timestamp now) {
  constexpr std::string_view check = "clock";
  if (now < ClockWatch::kEarliest) {
    return {{check, bad, fmt::format("the machine's clock says {}", base::to_string(now)),
             "Set it, and let it be kept by the network: timedatectl set-ntp true."}};
  }
  if (!machine_clock_is_set()) {
    return {{check, warning, "the machine has no clock that runs while it is off, and has not got the time yet",
             "Wait for the network's time, or set it: timedatectl set-ntp true."}};
  }
  return {{check, good, fmt::format("{}; the home's time zone is {}", base::to_string(now), settings.home.time_zone)}};
}

Diagnoses examine_past(const std::filesystem::path& folder) {
  constexpr std::string_view check = "past";
  Diagnoses found;
  std::error_code absent;
  const auto hang = folder / Supervision::kFile;
  if (std::filesystem::exists(hang, absent)) {
    found.push_back({check, warning,
                     fmt::format("the home has stood still; the log of that moment is in {}", hang.string()),
                     "Read it: the last lines name what held the home. Delete it when it is solved."});
  }
  if (begun_starts(folder) > 1) {
    found.push_back(
        {check, warning, "the last starts have not ended well",
         "Read the log of the last start: journalctl -u hearth -b, or what the hub wrote to its terminal."});
  }
  if (found.empty()) found.push_back({check, good, "no stop or start has failed lately"});
  return found;
}

Diagnoses examine(const std::filesystem::path& folder, const base::Result<Settings>& settings, const base::Clock& clock,
                  const storage::GoOn& go_on) {
  const Settings defaults;
  const Settings& known = settings ? *settings : defaults;
  const std::function<Diagnoses()> parts[] = {
      [&] { return examine_configuration(settings); },
      [&] { return examine_folder(folder); },
      [&] { return examine_disk(folder); },
      [&] { return examine_databases(folder, go_on); },
      [&] { return examine_upgrades(folder); },
      [&] { return examine_clock(known, clock.now()); },
      [&] { return examine_recorded_times(folder, clock.now()); },
      [&] { return examine_hub(folder, known); },
      [&] { return examine_announcement(folder, known); },
      [&] { return examine_connections(folder, known, clock.now()); },
      [&] { return examine_security(folder, known, clock.now()); },
      [&] { return examine_audit(folder, go_on); },
      [&] { return examine_past(folder); },
  };
  Diagnoses all;
  for (const auto& part : parts) {
    if (!go_on()) break;
    std::ranges::move(part(), std::back_inserter(all));
  }
  return all;
}

json::object report_of(const Diagnoses& diagnoses) {
  json::array list;
  for (const Diagnosis& each : diagnoses) {
    list.push_back(json::object{
        {"check", each.check}, {"grade", to_string(each.grade)}, {"text", each.text}, {"advice", each.advice}});
  }
  return {{"grade", to_string(gravest(diagnoses))}, {"diagnoses", std::move(list)}};
}

}  // namespace hearth::app
