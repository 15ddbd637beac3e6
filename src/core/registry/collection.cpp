// SPDX-License-Identifier: Apache-2.0
#include "core/registry/collection.h"

#include "core/registry/discovery_items.h"

namespace hearth::core {

std::string_view scope_of(const Item& category) {
  return category.fields.at("scope").get_string();
}

Item label_of(const std::string& text) {
  return {.collection = std::string(kLabels), .id = text, .fields = {{"name", text}}};
}

std::string collection_of(std::string_view domain, std::string_view registry_id) {
  std::string name(domain);
  name += '.';
  name += registry_id;
  return name;
}

bool is_document(std::string_view collection) {
  return collection == kDashboardContents || collection == kDashboards || collection == kEnergy ||
         collection == kPageData;
}

std::string_view owner_of(std::string_view collection) {
  const std::size_t dot = collection.find('.');
  return dot == std::string_view::npos ? std::string_view() : collection.substr(dot + 1);
}

CollectionBounds bounds_of(std::string_view collection) {
  if (collection == kDashboardContents) return {kMaxDashboards, 2 * kMaxDashboardBytes + 1024, 16 * kMaxDashboardBytes};
  if (collection.starts_with(kDiscovery)) return {kMaxItems, 2 * kMaxDiscoveryBytes, 16 * kMaxDiscoveryBytes};
  if (collection == kFleetSites) return {10 * kMaxItems, 16 * kMaxItemBytes, 64 * kMaxCollectionBytes};
  if (collection == kAlertSnoozes) return {kMaxItems, 32 * kMaxItemBytes, 16 * kMaxCollectionBytes};
  return {kMaxItems, kMaxItemBytes, kMaxCollectionBytes};
}

}  // namespace hearth::core
