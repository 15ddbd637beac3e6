// SPDX-License-Identifier: Apache-2.0
// The app's databases: opened at the start, and written on demand.
#include "app/app.h"
#include "app/settings/config_folder.h"
#include "app/upgrade/program_record.h"
#include "app/upgrade/upgrade.h"
#include "app/version.h"
#include "audit/kinds.h"
#include "base/log/log.h"
#include "base/service_manager.h"
#include "storage/home_uuid.h"
#include "storage/repair.h"

namespace hearth::app {
namespace {

// A portal waits for what happens here, and the link fails at once if the server is not there.
constexpr base::Duration kFleetPause = std::chrono::seconds(5);
// While databases of many gigabytes are copied and changed.
constexpr std::string_view kUpgrading = "EXTEND_TIMEOUT_USEC=120000000\nSTATUS=Upgrading the databases";

}  // namespace

base::Result<void> App::open_storage() {
  const auto file = folder_ / kDatabaseName;
  const auto go_on = [this] {
    base::notify_service_manager(kUpgrading);
    main_.poll();
    return !main_.stopped();
  };
  if (auto upgraded = upgrade_home(folder_, version(), clock_.now(), go_on); !upgraded) return upgraded;
  if (auto repaired = storage::repair_if_damaged(file); !repaired) return std::unexpected(repaired.error());
  auto database = storage::Database::open(file);
  if (!database) return std::unexpected(database.error());
  auto uuid = storage::home_uuid(*database);
  if (!uuid) return std::unexpected(uuid.error());
  uuid_ = *uuid;

  if (auto opened = home_settings_.open(file); !opened) return opened;
  if (auto opened = mqtt_settings_.open(file); !opened) return opened;
  if (auto opened = connections_.open(file); !opened) return opened;
  if (auto opened = gate_.open(file); !opened) return opened;
  if (auto opened = open_phones(file); !opened) return opened;
  gate_.accounts.on_change([this] { api_.check_callers(); });

  recorder::RecorderOptions options = settings_.recorder;
  if (fleet_.has_archive()) options.retention.elsewhere = [this](std::string_view id) { return fleet_.is_remote(id); };
  auto recorder = recorder::Recorder::open(folder_, clock_, std::move(options));
  if (!recorder) return std::unexpected(recorder.error());
  recorder_ = std::move(*recorder);
  if (settings_.archive && !fleet_.is_portal()) {
    auto added = followers_.add(folder_, "archive", archive::make_archive(*settings_.archive, clock_));
    if (!added) return added;
  }
  if (settings_.fleet) {
    auto opened = fleet_.open(folder_, settings_);
    if (fleet_.is_portal()) {
      if (!opened)
        base::log_error("fleet", "the fleet cannot start; fix the cause and restart the hub: {}",
                        opened.error().message);
    } else {
      base::Result<std::unique_ptr<recorder::FollowerTarget>> target;
      if (opened)
        target = fleet_.target();
      else
        target = std::unexpected(std::move(opened.error()));
      if (auto added = followers_.add(folder_, "fleet", std::move(target), kFleetPause); !added) return added;
      fleet_.watch(followers_.find("fleet"));
    }
  }
  followers_.listen_to(*recorder_);

  auto imported = recorder::ImportedStatistics::open(file);
  if (!imported) return std::unexpected(std::move(imported.error()));
  imported_ = std::move(*imported);

  auto registry = recorder::RegistryStore::open(file, hub_.registry, hub_.bus);
  if (!registry) return std::unexpected(registry.error());
  registry_ = std::move(*registry);

  auto journal = recorder::RunJournal::open(file, hub_);
  if (!journal) return std::unexpected(journal.error());
  journal_ = std::move(*journal);
  return record_version(*database, version(), clock_.now());
}

std::optional<core::Rights> App::rights_of_token(std::string_view token_id) const {
  const auto identity = gate_.authenticator.find(token_id);
  if (!identity) return {};
  return core::Rights(identity->user->role, identity->user->policy, identity->rights);
}

base::Result<void> App::open_phones(const std::filesystem::path& file) {
  if (auto opened = phone_store_.open(file); !opened) return opened;
  auto known = phone_store_.read();
  if (!known) return std::unexpected(std::move(known.error()));
  people_.restore(*known);
  phones_.restore(std::move(*known));
  gate_.accounts.on_change([this] {
    phones_.keep_those([this](const phones::Phone& phone) { return rights_of_token(phone.token_id).has_value(); });
    people_.keep_those([this](const std::string& token_id) { return rights_of_token(token_id).has_value(); });
  });
  // In the place of Gate::record_in's: recorded as there, and told.
  gate_.throttle.on_failure([this](const auth::Address& from, std::string_view account, auth::LoginPurpose purpose) {
    audit_.count({.what = std::string(audit::kind::kLoginFailed),
                  .subject = std::string(auth::to_string(purpose)),
                  .user = std::string(account)},
                 from);
    people_.failed_login(std::string(account), from.to_string());
  });
  return {};
}

base::Result<void> App::save_all() {
  // If destroyed unanswered, it ends the wait.
  auto saved = std::make_shared<std::promise<base::Result<void>>>();
  auto answer = saved->get_future();
  // After this task on the bus thread, the recorder has everything written before.
  hub_.bus.post([this, saved = std::move(saved)] {
    save_all([saved](base::Result<void> done) { saved->set_value(std::move(done)); });
  });
  return answer.get();
}

void App::save_all(std::function<void(base::Result<void>)> done) {
  recorder_->save([this, done = std::move(done)](base::Result<void> saved) {
    if (!saved) return done(std::move(saved));
    registry_->flush(done);
  });
}

}  // namespace hearth::app
