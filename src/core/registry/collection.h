// SPDX-License-Identifier: Apache-2.0
// Items that people make: the entries of a to-do list, the events of a calendar, zones, labels. Each belongs to a
// collection, which has an order of its own. The registry publishes and stores them like areas and entities.
//
// Immutable values; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/result.h"

namespace hearth::core {

struct Item {
  std::string collection;  // zone; of one entity: todo.<the entity's registry id>
  std::string id;          // within the collection
  json::object fields;     // as the collection's owner understands them
  int position = 0;        // within the collection
  int revision = 1;        // increases by one with each change of the fields
  std::size_t bytes = 0;   // of the fields as JSON
  base::Timestamp created_at = {}, modified_at = {};

  bool operator==(const Item&) const = default;
};

// Bounds of each collection. Any number of bytes is counted as JSON.
constexpr std::size_t kMaxItems = 1'000, kMaxItemBytes = 16 * 1024, kMaxCollectionBytes = 1024 * 1024;

// Labels, whose ids areas, devices and entities carry, and categories, of which an entity has one in each scope.
constexpr std::string_view kLabels = "label", kCategories = "category";
// The category's scope, such as `automation`.
std::string_view scope_of(const Item& category);
// A label that is no more than its text.
Item label_of(const std::string& text);

// The content of dashboards that people make: an item is a dashboard's whole content, as text. Its bounds are others,
// because it is one document: kMaxDashboardBytes of text, which escaping at most doubles.
constexpr std::string_view kDashboardContents = "lovelace";
constexpr std::size_t kMaxDashboards = 100, kMaxDashboardBytes = 1024 * 1024;

// Other things that people keep on the pages: the list of dashboards, the meters of the home, its favourites and the
// like, and the scripts and styles that pages load.
constexpr std::string_view kDashboards = "lovelace_dashboard", kEnergy = "energy", kPageData = "frontend_system_data";
constexpr std::string_view kPageResources = "lovelace_resource";
// True for collections of texts that may name anything: whoever shows one checks what it names (View::names_hidden).
bool is_document(std::string_view collection);

// The alerts that each user has snoozed (core/alerts/snoozes.h).
constexpr std::string_view kAlertSnoozes = "alert_snooze";

// The sites of a portal's fleet: what the portal has made for each.
constexpr std::string_view kFleetSites = "fleet_site";

struct CollectionBounds {
  std::size_t items, item_bytes, bytes;
};
CollectionBounds bounds_of(std::string_view collection);

// The collection of one entity's items.
std::string collection_of(std::string_view domain, std::string_view registry_id);
// The registry id of the entity that the collection belongs to; empty if it belongs to none.
std::string_view owner_of(std::string_view collection);

}  // namespace hearth::core
