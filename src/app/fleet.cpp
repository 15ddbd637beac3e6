// SPDX-License-Identifier: Apache-2.0
#include "app/fleet.h"

#include "app/followers.h"
#include "base/text/timestamp.h"

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
    return settings.archive ? open_archive() : base::Result<void>();
  }
  auto link = fleet::connect_site(options, given.site);
  if (!link) return std::unexpected(std::move(link.error()));
  const auto& retention = settings.recorder.retention;
  fleet::SiteOptions site{given.site, given.calls, [retention](std::string_view id) { return retention.records(id); }};
  site_ = std::make_unique<fleet::Site>(hub_, folder, std::move(site), std::move(*link));
  return {};
}

base::Result<void> Fleet::open_archive() {
  auto store = archive::make_fleet_store(*settings_.archive, hub_.clock);
  if (!store) {
    missing_ = store.error().message;
    return std::unexpected(std::move(store.error()));
  }
  auto reader = portal_->link().reader();
  if (!reader) return std::unexpected(std::move(reader.error()));
  writer_ = std::make_unique<archive::FleetWriter>(
      hub_.clock, std::move(*reader), std::move(*store),
      [this](const std::string& site, const std::string& epoch, std::int64_t after, std::int64_t until) {
        portal_->ask_again(site, {epoch, after, until});
      });
  return {};
}

bool Fleet::is_remote(std::string_view entity_id) const {
  const auto registry = hub_.registry.snapshot();
  const auto* const entity = registry->entities.find(entity_id);
  return entity && core::provider_of(*entity) == core::kFleetIntegration;
}

std::unique_ptr<recorder::HistoryReader> Fleet::history(std::unique_ptr<recorder::HistoryReader> own) {
  using archive::RemoteEntity;
  if (!writer_) return own;
  archive::FleetHistoryOptions options;
  options.url = settings_.archive->url;
  options.remote = [this](std::string_view id) -> std::optional<RemoteEntity> {
    const auto registry = hub_.registry.snapshot();
    const auto* const entity = registry->entities.find(id);
    if (!entity || core::site_of(*entity).empty()) return {};
    return RemoteEntity{std::string(core::site_of(*entity)), fleet::RegistryMirror::id_there(*entity)};
  };
  options.portal_id = [this](const RemoteEntity& entity) -> std::optional<std::string> {
    const auto registry = hub_.registry.snapshot();
    const std::string_view domain = std::string_view(entity.entity_id).substr(0, entity.entity_id.find('.'));
    const auto* const known =
        registry->find_entity(core::kFleetIntegration, domain, entity.site + "." + entity.entity_id);
    return known ? std::optional(known->entity_id) : std::nullopt;
  };
  auto reader = archive::make_fleet_history(std::move(options), std::move(own));
  // The library is there, because the writer has it.
  return reader ? std::move(*reader) : nullptr;
}

void Fleet::watch(const recorder::Follower* follower) {
  if (site_ && follower) site_->watch(*follower);
}

void Fleet::start() {
  if (site_) site_->start();
  if (portal_) portal_->start();
  if (writer_) writer_->start();
}

void Fleet::stop() {
  if (site_) site_->stop();
  if (writer_) writer_->stop();
  if (portal_) portal_->stop();
}

std::vector<core::Issue> Fleet::issues() const {
  std::vector<core::Issue> found;
  const auto add = [&](std::string_view kind, Severity severity, std::map<std::string, std::string> details) {
    found.push_back({"hearth", std::string(kind), std::string(kind), severity, std::move(details)});
  };
  if (portal_) found = portal_->issues();
  if (writer_) {
    for (auto& issue : archive_issues()) found.push_back(std::move(issue));
  }
  if (!missing_.empty()) add("fleet_failing", Severity::error, {{"error", missing_}});
  if (!site_) return found;
  for (const std::string& weakness : site_->weaknesses())
    add("fleet_weak", Severity::warning, {{"weakness", weakness}});
  return found;
}

std::vector<core::Issue> Fleet::archive_issues() const {
  const archive::FleetWriter::Status status = writer_->status();
  // As of a home's own archive: how far it is behind, and why.
  std::vector<core::Issue> found =
      issues_of("archive", {static_cast<std::int64_t>(status.behind), status.since, status.failure}, hub_.clock.now());
  if (status.kept_aside > 0) {
    found.push_back({"hearth",
                     "archive_kept_aside",
                     "archive_kept_aside",
                     Severity::warning,
                     {{"count", std::to_string(status.kept_aside)}}});
  }
  if (status.gaps > 0)
    found.push_back(
        {"hearth", "archive_gaps", "archive_gaps", Severity::warning, {{"count", std::to_string(status.gaps)}}});
  return found;
}

void Fleet::remove(const std::string& site, std::function<void(base::Result<void>)> done) {
  if (portal_) return portal_->forget(site, std::move(done));
  static_cast<void>(hub_.bus.post(core::IfFull::pass, core::EventBus::kSmallTask, [done = std::move(done)] {
    done(base::fail(base::ErrorCode::not_found, "This hub is no portal of a fleet."));
  }));
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
