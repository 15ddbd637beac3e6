// SPDX-License-Identifier: Apache-2.0
// The list of things to do after an import: its report asks them of a person, and those done by now are left out. Pure.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "core/registry/registry_data.h"

namespace hearth::app {

struct PresentHome {
  struct User {
    bool has_password = false, is_active = false, has_rights = false;
  };
  std::map<std::string, User, std::less<>> users = {};  // by id
  std::set<std::string, std::less<>> settings = {};     // keys that are set: "home.latitude", "mqtt.password"
  bool has_tls = false;                                 // or a proxy that has it
  const core::RegistryData& registry;
  // The automations of a report of import_ha about the home as it is, with their errors, and its settings.
  json::object report = {};
  std::function<bool(std::string_view name)> is_there = {};  // a service or an entity
  std::function<bool(std::string_view file)> has_file = {};  // relative to the home's folder
  std::function<bool(const std::string& name)> has_environment = {};
};

// Of each {id, text, do, attention, what, name}, gravest first. `report`: of the import; `done`: ids that somebody has
// marked.
json::array to_do(const json::object& report, const std::set<std::string, std::less<>>& done, const PresentHome& home);

}  // namespace hearth::app
