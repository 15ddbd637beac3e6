// SPDX-License-Identifier: Apache-2.0
// Sections of configuration.yaml of which this hub reads a part, or in another way.
#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "base/config/config_node.h"
#include "base/json/json.h"
#include "import_ha/files/configuration_walk.h"
#include "import_ha/files/stored_http.h"
#include "yaml/text_lines.h"
#include "yaml/yaml_document.h"
#include "yaml/yaml_loader.h"

namespace hearth::import_ha {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPasteDashboard = "make a dashboard on the page, and paste the file into its raw editor";

// Its text, if it has no tag.
std::optional<std::string> plain_text(const YAML::Node& node) {
  if (!node.IsDefined() || !node.IsScalar() || (node.Tag().starts_with('!') && node.Tag().size() > 1)) return {};
  return node.Scalar();
}

bool is_false(std::string_view text) {
  return base::ConfigNode({}, std::string(text)).boolean().value_or(true) == false;
}

// 30 → 30d, 1.5 → 36h. Null for what is no number of days.
std::optional<std::string> kept_days(const std::string& text) {
  const auto days = base::ConfigNode({}, text).number(0, 100'000);
  if (!days) return {};
  const auto hours = static_cast<std::int64_t>(*days * 24 + 0.5);
  if (hours < 1) return "1h";
  return hours % 24 == 0 ? fmt::format("{}d", hours / 24) : fmt::format("{}h", hours);
}

}  // namespace

std::optional<std::string> ConfigurationWalk::text_of(const fs::path& from, const YAML::Node& node) const {
  if (auto text = plain_text(node)) return text;
  if (!node.IsDefined() || !node.IsScalar()) return {};
  const std::string given = node.Scalar();
  if (node.Tag() == "!env_var") {
    const std::size_t end = given.find(' ');
    if (const char* const value = std::getenv(given.substr(0, end).c_str())) return value;
    return end == std::string::npos ? std::nullopt : std::optional(given.substr(end + 1));
  }
  if (node.Tag() != "!secret") return {};
  for (fs::path folder = from.parent_path();; folder = folder.parent_path()) {
    const auto text = files_.read(folder / "secrets.yaml");
    if (text && *text) {
      const auto secrets =
          yaml::load_yaml(**text, "secrets.yaml", {.tolerates = [](std::string_view) { return true; }});
      const base::ConfigNode* const value = secrets ? secrets->root.find(given) : nullptr;
      if (value && value->is_text()) return value->text().value();
    }
    if (folder.empty()) return {};
  }
}

bool ConfigurationWalk::logger(File& in, const Spot& spot) {
  constexpr std::pair<std::string_view, std::string_view> kLevels[] = {
      {"notset", "debug"},    {"debug", "debug"}, {"info", "info"},      {"warn", "warning"},
      {"warning", "warning"}, {"error", "error"}, {"critical", "error"}, {"fatal", "error"}};
  if (!spot.node.IsMap() || yaml::is_flow(spot.node)) return false;
  const auto given = plain_text(spot.node["default"]);
  if (!given) return false;
  for (const auto& [theirs, ours] : kLevels) {
    if (*given != theirs) continue;
    in.edits.replace(spot.range, fmt::format("log:\n  level: {}  # logger: default: {}\n", ours, *given));
    return true;
  }
  return false;
}

void ConfigurationWalk::filters_left(File& in, const Spot& spot, const std::string& name) {
  if (!spot.node.IsMap() || yaml::is_flow(spot.node)) return;
  const std::string why = name == "logbook" ? "the logbook of Hearth shows all that is recorded"
                                            : "recorder: include and exclude say whose history is kept";
  for (const Spot& each : yaml::inside(in.text, spot)) {
    const std::string key = each.key.substr(spot.key.size() + 1);
    if (key != "include" && key != "exclude") continue;
    add_left({.what = "setting", .id = each.key, .why = Why::unknown_section, .instead = why}, in, each);
    left_behind_.add(fmt::format("{}, {} line {}", each.key, in.path.generic_string(), each.range.begin + 1),
                     fmt::format("Hearth has no such filter: {}.", why), in.edits.original(each.range));
  }
}

void ConfigurationWalk::frontend(File& in, const Spot& spot) {
  if (!spot.node.IsMap() || yaml::is_flow(spot.node)) return;
  for (const Spot& each : yaml::inside(in.text, spot)) {
    const auto word = plan_.known.key(each.key);
    add_left({.what = "setting", .id = each.key, .why = Why::unknown_section, .instead = word.meaning}, in, each);
  }
}

base::Result<void> ConfigurationWalk::dashboard(const std::string& id, const std::string& title, const fs::path& from,
                                                const std::string& name) {
  const auto file_named = files_.named(from, name);
  const bool is_there = file_named && files_.has(*file_named);
  report_.add(
      {.what = "dashboard",
       .id = id,
       .name = title,
       .fate = Fate::left,
       .why = Why::not_yet,
       .text = is_there ? "a dashboard of YAML; its file is copied" : "a dashboard of YAML, whose file is not there",
       .file = name,
       .instead = std::string(kPasteDashboard)});
  return is_there ? file(*file_named, {}) : base::Result<void>();
}

base::Result<void> ConfigurationWalk::lovelace(File& in, const Spot& spot) {
  const YAML::Node& node = spot.node;
  if (!node.IsMap()) {
    report_.count("sections", Fate::carried);
    drop(in, spot);
    return {};
  }
  const YAML::Node mode = node["mode"], dashboards = node["dashboards"], resources = node["resources"];
  const bool by_file = plain_text(mode) == "yaml";
  if (by_file) {
    if (auto done = dashboard("lovelace", "", "configuration.yaml", "ui-lovelace.yaml"); !done) return done;
  }
  if (dashboards.IsDefined() && dashboards.IsMap()) {
    for (const auto& each : dashboards) {
      const YAML::Node& of = each.second;
      const auto name = of.IsMap() ? plain_text(of["filename"]) : std::nullopt;
      // Paths of dashboards count from the folder of configuration.yaml.
      if (!name) continue;
      auto done = dashboard(each.first.Scalar(), plain_text(of["title"]).value_or(""), "configuration.yaml", *name);
      if (!done) return done;
    }
  }
  const bool has_content = by_file || dashboards.IsDefined() || resources.IsDefined();
  report_.count("sections", has_content ? Fate::left : Fate::carried);
  if (spot.key.empty()) return {};  // all of a file that is included
  if (has_content)
    left_behind_.add(fmt::format("{}, {} line {}", spot.key, in.path.generic_string(), spot.range.begin + 1),
                     fmt::format("Hearth reads no dashboards of YAML. Instead: {}.", kPasteDashboard),
                     in.edits.original(with_comments_above(in.text, spot.range, spot.column)));
  drop(in, spot);
  return {};
}

void ConfigurationWalk::cors_origins(File& in, const Spot& spot) {
  if (spot.in_brackets || yaml::is_flow(spot.node)) return;
  const std::string reason = "the default of Home Assistant";
  if (plain_text(spot.node) == kCastOrigin) return in.edits.comment_out(spot.range, spot.column, reason);
  if (!spot.node.IsSequence()) return;
  for (const Spot& each : yaml::inside(in.text, spot)) {
    if (plain_text(each.node) == kCastOrigin) in.edits.comment_out(each.range, each.column, reason);
  }
}

bool ConfigurationWalk::http_key(File& in, const Spot& spot, const std::string& name) {
  if (name == "cors_allowed_origins") {
    cors_origins(in, spot);
    return !spot.node.Tag().starts_with("!include");
  }
  if (name == "server_port" && plan_.side_by_side) {
    in.edits.comment_out(spot.range, spot.column, "Home Assistant goes on running at this port.");
    return true;
  }
  if (name == "ssl_certificate" || name == "ssl_key") {
    leave_tls(name, in.path.generic_string(), static_cast<int>(spot.range.begin) + 1, report_);
    in.edits.comment_out(spot.range, spot.column, "TLS is set up by http: tls:, or ends at a reverse proxy.");
    return true;
  }
  if (name == "ip_ban_enabled" || name == "login_attempts_threshold") {
    report_.add({.what = "setting",
                 .id = "http." + name,
                 .fate = Fate::left,
                 .why = Why::unknown_section,
                 .file = in.path.generic_string(),
                 .line = static_cast<int>(spot.range.begin) + 1,
                 .instead = "addresses that guess passwords are delayed, then banned",
                 .attention = "bans",
                 .todo = "Nothing, if Hearth's own limits suit you: docs/security.md."});
    in.edits.comment_out(spot.range, spot.column, "Addresses that guess passwords are delayed, then banned.");
    return true;
  }
  // Without the variable the hub would not start: the value is what the old hub had at its last start.
  if (spot.node.Tag() != "!env_var" || text_of(in.path, spot.node)) return false;
  auto stored = plan_.source.read_storage("http", report_);
  const json::object* const values = stored && *stored ? (*stored)->data.if_object() : nullptr;
  const json::value* const value = values ? values->if_contains(name) : nullptr;
  if (!value || value->is_null()) return false;
  in.edits.replace(spot.range, fmt::format("{}{}: {}  # {} {}\n", std::string(spot.column, ' '), name,
                                           base::to_json(*value), spot.node.Tag(), spot.node.Scalar()));
  return true;
}

bool ConfigurationWalk::recorder_key(File& in, const Spot& spot, const std::string& name) {
  const auto text = text_of(in.path, spot.node);
  if (name == "db_url") {
    database(in, spot, text.value_or(""));
    return true;
  }
  if (name == "auto_purge" && text && is_false(*text)) result_.keep = "forever";
  if (name == "purge_keep_days" && text && result_.keep != "forever") result_.keep = kept_days(*text);
  return false;
}

void ConfigurationWalk::database(File& in, const Spot& spot, const std::string& url) {
  constexpr std::string_view kSqlite = "sqlite:///";
  if (url.starts_with(kSqlite)) {
    // With four slashes the path is absolute.
    result_.database = url.substr(kSqlite.size(), url.find('?') - kSqlite.size());
    in.edits.comment_out(spot.range, spot.column, "History is in history.db.");
    report_.count("settings", Fate::carried);
    return;
  }
  const bool postgres = url.starts_with("postgres"), maria = url.starts_with("mysql") || url.starts_with("mariadb");
  result_.database_elsewhere = true;
  report_.add({.what = "setting",
               .id = "recorder.db_url",
               .fate = Fate::left,
               .why = Why::other_database,
               .text = fmt::format("history is in a database of {}, and stays there", postgres ? "PostgreSQL"
                                                                                      : maria  ? "MariaDB"
                                                                                               : "another kind"),
               .file = in.path.generic_string(),
               .line = static_cast<int>(spot.range.begin) + 1,
               .instead = "keep that database to look things up",
               .attention = "other_database",
               .todo = "Keep the database as long as you want to see the past."});
  in.edits.comment_out(spot.range, spot.column, "History is in history.db; that of before stays in this database.");
}

void ConfigurationWalk::auth_providers(File& in, const Spot& spot) {
  if (!spot.node.IsSequence()) return;
  for (const auto& each : spot.node) {
    const auto type = each.IsMap() ? plain_text(each["type"]) : std::nullopt;
    if (!type || *type == "homeassistant") continue;
    report_.add({.what = "auth_provider",
                 .id = *type,
                 .fate = Fate::left,
                 .why = Why::no_integration,
                 .file = in.path.generic_string(),
                 .line = each.Mark().line + 1,
                 .instead = "users log in with name and password",
                 .attention = "auth_provider",
                 .todo = "Give a password to each user who has logged in this way."});
  }
}

}  // namespace hearth::import_ha
