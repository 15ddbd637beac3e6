// SPDX-License-Identifier: Apache-2.0
// Finds former versions of one automation, script or scene in the former texts of a home's files, and items that were
// deleted. One thread at a time.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "yaml/item_place.h"

namespace hearth::app {

class ItemRevisions {
 public:
  struct Item {
    std::string domain, id;  // automation, script or scene
  };
  static constexpr std::size_t kMostBytes = 4 << 20;  // of the texts in one answer; older ones are left out

  explicit ItemRevisions(std::filesystem::path home) : home_(std::move(home)) {}

  static yaml::ItemForm form_of(const std::string& domain);
  static std::string default_file(const std::string& domain);
  // The revision that is kept beside the former text of the file, where the item stands at that key.
  static json::object note(const Item& item, const std::string& by, const std::string& key);

  // A file, and where in it items stand.
  struct Source {
    std::string file;  // relative to the home
    std::vector<yaml::ItemPlace> places;
  };
  // As api::AutomationFiles has them. `now`: where the item stands; null if nowhere.
  json::object list(const Item& item, const std::optional<Source>& now) const;
  json::array deleted(const std::string& domain, const std::set<std::string>& there) const;

  struct Former {
    std::string file;
    yaml::ItemPlace place;
    std::string lines;  // as yaml::item_lines has them
  };
  // Fails with not_found.
  base::Result<Former> find(const Item& item, const std::string& revision) const;

 private:
  // One change of a file: the text before it and after it.
  struct Step {
    std::filesystem::path kept;
    std::string revision, before, after;
  };

  // The files that have, or may have had, items of the domain.
  std::vector<Source> sources_of(const std::string& domain) const;
  // Calls use(step) for each change of the file, newest first, until it returns false.
  template <class Use>
  void for_each_step(const std::string& file, Use&& use) const;

  const std::filesystem::path home_;
};

}  // namespace hearth::app
