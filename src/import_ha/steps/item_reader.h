// SPDX-License-Identifier: Apache-2.0
// Reads the fields of one item of a .storage file: what is missing or null is empty, and what is not as it should be is
// empty, too, and noted. One thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/text/optional_text.h"
#include "core/registry/registry_entries.h"

namespace hearth::import_ha {

class ItemReader {
 public:
  explicit ItemReader(const json::object& item) : item_(item) {}

  // At most core::Registry::kMaxTextLength characters; an empty text is none.
  base::OptionalText text(std::string_view key);
  // The same, needed: `broken` names the first that is missing.
  std::string needed_text(std::string_view key);
  bool truth(std::string_view key, bool otherwise = false);
  std::optional<int> integer(std::string_view key);
  // A list of texts; nulls are dropped.
  core::Texts texts(std::string_view key);
  json::object object(std::string_view key);
  const json::array* array(std::string_view key);  // null if it is missing
  // A time as text; 0 if it is missing or of 1970, which the old hub writes for "unknown".
  base::Timestamp time(std::string_view key);
  // `user` is the user, any other text the integration.
  std::optional<core::ChangedBy> changed_by(std::string_view key);
  // As the old hub writes it today: a number or a list, too.
  std::string unique_id(std::string_view key);

  bool broken() const { return !missing_.empty(); }
  // A sentence about the first that is missing, and those that were left out; empty if there is none.
  std::string complaint() const;

 private:
  const json::value* find(std::string_view key) const;
  void complain(std::string_view key, std::string_view expected);
  base::OptionalText limited(std::string_view key, const json::value& value);

  const json::object& item_;
  std::string missing_;
  std::vector<std::string> wrong_;
};

// The items of a list in a file's data, each an object; others are counted as broken things of that kind.
class Report;
std::vector<const json::object*> items_of(const json::value& data, std::string_view key, std::string_view what,
                                          const std::string& file, Report& report);

}  // namespace hearth::import_ha
