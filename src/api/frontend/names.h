// SPDX-License-Identifier: Apache-2.0
// Names of domains, states, attributes and services, in each language of the hub's own pages, and icons, as pages made
// for this family of APIs ask for them. Made from the domains' tables and from assets/names.json, which the build of
// the pages writes: a name is written in one place.
//
// Any thread. All texts are made when the first is asked for: a hub that no page looks at needs none, and starts
// without them. An answer only copies.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "http/messages/static_file.h"

namespace hearth::api {

class Names {
 public:
  // Without that file among them, as in tests, there are no names. `files` stay as they are.
  explicit Names(std::span<const http::StaticFile> files) : files_(files) {}

  // Domains, or all if it is null.
  using Wanted = const std::set<std::string, std::less<>>*;
  // {"component.light.entity_component._.state.on":"On",…}: texts of a category in the best language there is for the
  // tag. Categories that nothing is known of are empty.
  std::string texts(std::string_view language, std::string_view category, Wanted wanted) const;
  // {"light":{"_":{"default":"mdi:lightbulb-outline","state":{"on":"mdi:lightbulb"}}},…} for the category
  // entity_component; others are empty.
  std::string icons(std::string_view category, Wanted wanted) const;
  // The name that people use for the domain; otherwise its own name with spaces.
  std::string domain_name(std::string_view language, std::string_view domain) const;

 private:
  using Rows = std::map<std::string, std::string, std::less<>>;  // by domain: members of an object
  using Categories = std::map<std::string, Rows, std::less<>>;   // by category
  struct Language;
  struct Made {
    std::map<std::string, Categories, std::less<>> texts;                           // by language
    std::map<std::string, std::map<std::string, std::string>, std::less<>> titles;  // by language, by domain
    Rows icons;                                                                     // of entity_component

    const std::string& best(std::string_view language) const;
  };

  static Categories categories(const Language& language);
  static Made make(std::span<const http::StaticFile> files);
  const Made& made() const;

  const std::span<const http::StaticFile> files_;
  mutable std::once_flag once_;
  mutable Made made_;  // written once
};

}  // namespace hearth::api
