// SPDX-License-Identifier: Apache-2.0
#include "archive/batch_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/json/json_members.h"
#include "base/text/utf8.h"

namespace hearth::archive {
namespace {

// Each text of a batch is there once: most entries share them.
class TextCheck {
 public:
  bool is_object(std::string_view text) {
    if (objects_.contains(text.data())) return true;
    const auto parsed = base::JsonMembers::parse(text);
    if (!parsed || parsed->kind() != json::kind::object) return false;
    objects_.insert(text.data());
    return true;
  }
  static bool is_text(std::string_view text) {
    const auto ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    return std::ranges::all_of(text, ascii) || base::utf8_length(text);
  }

 private:
  std::unordered_set<const char*> objects_;
};

std::unexpected<base::Error> wrong(const recorder::TailEntry& entry, std::string_view what) {
  return base::fail(base::ErrorCode::invalid, fmt::format("Entry {} of the batch has {}.", entry.change.number, what));
}

}  // namespace

base::Result<void> check_texts(const fleet::Batch& batch) {
  TextCheck check;
  for (const recorder::TailEntry& entry : batch.entries) {
    const recorder::Change& change = entry.change;
    for (const auto text : {change.value, change.context_id, change.parent_id, change.user_id, entry.type}) {
      if (!TextCheck::is_text(text)) return wrong(entry, "a text that is no UTF-8");
    }
    if (entry.is_event() ? !check.is_object(entry.data) : !change.removed && !check.is_object(change.attributes))
      return wrong(entry, entry.is_event() ? "data that are no JSON object" : "attributes that are no JSON object");
  }
  return {};
}

}  // namespace hearth::archive
