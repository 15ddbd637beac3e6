// SPDX-License-Identifier: Apache-2.0
#include "import_ha/prepared_import.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "backup/file.h"
#include "base/json/json_fields.h"

namespace hearth::import_ha {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Result;

constexpr std::string_view kReadyPartial = "ready.json.partial";

constexpr std::pair<std::string_view, bool ImportOptions::*> kSwitches[] = {
    {"history", &ImportOptions::history},           {"history_later", &ImportOptions::history_later},
    {"credentials", &ImportOptions::credentials},   {"automations_off", &ImportOptions::automations_off},
    {"side_by_side", &ImportOptions::side_by_side}, {"accept_newer", &ImportOptions::accept_newer},
};

fs::path ready_file(const fs::path& home) {
  return home / kPartialFolder / kReadyFile;
}

json::object json_of(const ImportOptions& options) {
  std::string only;
  for (const Step step : options.only) only += (only.empty() ? "" : ",") + std::string(to_text(step));
  json::object object{{"source", options.source.string()},
                      {"only", only},
                      {"last", options.last ? json::value(options.last->count()) : json::value()}};
  for (const auto& [name, member] : kSwitches) object[name] = options.*member;
  return object;
}

Result<ImportOptions> options_of(const json::object& object, const fs::path& home) {
  ImportOptions options;
  options.source = base::text_at(object, "source");
  options.home = home;
  auto only = parse_steps(base::text_at(object, "only"));
  if (!only) return std::unexpected(std::move(only.error()));
  options.only = std::move(*only);
  if (const json::value& last = base::value_at(object, "last"); last.is_int64())
    options.last = base::Duration(last.get_int64());
  for (const auto& [name, member] : kSwitches) options.*member = base::value_at(object, name) == json::value(true);
  return options;
}

std::vector<std::string> texts_of(const json::value& list) {
  std::vector<std::string> texts;
  if (!list.is_array()) return texts;
  for (const json::value& each : list.get_array())
    if (each.is_string()) texts.emplace_back(each.get_string());
  return texts;
}

}  // namespace

Result<void> write_prepared(const PreparedImport& prepared) {
  const json::object object{{"options", json_of(prepared.options)},
                            {"files", prepared.files.string()},
                            {"fingerprint", prepared.fingerprint},
                            {"keeps_home", prepared.keeps_home},
                            {"report", prepared.report},
                            {"recorded", json::array(prepared.recorded.begin(), prepared.recorded.end())},
                            {"last_states", json::array(prepared.last_states.begin(), prepared.last_states.end())}};
  const fs::path folder = prepared.options.home / kPartialFolder;
  std::error_code error;
  fs::remove(folder / kReadyPartial, error);
  {
    auto file = backup::File::create(folder / kReadyPartial);
    if (!file) return std::unexpected(std::move(file.error()));
    if (auto done = file->write(base::to_json(object)); !done) return done;
  }
  // All that the file speaks of, too.
  if (auto synced = backup::sync_file_system(folder); !synced) return synced;
  fs::rename(folder / kReadyPartial, folder / kReadyFile, error);
  if (error) return backup::folder_failure(folder / kReadyPartial, "moved", error);
  return backup::sync_folder(folder);
}

Result<std::optional<PreparedImport>> read_prepared(const fs::path& home) {
  std::ifstream file(ready_file(home), std::ios::binary);
  if (!file) return std::optional<PreparedImport>();
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto damaged = [&] {
    return base::fail(ErrorCode::unavailable, fmt::format("{} is damaged.", ready_file(home).string()));
  };
  const auto parsed = base::parse_json(text);
  const json::object* const object = parsed ? parsed->if_object() : nullptr;
  if (!object) return damaged();
  const json::value& options = base::value_at(*object, "options");
  const json::value& report = base::value_at(*object, "report");
  if (!options.is_object() || !report.is_object()) return damaged();
  PreparedImport prepared;
  auto read = options_of(options.get_object(), home);
  if (!read) return damaged();
  prepared.options = std::move(*read);
  prepared.files = base::text_at(*object, "files");
  prepared.fingerprint = base::text_at(*object, "fingerprint");
  prepared.keeps_home = base::value_at(*object, "keeps_home") == json::value(true);
  prepared.report = report.get_object();
  prepared.recorded = texts_of(base::value_at(*object, "recorded"));
  prepared.last_states = texts_of(base::value_at(*object, "last_states"));
  return std::optional(std::move(prepared));
}

Result<void> forget_prepared(const fs::path& home) {
  return backup::remove_whole(ready_file(home));
}

Result<std::optional<std::string>> finish_import(const fs::path& home, const ImportHooks& hooks, base::Timestamp now,
                                                 std::string version) {
  auto prepared = read_prepared(home);
  if (!prepared || !*prepared) {
    if (prepared) return std::optional<std::string>();
    static_cast<void>(forget_prepared(home));
    return std::unexpected(std::move(prepared.error()));
  }
  ImportOptions options = (*prepared)->options;
  options.into_existing = (*prepared)->keeps_home;
  options.now = now;
  options.version = std::move(version);
  options.prepared = &**prepared;
  const std::string name = options.source.filename().string();
  Report report;
  auto done = complete_import(options, hooks, report);
  if (done) {
    std::string said = fmt::format("the import of {} is complete", name);
    if (!done->kept_before.empty())
      said += fmt::format("; what was there is in {}", (home / done->kept_before).string());
    return std::optional(std::move(said));
  }
  base::Error error = std::move(done.error());
  error.message = fmt::format("The import of {} was not completed, and the home is as before: {}", name, error.message);
  if (error.code == ErrorCode::conflict) {
    // Its files have secrets of the old home.
    static_cast<void>(discard_import(home));
  } else if (hooks.go_on()) {
    static_cast<void>(forget_prepared(home));
  }
  return std::unexpected(std::move(error));
}

Result<void> discard_import(const fs::path& home) {
  return backup::remove_whole(home / kPartialFolder);
}

bool is_import_prepared(const fs::path& home) {
  std::error_code error;
  return fs::exists(home / kPartialFolder / kReadyFile, error);
}

}  // namespace hearth::import_ha
