// SPDX-License-Identifier: Apache-2.0
#include "app/repair_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <system_error>

#include "app/clock/machine_clock.h"
#include "app/sections/mqtt_sections.h"
#include "app/settings/settings.h"
#include "app/upgrade/kept_copies.h"
#include "base/log/log.h"
#include "base/text/utf8.h"
#include "core/registry/helper_types.h"

namespace hearth::app {
namespace {

using core::Issue;
using Severity = Issue::Severity;

constexpr std::string_view kHub = "hearth";

Issue hub_issue(std::string_view kind, Severity severity, std::map<std::string, std::string> details = {}) {
  return {std::string(kHub), std::string(kind), std::string(kind), severity, std::move(details)};
}

std::string shortened(std::string_view text) {
  return base::utf8_excerpt(base::utf8_repaired(text), RepairWatch::kMaxText);
}

std::size_t digits_at(std::string_view text, std::size_t start) {
  return std::min(text.find_first_not_of("0123456789", start), text.size()) - start;
}

// The error, with its file, line and key if it says `file:line: key: what is wrong`, perhaps with a column.
std::map<std::string, std::string> with_place(std::string_view error) {
  std::map<std::string, std::string> details{{"error", shortened(error)}};
  const std::size_t file = error.find(':');
  const std::size_t line = file == error.npos ? 0 : digits_at(error, file + 1);
  if (line == 0 || file + 1 + line >= error.size() || error[file + 1 + line] != ':') return details;
  details["file"] = shortened(error.substr(0, file));
  details["line"] = error.substr(file + 1, line);
  std::string_view rest = error.substr(file + line + 2);
  if (const std::size_t column = digits_at(rest, 0); column > 0 && rest.substr(column).starts_with(':'))
    rest.remove_prefix(column + 1);
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  // A key has no spaces, except behind the name of a section, as `automation kitchen[1].mode`.
  const std::string_view key = rest.substr(0, rest.find(": "));
  if (key.size() < rest.size() && !key.empty() && key.find(' ') == key.rfind(' ') && key != "not valid YAML")
    details["key"] = shortened(key);
  return details;
}

// The kind of helper whose key the fault has; `otherwise` if it has none.
std::string fault_domain(const std::map<std::string, std::string>& details, std::string_view otherwise) {
  const auto key = details.find("key");
  const std::string domain = key == details.end() ? "" : key->second.substr(0, key->second.find_first_of(".[ "));
  const auto types = core::helper_types();
  return std::ranges::find(types, domain, &core::CollectionType::name) != types.end() ? domain : std::string(otherwise);
}

// These say what the person is to do for whom the connection waits.
constexpr std::array<std::string_view, 3> kNeedsPerson{"bridge_token", "bridge_self", "bridge_twice"};

bool says_why(const core::ConnectionIssue& issue) {
  return std::ranges::find(kNeedsPerson, issue.kind) != kNeedsPerson.end();
}

void append(std::vector<Issue>& all, std::vector<Issue> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

std::vector<Issue> issues_of(const core::IntegrationList& integrations) {
  std::vector<Issue> found;
  for (const core::IntegrationStatus& each : integrations) {
    using enum core::IntegrationStatus::State;
    for (const core::ConnectionIssue& issue : each.issues) {
      std::map<std::string, std::string> details;
      for (const auto& [key, text] : issue.details) details[key] = shortened(text);
      found.push_back(
          {each.name, issue.kind + "_" + each.connection->entry_id, issue.kind, Severity::warning, std::move(details)});
    }
    if (each.state != failed && each.state != needs_person) continue;
    if (each.state == needs_person && std::ranges::any_of(each.issues, says_why)) continue;
    const core::Connection& connection = *each.connection;
    const bool only_one = connection.unique_id.empty();
    found.push_back({each.name,
                     only_one ? std::string("setup_failed") : "setup_failed_" + connection.entry_id,
                     "setup_failed",
                     Severity::error,
                     {{"integration", only_one ? each.name : connection.title}, {"error", shortened(each.error)}}});
  }
  return found;
}

std::vector<Issue> issues_of(const std::vector<configured::Fault>& faults, std::string_view domain) {
  std::vector<Issue> found;
  for (const configured::Fault& each : faults) {
    const bool of_item = !each.entity_id.empty();
    std::map<std::string, std::string> details = with_place(each.error);
    if (of_item) details.insert({{"name", each.name}, {"entity_id", each.entity_id}});
    const bool runs = each.kind != configured::Fault::Kind::broken;
    found.push_back({fault_domain(of_item ? std::map<std::string, std::string>() : details, domain), each.id,
                     each.kind == configured::Fault::Kind::reference   ? "automation_references"
                     : each.kind == configured::Fault::Kind::blueprint ? "blueprint_outdated"
                     : of_item                                         ? "automation_broken"
                                                                       : "configuration_left_out",
                     runs ? Severity::warning : Severity::error, std::move(details)});
  }
  return found;
}

std::vector<Issue> issues_of(const Findings& findings) {
  std::vector<Issue> found;
  for (const Finding& each : findings) {
    const auto add = [&](std::string_view kind, Severity severity) {
      found.push_back(
          {std::string(kHub), shortened(each.message), std::string(kind), severity, with_place(each.message)});
    };
    if (each.kind == Finding::Kind::left_out) add("configuration_left_out", Severity::warning);
    if (each.kind == Finding::Kind::wrong)
      add(each.instead == Finding::Instead::last_good ? "configuration_kept" : "configuration_defaulted",
          Severity::error);
  }
  if (const std::string refused = texts_of(findings, Finding::Kind::refused); !refused.empty())
    found.push_back(hub_issue("configuration_unreadable", Severity::error, with_place(refused)));
  return found;
}

std::vector<Issue> mqtt_issues(const std::vector<std::string>& faults) {
  std::vector<Issue> found;
  for (const std::string& each : faults) {
    found.push_back(
        {std::string(kMqttKey), shortened(each), "configuration_left_out", Severity::error, with_place(each)});
  }
  return found;
}

std::vector<Issue> issues_of(const std::vector<core::BusWatch::Slow>& slow, base::Timestamp now) {
  for (const core::BusWatch::Slow& each : slow) {  // the longest first
    if (each.longest < RepairWatch::kVerySlow || (!each.holds_now && now - each.last > RepairWatch::kSlowLately))
      continue;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(each.longest).count();
    return {hub_issue(each.holds_now ? "bus_blocked" : "bus_slow", each.holds_now ? Severity::error : Severity::warning,
                      {{"where", each.where}, {"seconds", std::to_string(seconds)}})};
  }
  return {};
}

std::vector<Issue> disk_issues(std::uintmax_t free_bytes) {
  if (free_bytes >= RepairWatch::kLowDisk) return {};
  constexpr std::uintmax_t kMebibyte = 1024 * 1024;
  return {hub_issue("disk_low", free_bytes < RepairWatch::kFullDisk ? Severity::critical : Severity::warning,
                    {{"free", fmt::format("{} MiB", free_bytes / kMebibyte)}})};
}

std::vector<Issue> clock_issues(base::Timestamp now) {
  // A computer without a battery for its clock starts in 1970, or with the time of its last shutdown.
  constexpr auto kEarliest = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);
  if (now >= kEarliest) return {};
  return {hub_issue("clock_wrong", Severity::error)};
}

std::vector<Issue> silent_issues(const core::AlertList& silent, const core::RegistryData& registry) {
  if (silent.size() > RepairWatch::kMaxSilent)
    return {hub_issue("devices_silent", Severity::warning, {{"count", std::to_string(silent.size())}})};
  std::vector<Issue> found;
  for (const core::AlertPtr& alert : silent) {
    const core::Device* const device = registry.devices.find(alert->device_id);
    if (!device) continue;
    const std::string name = device->name_by_user.value_or(device->name.value_or(device->id));
    found.push_back({std::string(kHub),
                     "device_silent/" + device->id,
                     "device_silent",
                     Severity::warning,
                     {{"device", shortened(name)}, {"device_id", device->id}}});
  }
  return found;
}

void RepairWatch::start(const audit::Log& audit, const recorder::Recorder& recorder,
                        const recorder::RegistryStore& registry, const Followers& followers, const Fleet& fleet,
                        const TlsFiles* tls) {
  audit_ = &audit;
  tls_ = tls;
  followers_ = &followers;
  fleet_ = &fleet;
  recorder_ = &recorder;
  registry_ = &registry;
  thread_.start();
}

void RepairWatch::check() {
  std::vector<Issue> found = issues_of(*hub_.integrations.load());
  if (const auto health = recorder_->health(); health.failing)
    found.push_back(hub_issue("recorder_failing", Severity::critical, {{"error", shortened(health.last_error)}}));
  if (const std::string error = registry_->failure(); !error.empty())
    found.push_back(hub_issue("registry_failing", Severity::critical, {{"error", shortened(error)}}));
  if (const std::string error = audit_->failure(); !error.empty())
    found.push_back(hub_issue("audit_failing", Severity::critical, {{"error", shortened(error)}}));
  append(found, followers_->issues());
  append(found, fleet_->issues());
  if (tls_) append(found, tls_->issues());
  append(found, issues_of(hub_.bus.watch().slow(), hub_.clock.now()));
  append(found, clock_issues(hub_.clock.now()));
  append(found, silent_issues(*hub_.alerts.lasting(), *hub_.registry.snapshot()));
  append(found, issues_of(*automations_.faults()));
  append(found, issues_of(*template_entities_.faults()));
  append(found, issues_of(*derived_sensors_.faults()));
  append(found, issues_of(*notifiers_.faults()));
  append(found, issues_of(*rest_commands_.faults()));
  append(found, issues_of(*shell_commands_.faults()));
  append(found, issues_of(*polled_entities_.faults()));
  append(found, issues_of(*scenes_.faults()));
  append(found, mqtt_issues(*mqtt_.faults()));
  append(found, issues_of(*helpers_.faults()));
  std::error_code wrong;
  if (const auto space = std::filesystem::space(folder_, wrong); !wrong) append(found, disk_issues(space.available));
  check_configuration();
  if (runs_last_good_) found.push_back(hub_issue("configuration_last_good", Severity::error));
  append(found, configuration_);
  hub_.repairs.set(std::move(found));
  remove_old_copies_if_due();
}

void RepairWatch::remove_old_copies_if_due() {
  const auto now = std::chrono::steady_clock::now();
  if (now < copies_due_ || !machine_clock_is_set()) return;
  copies_due_ = now + kCopiesInterval;
  remove_old_copies(folder_, hub_.clock.now());
}

void RepairWatch::check_configuration() {
  // Only after a change: this runs as long as the hub.
  if (read_ && read_->same_times()) return;
  configuration_.clear();
  const auto settings = load_settings_to_start(folder_, known_integrations(integrations_), last_good_);
  if (!settings) {
    read_ = nullptr;
    configuration_.push_back(
        hub_issue("configuration_unreadable", Severity::error, with_place(settings.error().message)));
    return;
  }
  read_ = settings->files;
  configuration_ = issues_of(settings->findings);
  if (const auto kept = last_good_.keep_later(*read_); !kept) base::log_warning("config", "{}", kept.error().message);
}

}  // namespace hearth::app
