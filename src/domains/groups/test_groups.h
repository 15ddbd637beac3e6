// SPDX-License-Identifier: Apache-2.0
// For tests: groups from a file, given by their fields, in a home whose members are states or devices.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/registry/collection_type.h"
#include "domains/entities/kinds.h"
#include "domains/entities/test_device.h"
#include "domains/helpers/file_helpers.h"
#include "domains/test_home.h"

namespace hearth::domains {

struct TestGroups : testing::Test {
  core::Context context() const { return core::Context::create(home.clock.now()); }
  // A state that a client writes.
  void set(const std::string& id, std::string_view value, std::string_view attributes = "{}") {
    home.hub.states.set(*core::EntityId::parse(id), {value, attributes, context()}).value();
    home.hub.bus.run_pending();
  }
  // A group with these fields as JSON; without a type, an old one. Its name is its object id.
  void apply(const std::string& id, std::string_view fields) {
    json::object given = base::parse_json(fields).value().as_object();
    given["name"] = id;
    const json::value* const type = given.if_contains("group_type");
    const std::string key = type ? std::string(type->get_string()) + "." + id : id;
    std::erase_if(items, [&](const HelperItem& item) { return item.id == key; });
    items.push_back({.collection = "group",
                     .id = key,
                     .place = "f.yaml:1",
                     .fields = core::find_collection_type("group")->fields_of(given).value(),
                     .error = {}});
    EXPECT_TRUE(helpers.apply(items, true).empty());
    home.hub.bus.run_pending();
  }
  // The state of a group of these members.
  std::string of(const std::string& type, const std::vector<std::pair<std::string, std::string>>& members,
                 const std::string& more = "") {
    json::array ids;
    for (const auto& [id, value] : members) {
      if (!value.empty()) set(id, value);
      ids.emplace_back(id);
    }
    apply("it", R"({"group_type": ")" + type + R"(", "entities": )" + base::to_json(ids) + more + "}");
    return home.value(type + ".it");
  }
  std::string attribute(std::string_view id, std::string_view key) const { return home.attribute(id, key); }

  // A device that obeys and notes what it is told.
  TestDevice& add(std::string_view domain, const std::string& name, core::Words features = {}) {
    TestDevice& device = *devices.emplace_back(std::make_unique<TestDevice>());
    device.thing = &home.add(
        std::make_unique<Thing>(*find_kind(domain), test_entity(name), Abilities{.features = features}, &device));
    return device;
  }

  std::vector<std::unique_ptr<TestDevice>> devices;
  TestHome home;
  FileHelpers helpers{home.hub, home.domains.entities()};
  std::vector<HelperItem> items;
};

}  // namespace hearth::domains
