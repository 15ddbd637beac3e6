// SPDX-License-Identifier: Apache-2.0
#include "backup/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "backup/home_files.h"
#include "base/digest.h"
#include "base/text/timestamp.h"

namespace hearth::backup {
namespace {

using base::ErrorCode;
using base::Result;

constexpr std::string_view kConfiguration = "configuration", kHistory = "history";

// The string or list at a key of backup.json; null if it is damaged.
const json::value* member(const json::object& object, std::string_view key, json::kind kind) {
  const json::value* const value = object.if_contains(key);
  return value && value->kind() == kind ? value : nullptr;
}

std::string_view text(const json::object& object, std::string_view key) {
  const json::value* const value = member(object, key, json::kind::string);
  return value ? std::string_view(value->get_string()) : std::string_view();
}

Result<Manifest::Entry> parse_entry(const json::value& value) {
  const auto damaged = base::fail(ErrorCode::invalid, "its list of files is damaged");
  if (!value.is_object()) return damaged;
  const json::object& object = value.get_object();
  const json::value* const bytes = member(object, "bytes", json::kind::int64);
  Manifest::Entry entry{std::string(text(object, "path")), 0, std::string(text(object, "sha256"))};
  if (!bytes || bytes->get_int64() < 0 || entry.sha256.size() != base::Digest::kHexLength) return damaged;
  entry.bytes = static_cast<std::uint64_t>(bytes->get_int64());
  if (!is_home_path(entry.path))
    return base::fail(ErrorCode::invalid, fmt::format("it names a file that is none of a home's: {}", entry.path));
  return entry;
}

std::array<int, 3> numbers(std::string_view version) {
  std::array<int, 3> found{};
  for (int& number : found) {
    const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), number);
    if (error != std::errc()) break;
    version.remove_prefix(static_cast<std::size_t>(end - version.data()));
    if (!version.starts_with('.')) break;
    version.remove_prefix(1);
  }
  return found;
}

}  // namespace

std::uint64_t Manifest::bytes() const {
  std::uint64_t sum = 0;
  for (const Entry& file : files) sum += file.bytes;
  return sum;
}

std::string to_json(const Manifest& manifest) {
  json::array includes, files;
  if (manifest.configuration) includes.emplace_back(kConfiguration);
  if (manifest.history) includes.emplace_back(kHistory);
  for (const Manifest::Entry& file : manifest.files)
    files.push_back(json::object{{"path", file.path}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  json::object made{{"format", kFormat},
                    {"version", manifest.version},
                    {"created", base::to_string(manifest.created)},
                    {"home", {{"uuid", manifest.home_uuid}, {"name", manifest.home_name}}},
                    {"includes", std::move(includes)},
                    {"files", std::move(files)}};
  if (!manifest.audit_head.empty()) made["audit_head"] = manifest.audit_head;
  return base::to_json(made);
}

Result<Manifest> parse_manifest(std::string_view input) {
  const auto damaged = base::fail(ErrorCode::invalid, "its backup.json is damaged");
  const auto parsed = base::parse_json(input);
  if (!parsed || !parsed->is_object()) return damaged;
  const json::object& object = parsed->get_object();
  const json::value* const format = member(object, "format", json::kind::int64);
  if (!format) return damaged;
  if (format->get_int64() != kFormat) {
    return base::fail(ErrorCode::invalid,
                      fmt::format("its format is {}, and {} is the one known here", format->get_int64(), kFormat));
  }
  const auto created = base::parse_timestamp(text(object, "created"));
  const json::value* const home = member(object, "home", json::kind::object);
  const json::value* const includes = member(object, "includes", json::kind::array);
  const json::value* const files = member(object, "files", json::kind::array);
  if (!created || !home || !includes || !files) return damaged;
  const auto has = [&](std::string_view what) {
    return std::ranges::any_of(includes->get_array(), [&](const json::value& one) { return one == json::value(what); });
  };
  Manifest manifest{std::string(text(object, "version")),
                    *created,
                    std::string(text(home->get_object(), "uuid")),
                    std::string(text(home->get_object(), "name")),
                    std::string(text(object, "audit_head")),
                    has(kConfiguration),
                    has(kHistory),
                    {}};
  std::set<std::string_view> paths;
  std::uint64_t room = kMaxBytes;
  for (const json::value& value : files->get_array()) {
    auto entry = parse_entry(value);
    if (!entry) return std::unexpected(std::move(entry.error()));
    if (entry->bytes > room) return damaged;
    room -= entry->bytes;
    manifest.files.push_back(std::move(*entry));
  }
  for (const Manifest::Entry& file : manifest.files) {
    if (!paths.insert(file.path).second) return damaged;
  }
  const bool complete = paths.contains(kHomeDatabase) && paths.contains(kHistoryDatabase) == manifest.history;
  if (!complete || manifest.files.size() > kMaxFiles) return damaged;
  return manifest;
}

bool is_newer(std::string_view version, std::string_view than) {
  return numbers(version) > numbers(than);
}

}  // namespace hearth::backup
