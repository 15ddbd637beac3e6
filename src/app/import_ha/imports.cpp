// SPDX-License-Identifier: Apache-2.0
#include "app/import_ha/imports.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <thread>

#include "api/gateway/command.h"
#include "app/files/private_file.h"
#include "app/import_ha/import_process.h"
#include "app/import_ha/present_home.h"
#include "app/import_ha/to_do.h"
#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/text/text.h"
#include "import_ha/import.h"
#include "import_ha/prepared_import.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Result;
using ImportState = ImportProgress::State;

constexpr std::string_view kUploadSource = "upload:", kFolderSource = "folder:";
constexpr std::string_view kDoneKey = "done";
constexpr std::size_t kMostDone = 10'000;
// A person who watches a first start asks about once a second.
constexpr std::chrono::seconds kUntilTold{3};
constexpr std::chrono::milliseconds kLookWhetherTold{50};

std::unexpected<base::Error> too_much_to_do() {
  return base::fail(ErrorCode::unavailable, "The hub is shutting down, or has too much to do with imports.");
}

std::unexpected<base::Error> was_cancelled() {
  return base::fail(ErrorCode::unavailable, "The import was cancelled.");
}

// As the error of a command.
json::object error_event(const base::Error& error) {
  return {{"error", api::to_json_object(api::CommandError(error))}};
}

std::optional<json::object> object_in(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  auto parsed = base::parse_json(std::string(std::istreambuf_iterator<char>(file), {}));
  if (!parsed || !parsed->is_object()) return {};
  return std::move(parsed->get_object());
}

std::set<std::string, std::less<>> done_in(const json::object& report) {
  std::set<std::string, std::less<>> done;
  const json::value& list = base::value_at(report, kDoneKey);
  if (!list.is_array()) return done;
  for (const json::value& each : list.get_array())
    if (each.is_string()) done.emplace(each.get_string());
  return done;
}

std::string version_of_folder(const fs::path& folder) {
  std::ifstream file(folder / ".HA_VERSION");
  std::string version;
  std::getline(file, version);
  const bool plain = version.size() <= 32 && std::ranges::all_of(version, [](char c) { return c > ' ' && c < 0x7F; });
  return plain ? version : std::string();
}

}  // namespace

Imports::Imports(Home home, const core::Hub& hub)
    : home_(std::move(home)), hub_(hub), uploads_(home_.folder, hub.clock) {
  uploads_.remove_leftovers();
  if (!home_.failure.empty()) progress_.end(ImportState::failed, home_.failure, {});
}

void Imports::stop() {
  stopping_ = true;
  thread_.stop();
  uploads_.stop();
}

void Imports::list(Done done) {
  const auto work = [this, done] {
    json::array sources = uploads_.list();
    for (const std::string& folder : home_.folders) {
      const std::string version = version_of_folder(folder);
      sources.push_back(json::object{{"source", fmt::format("{}{}", kFolderSource, folder)},
                                     {"kind", "folder"},
                                     {"name", folder},
                                     {"bytes", nullptr},
                                     {"created", nullptr},
                                     {"version", version.empty() ? json::value() : json::value(version)},
                                     {"protected", false}});
    }
    done(json::object{{"sources", std::move(sources)}, {"state", progress_.to_json()}});
  };
  if (!uploads_.post(work)) done(too_much_to_do());
}

void Imports::remove(std::string name, Finished done) {
  if (!uploads_.post([this, name = std::move(name), done] { done(uploads_.remove(name)); })) done(too_much_to_do());
}

Result<fs::path> Imports::place_of(const std::string& source) const {
  if (source.starts_with(kUploadSource)) {
    const std::string name = source.substr(kUploadSource.size());
    if (!uploads_.has(name))
      return base::fail(ErrorCode::not_found, fmt::format("There is no uploaded backup named {}.", name));
    return uploads_.file_of(name);
  }
  const std::string folder = source.starts_with(kFolderSource) ? source.substr(kFolderSource.size()) : std::string();
  if (std::ranges::find(home_.folders, folder) != home_.folders.end()) return fs::path(folder);
  return base::fail(ErrorCode::not_found,
                    "source: expected upload: with the name of an uploaded backup, or folder: with a path that the "
                    "key folders of the section import in configuration.yaml lists.");
}

