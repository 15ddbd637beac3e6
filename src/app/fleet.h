// SPDX-License-Identifier: Apache-2.0
// This hub's part in a fleet, if it has one: a site or a portal. If something is missing for it, the hub starts without
// it.
//
// Construction, open, start and stop: one thread.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "api/system/sites.h"
#include "app/settings/settings.h"
#include "archive/fleet_history.h"
#include "archive/fleet_writer.h"
#include "core/hub.h"
#include "fleet/portal.h"
#include "fleet/site.h"

namespace hearth::app {

class Fleet final : public api::Sites {
 public:
  // Both must outlive this.
  Fleet(core::Hub& hub, const Settings& settings) : hub_(hub), settings_(settings) {}

  bool is_portal() const override { return settings_.fleet && settings_.fleet->role == FleetSettings::Role::portal; }

  // REQUIRES: there are settings of a fleet. The bus does not run yet. Fails with unavailable if the library of NATS is
  // missing, with invalid if an address or a file is no good.
  base::Result<void> open(const std::filesystem::path& folder, const Settings& settings);
  // True if history of this portal's sites is in PostgreSQL.
  bool has_archive() const { return is_portal() && settings_.archive; }
  // True if the entity is one of a site. Any thread.
  bool is_remote(std::string_view entity_id) const;
  // The reader of the history of a portal with an archive: `own` for its own part. If that cannot be, `own` alone.
  std::unique_ptr<recorder::HistoryReader> history(std::unique_ptr<recorder::HistoryReader> own);

  // Of a site that is open: what its log goes to, and how far that is.
  std::unique_ptr<recorder::FollowerTarget> target() { return site_->target(); }
  void watch(const recorder::Follower* follower);
  // The bus runs.
  void start();
  // Before the bus stops.
  void stop();

  // Any thread.
  std::vector<core::Issue> issues() const;
  json::array sites() const override;
  void remove(const std::string& site, std::function<void(base::Result<void>)> done) override;

 private:
  base::Result<void> open_archive();
  std::vector<core::Issue> archive_issues() const;

  core::Hub& hub_;
  const Settings& settings_;
  std::string missing_;  // why it does not work at all; constant after open
  std::unique_ptr<fleet::Site> site_;
  std::unique_ptr<fleet::Portal> portal_;
  std::unique_ptr<archive::FleetWriter> writer_;  // ends before the portal
};

}  // namespace hearth::app
