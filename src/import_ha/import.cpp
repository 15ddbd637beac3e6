// SPDX-License-Identifier: Apache-2.0
#include "import_ha/import.h"

#include <fmt/format.h>

#include <utility>

#include "energy/cost_sensors.h"
#include "import_ha/files/files_step.h"
#include "import_ha/history/database_fate.h"
#include "import_ha/history/history_import.h"
#include "import_ha/new_home.h"
#include "import_ha/prepared_import.h"
#include "import_ha/report/instead.h"
#include "import_ha/report/joined_report.h"
#include "import_ha/steps/dashboards_step.h"
#include "import_ha/steps/helper_entries.h"
#include "import_ha/steps/helpers_step.h"
#include "import_ha/steps/registry_step.h"
#include "import_ha/steps/states_step.h"
#include "import_ha/steps/users_step.h"
#include "recorder/journal/registry_store.h"

namespace hearth::import_ha {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Result;

constexpr std::string_view kOldDatabase = "home-assistant_v2.db";

std::unexpected<base::Error> stopped() {
  return base::fail(ErrorCode::unavailable, "Stopped before it was done; the same command goes on.");
}

class Import {
 public:
  Import(const ImportOptions& options, const ImportHooks& hooks, Report& report)
      : options_(options), hooks_(hooks), report_(report) {}

  // Of a prepared import.
  Result<Imported> complete() {
    const PreparedImport& prepared = *options_.prepared;
    auto home = NewHome::open(options_, hooks_);
    if (!home) return std::unexpected(std::move(home.error()));
    home_ = std::move(*home);
    if (!prepared.keeps_home) {
      // Made for a home that nobody used.
      if (auto unused = home_->check_unused(); !unused) return std::unexpected(std::move(unused.error()));
      return exchanged(prepared.report);
    }
    Report unused;  // the source was told when it was first read
    Source::Options how{.scratch = home_->scratch() / "again"};
    how.accept_newer = options_.accept_newer;
    how.go_on = hooks_.go_on;
    auto opened = Source::open(prepared.files, std::move(how), unused);
    if (!opened) return std::unexpected(std::move(opened.error()));
    source_.emplace(std::move(*opened));
    fingerprint_ = prepared.fingerprint;
    recorded_ = {prepared.recorded.begin(), prepared.recorded.end()};
    if (auto begun = home_->begin(*fingerprint_); !begun) return std::unexpected(std::move(begun.error()));
    if (auto done = all_steps(); !done) return std::unexpected(std::move(done.error()));
    if (auto added = home_->add_former_past(); !added) return std::unexpected(std::move(added.error()));
    source_.reset();
    return exchanged(join_reports(prepared.report, report_.to_json()));
  }

  Result<Imported> run() {
    report_.dry_run = options_.dry_run;
    auto home = NewHome::open(options_, hooks_);
    if (!home) return std::unexpected(std::move(home.error()));
    home_ = std::move(*home);
    if (auto opened = open_source(); !opened) return std::unexpected(std::move(opened.error()));
    if (auto former = home_->former_report(*fingerprint_)) {
      Imported imported{.unchanged = true, .report = std::move(*former)};
      if (auto cleared = home_->remove(); !cleared) return std::unexpected(std::move(cleared.error()));
      return imported;
    }
    if (auto begun = home_->begin(*fingerprint_); !begun) return std::unexpected(std::move(begun.error()));
    auto done = all_steps();
    if (done) return finish();
    // It is such a home, but a file of it is broken.
    if (done.error().code == ErrorCode::invalid) done.error().code = ErrorCode::unavailable;
    return std::unexpected(std::move(done.error()));
  }

 private:
  bool wants(Step step) const { return options_.only.empty() || options_.only.contains(step); }
  bool wants_past() const {
    return options_.history && !options_.history_later && (wants(Step::history) || wants(Step::statistics));
  }

