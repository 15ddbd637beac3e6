// SPDX-License-Identifier: Apache-2.0
#include "import_ha/files/stored_http.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/json/json.h"

namespace hearth::import_ha {
namespace {

constexpr std::int64_t kDefaultPort = 8123;

// The texts of a list, or the single one.
json::array texts_in(const json::object& values, std::string_view key) {
  const json::value* const value = values.if_contains(key);
  if (!value) return {};
  if (value->is_string()) return {*value};
  json::array texts;
  if (const json::array* const list = value->if_array())
    std::ranges::copy_if(*list, std::back_inserter(texts), [](const json::value& each) { return each.is_string(); });
  return texts;
}

}  // namespace

base::Result<std::string> stored_http(const Source& source, bool side_by_side, Report& report) {
  const auto file = source.read_storage("http", report);
  if (!file) return std::unexpected(file.error());
  const json::object* const values = *file ? (*file)->data.if_object() : nullptr;
  if (!values) return "";
  std::string lines;
  const auto put = [&](std::string_view key, const json::value& value) {
    lines += fmt::format("  {}: {}\n", key, base::to_json(value));
  };
  json::array hosts = texts_in(*values, "server_host");
  const bool all = std::ranges::any_of(
      hosts, [](const json::value& each) { return each.get_string() == "0.0.0.0" || each.get_string() == "::"; });
  if (!hosts.empty() && !all) put("server_host", hosts);
  const json::value* const port = values->if_contains("server_port");
  if (port && port->is_int64() && port->get_int64() != kDefaultPort && !side_by_side) put("server_port", *port);
  json::array origins;
  for (const json::value& each : texts_in(*values, "cors_allowed_origins")) {
    if (each.get_string() != kCastOrigin) origins.push_back(each);
  }
  if (!origins.empty()) put("cors_allowed_origins", origins);
  const json::value* const forwarded = values->if_contains("use_x_forwarded_for");
  const json::array proxies = texts_in(*values, "trusted_proxies");
  if (forwarded && forwarded->is_bool() && forwarded->get_bool() && !proxies.empty()) {
    put("use_x_forwarded_for", true);
    put("trusted_proxies", proxies);
  }
  for (const char* const key : {"ssl_certificate", "ssl_key"}) {
    const json::value* const tls = values->if_contains(key);
    if (tls && tls->is_string()) leave_tls(key, ".storage/http", 0, report);
  }
  return lines.empty() ? "" : "\nhttp:\n" + lines;
}

void leave_tls(const std::string& key, std::string file, int line, Report& report) {
  report.add({.what = "setting",
              .id = "http." + key,
              .fate = Fate::left,
              .why = Why::secret,
              .file = std::move(file),
              .line = line,
              .instead = "TLS ends at a reverse proxy, or http: tls: names certificate and key",
              .attention = "tls",
              .todo = "Set up TLS anew: docs/reverse-proxy.md, or http: tls: in docs/configuration.md."});
}

}  // namespace hearth::import_ha
