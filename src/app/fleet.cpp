// SPDX-License-Identifier: Apache-2.0
#include "app/fleet.h"

#include "base/timestamp.h"

namespace hearth::app {
namespace {

using Severity = core::Issue::Severity;

}  // namespace

base::Result<void> Fleet::open(const std::filesystem::path& folder, const Settings& settings) {
  const FleetSettings& given = *settings.fleet;
  fleet::LinkOptions options = given.link;
  // Files are named from the configuration folder on.
  for (std::string* const file : {&options.credentials, &options.ca, &options.certificate, &options.key}) {
    if (!file->empty()) *file = (folder / *file).native();
  }
  if (given.role == FleetSettings::Role::portal) {
    auto link = fleet::connect_portal(options);
    if (!link) {
      missing_ = link.error().message;
      return std::unexpected(std::move(link.error()));
    }
    portal_ = std::make_unique<fleet::Portal>(hub_, std::move(*link));
    hub_.services.call_elsewhere(portal_.get());
    return {};
  }
  auto link = fleet::connect_site(options, given.site);
  if (!link) return std::unexpected(std::move(link.error()));
  const auto& retention = settings.recorder.retention;
  fleet::SiteOptions site{given.site, given.calls, [retention](std::string_view id) { return retention.records(id); }};
  site_ = std::make_unique<fleet::Site>(hub_, folder, std::move(site), std::move(*link));
  return {};
}

void Fleet::watch(const recorder::Follower* follower) {
  if (site_ && follower) site_->watch(*follower);
}

void Fleet::start() {
  if (site_) site_->start();
  if (portal_) portal_->start();
}

void Fleet::stop() {
  if (site_) site_->stop();
  if (portal_) portal_->stop();
}

std::vector<core::Issue> Fleet::issues() const {
  std::vector<core::Issue> found;
  const auto add = [&](std::string_view kind, Severity severity, std::map<std::string, std::string> details) {
    found.push_back({"hearth", std::string(kind), std::string(kind), severity, std::move(details)});
  };
  if (portal_) found = portal_->issues();
  if (!missing_.empty()) add("fleet_failing", Severity::error, {{"error", missing_}});
  if (!site_) return found;
  for (const std::string& weakness : site_->weaknesses())
    add("fleet_weak", Severity::warning, {{"weakness", weakness}});
  return found;
}

json::array Fleet::sites() const {
  json::array listed;
  if (!portal_) return listed;
  for (const fleet::SiteStatus& status : portal_->sites()) {
    json::object each{{"site", status.site},
                      {"name", status.name},
                      {"reachable", status.reachable},
                      {"heard", nullptr},
                      {"version", status.version},
                      {"behind", status.behind},
                      {"clock_off", status.clock_off},
                      {"entities", static_cast<std::int64_t>(status.entities)},
                      {"issues", status.issues},
                      {"newest", nullptr},
                      {"refused", static_cast<std::int64_t>(status.refused)},
                      {"problem", status.problem}};
    if (status.heard) each["heard"] = base::to_string(*status.heard);
    if (status.newest != base::Timestamp{}) each["newest"] = base::to_string(status.newest);
    listed.push_back(std::move(each));
  }
  return listed;
}

}  // namespace hearth::app
