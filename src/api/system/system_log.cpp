// SPDX-License-Identifier: Apache-2.0
#include "api/system/system_log.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace hearth::api {
namespace {

using base::LogLevel;
using base::LogRecord;

constexpr core::Words kLevelNames = "debug info warning error critical";

double seconds(base::Timestamp time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

std::string upper_case(std::string_view name) {
  std::string upper(name);
  for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
  return upper;
}

json::object entry(const LogRecord& last) {
  return {{"name", last.component},
          {"message", json::array{json::value(last.message)}},
          {"level", upper_case(base::to_string(last.level))},
          {"source", json::array{json::value(last.file), json::value(last.line)}},
          {"timestamp", seconds(last.time)},
          {"exception", ""},
          {"count", 1},
          {"first_occurred", seconds(last.time)}};
}

}  // namespace

core::Words log_level_names() {
  return kLevelNames;
}

base::Result<LogLevel> parse_log_level(std::string_view name) {
  if (name == "critical") return LogLevel::error;
  for (const LogLevel level : {LogLevel::debug, LogLevel::info, LogLevel::warning, LogLevel::error}) {
    if (name == base::to_string(level)) return level;
  }
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("level: expected one of {}.", fmt::join(kLevelNames.begin(), kLevelNames.end(), ", ")));
}

json::array log_entries(std::span<const base::LogRecordPtr> records, LogLevel least) {
  const auto hash = [](const LogRecord* record) { return std::hash<std::string_view>()(record->message); };
  const auto same = [](const LogRecord* a, const LogRecord* b) { return a->same_message(*b); };
  std::unordered_map<const LogRecord*, std::size_t, decltype(hash), decltype(same)> places(0, hash, same);
  json::array list;
  for (auto record = records.rbegin(); record != records.rend(); ++record) {
    if ((*record)->level < least) continue;
    const auto [place, first] = places.emplace(record->get(), list.size());
    if (first) {
      list.push_back(entry(**record));
      continue;
    }
    json::object& said = list[place->second].get_object();
    said["count"] = said["count"].get_int64() + 1;
    said["first_occurred"] = seconds((*record)->time);
  }
  return list;
}

std::string log_text(std::span<const base::LogRecordPtr> records) {
  std::string text;
  for (const auto& record : records) text += record->text() + '\n';
  return text;
}

}  // namespace hearth::api