Result<void> Imports::admit(const Order& order) {
  if (order.passphrase.empty()) return {};
  const auto rest = retry_after();
  const base::MutexLock lock(mutex_);
  if (tries_.size() < kMostTries) {
    tries_.push_back(std::chrono::steady_clock::now());
    return {};
  }
  return base::fail(ErrorCode::throttled,
                    fmt::format("Too many passphrases were tried. Try again in {} seconds.", rest.count()));
}

std::chrono::seconds Imports::retry_after() {
  const base::MutexLock lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  while (!tries_.empty() && now - tries_.front() >= kTriesTime) tries_.pop_front();
  if (tries_.size() < kMostTries) return std::chrono::seconds(1);
  return std::chrono::ceil<std::chrono::seconds>(tries_.front() + kTriesTime - now);
}

Result<void> Imports::begin(ImportState state, const Order& order) {
  if (auto place = place_of(order.source); !place) return std::unexpected(std::move(place.error()));
  try {
    thread_.start();
  } catch (const std::system_error& none) {
    return base::fail(ErrorCode::unavailable, fmt::format("No thread can be had for it: {}.", none.what()));
  }
  if (!progress_.begin(state, order.source)) return base::fail(ErrorCode::conflict, "Another import is under way.");
  if (auto admitted = admit(order); !admitted) {
    progress_.end(resting(), {}, {});
    return admitted;
  }
  cancelled_ = false;
  return {};
}

ImportState Imports::resting() const {
  return import_ha::is_import_prepared(home_.folder) ? ImportState::ready : ImportState::idle;
}

Result<json::object> Imports::run(const Order& order, bool dry_run, const std::function<bool()>& is_wanted) {
  const auto place = place_of(order.source);
  if (!place) return std::unexpected(place.error());
  return run_import_process({.home = home_.folder,
                             .source = *place,
                             .order = order,
                             .dry_run = dry_run,
                             .progress = [this](const std::string& step, std::uint64_t done,
                                                std::uint64_t of) { progress_.step(step, done, of); },
                             .is_wanted = [&] { return !stopping_ && !cancelled_ && is_wanted(); }});
}

Result<std::shared_ptr<void>> Imports::look(Order order, Done done) {
  if (auto begun = begin(ImportState::looking, order); !begun) return std::unexpected(std::move(begun.error()));
  const auto asker = std::make_shared<int>();
  const bool posted = thread_.post([this, order = std::move(order), done, weak = std::weak_ptr(asker)] {
    auto report = run(order, true, [&] { return !weak.expired(); });
    uploads_.remove_looks();
    progress_.end(resting(), {}, {});
    if (!report && cancelled_) report = was_cancelled();
    if (!stopping_ && !weak.expired()) done(std::move(report));
  });
  if (posted) return std::shared_ptr<void>(asker);
  progress_.end(resting(), {}, {});
  return too_much_to_do();
}

Result<void> Imports::start(Order order) {
  if (auto begun = begin(ImportState::working, order); !begun) return begun;
  const bool first_start = !home_.has_users();
  if (thread_.post([this, order = std::move(order), first_start] { import(order, first_start); })) return {};
  progress_.end(resting(), {}, {});
  return too_much_to_do();
}

void Imports::import(const Order& order, bool first_start) {
  base::log_info("import", "the import of {} begins", order.source);
  auto report = run(order, false, [] { return true; });
  if (stopping_) return;  // the same order goes on
  if (report && first_start && home_.has_users())
    report = base::fail(ErrorCode::forbidden, "This home has its first user already.");
  if (!report || cancelled_) {
    const base::Error error = cancelled_ ? was_cancelled().error() : report.error();
    base::log_warning("import", "the import of {} has ended: {}", order.source, error.message);
    if (error.code == ErrorCode::forbidden) static_cast<void>(import_ha::discard_import(home_.folder));
    // The answer to a cancel waits until the files of the import are gone.
    if (cancelled_) static_cast<void>(import_ha::discard_import(home_.folder));
    return progress_.end(cancelled_ ? ImportState::idle : ImportState::failed,
                         cancelled_ ? std::string() : error.message, error_event(error));
  }
  base::log_info("import", "the import of {} is ready: the next start of the hub completes it", order.source);
  progress_.end(first_start ? ImportState::restarting : ImportState::ready, {},
                json::object{{"report", std::move(*report)}});
  if (first_start) restart_when_told();
}

