// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "base/json/json_fields.h"
#include "core/states/state.h"
#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"

namespace hearth::domains {
namespace update {

constexpr Feature kFeatures[] = {
    {"install", 1, "be installed from here"},
    {"specific_version", 2, "install a version of one's choice"},
    {"progress", 4},
    {"backup", 8, "back up before it installs"},
    {"release_notes", 16},
};
constexpr Attribute kAttributes[] = {
    {.name = "auto_update", .type = field::Boolean{}},
    {.name = "installed_version", .type = field::Text{}, .restored = true},
    {.name = "in_progress", .type = field::Boolean{}},
    {.name = "latest_version", .type = field::Text{}, .restored = true},
    {.name = "release_summary", .type = field::Text{}},
    {.name = "release_url", .type = field::Text{}},
    {.name = "skipped_version", .type = field::Text{}, .restored = true},
    {.name = "title", .type = field::Text{}},
    {.name = "update_percentage", .type = field::Number{0, 100}},
    {"entity_picture", field::Text{}, Shown::if_reported},
};
constexpr Input kInstall[] = {
    {.field = {"version", "The version; the latest if nothing is said.", "2.1.0", field::Text{}},
     .needs = "specific_version",
     .essential = true},
    {.field = {"backup", "Whether to back up first.", true, field::Boolean{}}, .needs = "backup", .essential = true},
};
constexpr Action kActions[] = {
    {"install", "Install", "Installs updates.", kInstall, "install"},
    {.service = "skip", .name = "Skip", .description = "Skips what is offered until there is more.", .by_hub = true},
    {.service = "clear_skipped",
     .name = "Clear skipped",
     .description = "Offers again what was skipped.",
     .by_hub = true},
};

// True if `a` is certainly not newer than `b`: both are dotted numbers, and `a` is the lesser.
bool is_older(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    unsigned of_a = 0, of_b = 0;
    const auto [end_a, status_a] = std::from_chars(a.data(), a.data() + a.size(), of_a);
    const auto [end_b, status_b] = std::from_chars(b.data(), b.data() + b.size(), of_b);
    if (status_a != std::errc() || status_b != std::errc()) return false;
    if (of_a != of_b) return of_a < of_b;
    a.remove_prefix(static_cast<std::size_t>(end_a - a.data()));
    b.remove_prefix(static_cast<std::size_t>(end_b - b.data()));
    if ((!a.empty() && a.front() != '.') || (!b.empty() && b.front() != '.')) return false;
    if (!a.empty()) a.remove_prefix(1);
    if (!b.empty()) b.remove_prefix(1);
  }
  return a.empty() && !b.empty();
}

std::string_view value_of(const json::object& attributes) {
  const auto installed = base::text_view_at(attributes, "installed_version"),
             latest = base::text_view_at(attributes, "latest_version");
  if (installed.empty() || latest.empty()) return core::kUnknown;
  if (installed == latest || latest == base::text_view_at(attributes, "skipped_version")) return "off";
  return is_older(latest, installed) ? "off" : "on";
}

base::Result<void> check(const Thing& update, Order& order) {
  const std::string_view service = order.action->service;
  if (service == "clear_skipped") order.data["skipped_version"] = nullptr;
  if (service == "skip") {
    if (update.reported() != "on") return cannot(update, "skip an update: there is none");
    order.data["skipped_version"] = update.attribute("latest_version");
  }
  if (service == "install") {
    if (update.attribute("in_progress") == json::value(true)) return cannot(update, "install twice at once");
    const bool any = order.data.contains("version") || update.reported() == "on" ||
                     (update.attribute("skipped_version").is_string() &&
                      update.attribute("skipped_version") == update.attribute("latest_version"));
    if (!any) return cannot(update, "install an update: there is none");
  }
  return {};
}

}  // namespace update

constexpr Kind kUpdate{.domain = "update",
                       .description = "Whether there is a newer version of a device's or a program's software.",
                       .value = field::Option{"on off"},
                       .features = update::kFeatures,
                       .attributes = update::kAttributes,
                       .actions = update::kActions,
                       .check = update::check,
                       .value_of = update::value_of};

}  // namespace hearth::domains