  Result<void> open_source() {
    Source::Options how{.scratch = home_->source_scratch()};
    how.passphrase = options_.passphrase;
    how.accept_newer = options_.accept_newer;
    how.history = options_.history;
    how.go_on = hooks_.go_on;
    auto opened = Source::open(options_.source, std::move(how), report_);
    if (!opened) return std::unexpected(std::move(opened.error()));
    source_.emplace(std::move(*opened));
    auto fingerprint = source_->fingerprint();
    if (!fingerprint) return std::unexpected(std::move(fingerprint.error()));
    fingerprint_ = std::move(*fingerprint);
    report_.source.fingerprint = *fingerprint_;
    return {};
  }

  // Runs a step and notes how long it took.
  template <class Work>
  Result<void> timed(Step step, Work&& work) {
    if (!hooks_.go_on()) return stopped();
    hooks_.progress(to_text(step), 0, 0);
    const auto start = std::chrono::steady_clock::now();
    if (auto done = work(); !done) return done;
    report_.finish_step(std::string(to_text(step)),
                        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return {};
  }

  Result<void> all_steps() {
    auto read = recorder::read_registry(home_->database());
    if (!read) return std::unexpected(std::move(read.error()));
    const core::RegistryData before = *read;
    data_ = std::move(*read);
    registry_.emplace(*source_, home_->files_of_source(), data_, report_);
    const std::pair<Step, std::function<Result<void>()>> steps[] = {
        {Step::settings, [&] { return settings(); }},
        {Step::registry, [&] { return registry_->run(); }},
        {Step::users, [&] { return users(); }},
        {Step::helpers, [&] { return helpers(); }},
        {Step::automations, [&] { return carry(); }},
        {Step::dashboards, [&] { return import_dashboards(*source_, data_, report_); }},
    };
    for (const auto& [step, work] : steps) {
      if (!wants(step)) continue;
      if (auto done = timed(step, work); !done) return done;
    }
    if (auto done = open_history(); !done) return done;
    if (auto done = check(); !done) return done;
    if (auto done = write(before); !done) return done;
    if (wants(Step::states)) {
      if (auto done = timed(Step::states, [&] { return states(); }); !done) return done;
    }
    return past();
  }

  Result<void> settings() {
    const SettingsPlan plan{.source = *source_,
                            .home = home_->files_of_source(),
                            .final_home = options_.home,
                            .side_by_side = options_.side_by_side,
                            .credentials = options_.credentials,
                            .check_home = hooks_.check_home,
                            .check_mqtt = hooks_.check_mqtt};
    auto carried = carry_settings(plan, report_);
    if (!carried) return std::unexpected(std::move(carried.error()));
    settings_ = std::move(*carried);
    return {};
  }

  Result<void> carry() {
    FilesPlan files{.source = *source_, .home = home_->files_of_source(), .known = hooks_.known};
    files.side_by_side = options_.side_by_side;
    files.go_on = hooks_.go_on;
    auto written = carry_files(files, report_);
    if (!written) return std::unexpected(std::move(written.error()));
    files_ = std::move(*written);
    return home_->merge_files(report_);
  }

  Result<void> users() {
    auto transaction = storage::Transaction::begin(home_->database(), storage::Transaction::Kind::write);
    if (!transaction) return std::unexpected(std::move(transaction.error()));
    auto done = import_users({.source = *source_,
                              .home = home_->database(),
                              .report = report_,
                              .now = home_->began(),
                              .credentials = options_.credentials});
    if (!done) return done;
    return transaction->commit();
  }

  Result<void> helpers() {
    HelpersPlan plan{.source = *source_, .data = data_, .old = registry_->old(), .home = home_->files_of_source()};
    plan.mqtt = !settings_.mqtt.empty();
    plan.check_components = hooks_.check_components;
    if (const auto zone = settings_.home.find("time_zone"); zone != settings_.home.end()) plan.zone = zone->second;
    auto select = home_->database().prepare("SELECT id FROM users");
    if (!select) return std::unexpected(std::move(select.error()));
    auto read = select->for_each([&](const storage::Statement& row) { plan.users.insert(std::string(row.text(0))); });
    if (!read) return read;
    return import_helpers(plan, report_);
  }

  Result<void> write(const core::RegistryData& before) {
    auto transaction = storage::Transaction::begin(home_->database(), storage::Transaction::Kind::write);
    if (!transaction) return std::unexpected(std::move(transaction.error()));
    if (auto done = recorder::write_registry(home_->database(), before, data_); !done) return done;
    for (const auto& [table, values] :
         {std::pair("home_settings", &settings_.home), std::pair("mqtt_settings", &settings_.mqtt)}) {
      for (const auto& [key, value] : *values) {
        // A value that is there wins.
        auto done = home_->database().run(
            fmt::format("INSERT INTO {}(key, value) VALUES(?, ?) ON CONFLICT(key) DO NOTHING", table), key, value);
        if (!done) return std::unexpected(std::move(done.error()));
      }
    }
    return transaction->commit();
  }

  Result<void> open_history() {
    if (options_.prepared) return {};
    if (!options_.history || files_.database_elsewhere) return {};
    auto opened = source_->open_history(files_.database, report_);
    if (opened) {
      if (*opened) history_.emplace(std::move(**opened));
      return make_room();
    }
    const bool only_past = !options_.only.empty() && !wants(Step::registry);
    if (opened.error().code != ErrorCode::invalid || only_past) {
      return base::fail(ErrorCode::unavailable, opened.error().message);
    }
    tell_unread_database(database_name(), opened.error().message, report_);
    return {};
  }

  std::string database_name() const {
    return files_.database.empty() ? std::string(kOldDatabase) : files_.database.string();
  }

  Result<void> make_room() const {
    if (!history_ || options_.dry_run || !wants_past()) return {};
    return check_room(source_->folder() / kOldDatabase, home_->files(), options_.home);
  }

  Result<void> check() {
    auto restored = read_restored_states(*source_, report_);
    if (!restored) return std::unexpected(std::move(restored.error()));
    restored_ = std::move(*restored);
    if (history_) {
      auto select = history_->connection().prepare("SELECT entity_id FROM states_meta");
      if (!select) return std::unexpected(std::move(select.error()));
      auto read = select->for_each([&](const storage::Statement& row) { recorded_.insert(std::string(row.text(0))); });
      if (!read) return read;
    }
    Identities of_files;
    if (wants(Step::automations)) {
      const auto was = [&](std::string_view id) {
        const auto found = restored_.find(id);
        return found == restored_.end() ? std::string() : found->second.value;
      };
      const auto is_there = [&](std::string_view id) {
        return id == "sun.sun" || id == "zone.home" || recorded_.contains(std::string(id)) || restored_.contains(id);
      };
      auto found = hooks_.check(home_->files(), data_, was, is_there, report_);
      if (!found) return std::unexpected(std::move(found.error()));
      of_files = std::move(*found);
      for (const auto& [integration, domain, unique_id] : of_files) rename_group(integration, domain, unique_id);
    }
    if (!wants(Step::registry)) return {};
    provides_ = [this, of_files = std::move(of_files)](const core::RegisteredEntity& entity) {
      const std::string domain(entity.domain());
      if (entity.integration == "mqtt") return !settings_.mqtt.empty();
      return brings(entity) || of_files.contains({entity.integration, domain, entity.unique_id});
    };
    registry_->tell(provides_, [](std::string_view platform) {
      // A tag starts automations as before; only its entity is not here.
      return platform == "tag" ? std::string() : std::string(instead_of(platform).way);
    });
    return {};
  }

  // A group of a file has its domain in its unique id here.
  void rename_group(const std::string& integration, const std::string& domain, const std::string& unique_id) {
    if (!unique_id.starts_with(domain + ".") || data_.find_entity(integration, domain, unique_id)) return;
    const auto* const found = data_.find_entity(integration, domain, unique_id.substr(domain.size() + 1));
    if (!found) return;
    core::RegisteredEntity entity = *found;
    entity.unique_id = unique_id;
    data_.set(std::move(entity));
  }

  // True if an item that was carried makes the entity.
  bool brings(const core::RegisteredEntity& entity) const {
    const core::Item* item = data_.find_item(entity.integration, entity.unique_id);
    // Sensors of a meter's tariffs have the meter's id before their own.
    const auto end = entity.integration == "utility_meter" ? entity.unique_id.rfind('_') : std::string::npos;
    if (!item && end != std::string::npos) item = data_.find_item("utility_meter", entity.unique_id.substr(0, end));
    return energy::is_cost_sensor(data_, entity) || (item && domains_of(*item).contains(entity.domain()));
  }

  Result<void> states() {
    if (options_.prepared) return home_->add_former_states(options_.prepared->last_states);
    const auto use = [this](std::string_view id) {
      const core::RegisteredEntity* const entity = data_.entities.find(id);
      if (!entity) return id == "sun.sun" || id == "zone.home" ? StatesPlan::Use::none : StatesPlan::Use::unregistered;
      return provides_ && provides_(*entity) ? StatesPlan::Use::provided : StatesPlan::Use::none;
    };
    auto states = last_states_of({.restored = restored_,
                                  .history = history_ ? &*history_ : nullptr,
                                  .use = use,
                                  .automations_off = options_.automations_off},
                                 report_);
    if (!states) return std::unexpected(std::move(states.error()));
    for (const auto& [entity_id, state] : *states) last_states_.push_back(entity_id);
    return home_->put_last_states(*states);
  }

  Result<void> past() {
    if (options_.prepared) return {};
    if (options_.history_later) report_.note("The past follows: hearth import-ha SOURCE --only history,statistics");
    if (!history_ || !wants_past()) return {};
    if (auto closed = home_->close_database(); !closed) return closed;
    std::string_view step;
    HistoryPlan plan{.old = history_->connection(),
                     .target = home_->files(),
                     .scratch = home_->scratch() / "history",
                     .now = home_->began()};
    plan.renew = [&]() -> Result<void> {
      if (!history_->due()) return {};
      return history_->renew();
    };
    plan.fingerprint = *fingerprint_;
    plan.last = options_.last;
    plan.dry_run = options_.dry_run;
    plan.go_on = hooks_.go_on;
    plan.progress = [&](std::uint64_t done, std::uint64_t of) { hooks_.progress(step, done, of); };
    if (wants(Step::history)) {
      step = "history";
      auto done = timed(Step::history, [&]() -> Result<void> {
        auto span = import_states(plan, report_);
        if (!span) return std::unexpected(std::move(span.error()));
        return import_events(plan, report_);
      });
      if (!done) return done;
    }
    if (wants(Step::statistics)) {
      step = "statistics";
      auto done = timed(Step::statistics, [&] { return import_statistics(plan, report_); });
      if (!done) return done;
    }
    tell_read_database(database_name(), report_);
    return {};
  }

  Result<Imported> finish() {
    history_.reset();
    const fs::path files = source_->folder();
    source_.reset();
    if (options_.dry_run) {
      if (auto removed = home_->remove(); !removed) return std::unexpected(std::move(removed.error()));
      return Imported();
    }
    if (!options_.prepare_only) return exchanged(report_.to_json());
    PreparedImport prepared;
    prepared.files = files;
    prepared.report = report_.to_json();
    prepared.recorded.assign(recorded_.begin(), recorded_.end());
    prepared.last_states = last_states_;
    if (auto kept = home_->keep_until_start(std::move(prepared)); !kept)
      return std::unexpected(std::move(kept.error()));
    return Imported();
  }

  Result<Imported> exchanged(const json::object& report) {
    auto before = home_->exchange(report);
    if (!before) return std::unexpected(std::move(before.error()));
    return Imported{.kept_before = std::move(*before)};
  }

  const ImportOptions& options_;
  const ImportHooks& hooks_;
  Report& report_;
  std::unique_ptr<NewHome> home_;
  std::optional<Source> source_;
  std::optional<std::string> fingerprint_;
  core::RegistryData data_;
  std::optional<RegistryStep> registry_;
  CarriedSettings settings_;
  CarriedFiles files_;
  std::optional<OldDatabase> history_;
  RestoredStates restored_;
  std::set<std::string> recorded_;
  std::vector<std::string> last_states_;  // their entities
  std::function<bool(const core::RegisteredEntity&)> provides_;
};

}  // namespace

Result<Imported> run_import(const ImportOptions& options, const ImportHooks& hooks, Report& report) {
  return Import(options, hooks, report).run();
}

Result<Imported> complete_import(const ImportOptions& options, const ImportHooks& hooks, Report& report) {
  return Import(options, hooks, report).complete();
}

}  // namespace hearth::import_ha