void Imports::restart_when_told() {
  const auto until = std::chrono::steady_clock::now() + kUntilTold;
  while (!stopping_ && !progress_.told_restart() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(kLookWhetherTold);
  if (!stopping_) home_.restart();
}

void Imports::cancel(Finished done) {
  const ImportState state = progress_.state();
  if (state == ImportState::restarting) return done(base::fail(ErrorCode::conflict, "The hub restarts already."));
  if (state == ImportState::looking || state == ImportState::working) cancelled_ = true;
  try {
    thread_.start();
  } catch (const std::system_error& none) {
    return done(base::fail(ErrorCode::unavailable, fmt::format("No thread can be had for it: {}.", none.what())));
  }
  // After what is under way.
  const bool posted = thread_.post([this, done, state] {
    if (state == ImportState::looking) return done({});
    auto discarded = import_ha::discard_import(home_.folder);
    const ImportState now = progress_.state();
    if (discarded && now != ImportState::working && now != ImportState::looking)
      progress_.end(ImportState::idle, {}, {});
    done(std::move(discarded));
  });
  if (!posted) done(too_much_to_do());
}

Result<void> Imports::restart() {
  if (progress_.state() != ImportState::ready)
    return base::fail(ErrorCode::conflict, "No import is ready for a restart of the hub.");
  progress_.end(ImportState::restarting, {}, {});
  home_.restart();
  return {};
}

Result<std::optional<json::object>> Imports::last_report() const {
  auto prepared = import_ha::read_prepared(home_.folder);
  if (!prepared) return std::unexpected(std::move(prepared.error()));
  if (*prepared) return std::optional((*prepared)->report);
  return object_in(home_.folder / import_ha::kReportFile);
}

Result<json::array> Imports::still_to_do(const json::object& report) const {
  json::array list;
  auto looked = with_present_home(home_.folder, hub_, home_.integrations,
                                  [&](const PresentHome& home) { list = to_do(report, done_in(report), home); });
  if (!looked) return std::unexpected(std::move(looked.error()));
  return list;
}

void Imports::report(Done done) {
  const auto work = [this]() -> Result<json::object> {
    auto report = last_report();
    if (!report) return std::unexpected(std::move(report.error()));
    json::object answer{{"state", progress_.to_json()}, {"report", nullptr}, {"to_do", json::array()}};
    // Of one that is ready nothing is to be done yet.
    const bool in_force = *report && !import_ha::is_import_prepared(home_.folder);
    if (in_force) {
      auto list = still_to_do(**report);
      if (!list) return std::unexpected(std::move(list.error()));
      answer["to_do"] = std::move(*list);
    }
    if (*report) {
      (*report)->erase(kDoneKey);
      (*report)->erase("run");
      answer["report"] = std::move(**report);
    }
    return answer;
  };
  if (!uploads_.post([work, done] { done(work()); })) done(too_much_to_do());
}

void Imports::mark_done(std::string id, Finished done) {
  const auto work = [this, id = std::move(id)]() -> Result<void> {
    auto report = object_in(home_.folder / import_ha::kReportFile);
    const auto list = report ? still_to_do(*report) : Result<json::array>(json::array());
    if (!list) return std::unexpected(list.error());
    const bool known = std::ranges::any_of(
        *list, [&](const json::value& each) { return base::text_view_at(each.get_object(), "id") == id; });
    if (!known) return base::fail(ErrorCode::not_found, "item: there is no such thing to do.");
    auto all = done_in(*report);
    if (all.size() >= kMostDone) return base::fail(ErrorCode::full, "Too many things are marked as done.");
    all.insert(id);
    (*report)[kDoneKey] = json::array(all.begin(), all.end());
    return write_private_file(home_.folder / import_ha::kReportFile, base::to_json(*report));
  };
  if (!uploads_.post([work, done] { done(work()); })) done(too_much_to_do());
}

}  // namespace hearth::app
