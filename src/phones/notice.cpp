// SPDX-License-Identifier: Apache-2.0
#include "phones/notice.h"

#include <fmt/format.h>

#include "base/json/json_fields.h"

namespace hearth::phones {

using base::ErrorCode;

std::string Notice::tag() const {
  return base::text_at(data, "tag", kMaxTitle);
}

base::Result<Notice> read_notice(const json::object& fields) {
  Notice notice{.title = base::text_at(fields, "title"), .message = base::text_at(fields, "message")};
  if (notice.message.size() > Notice::kMaxText)
    return base::fail(ErrorCode::invalid, fmt::format("message: expected at most {} bytes", Notice::kMaxText));
  if (notice.title.size() > Notice::kMaxTitle)
    return base::fail(ErrorCode::invalid, fmt::format("title: expected at most {} bytes", Notice::kMaxTitle));
  if (const json::value& data = base::value_at(fields, "data"); data.is_object()) {
    if (base::to_json(data).size() > Notice::kMaxData)
      return base::fail(ErrorCode::invalid, fmt::format("data: expected at most {} bytes", Notice::kMaxData));
    notice.data = data.get_object();
  }
  const json::value& actions = base::value_at(notice.data, "actions");
  if (actions.is_null()) return notice;
  const bool is_list = actions.is_array() && actions.get_array().size() <= Notice::kMaxActions;
  if (!is_list || !std::ranges::all_of(actions.get_array(), [](const json::value& each) {
        return each.is_object() && base::value_at(each.get_object(), "action").is_string();
      }))
    return base::fail(
        ErrorCode::invalid,
        fmt::format("data: expected as actions at most {} objects with action and title", Notice::kMaxActions));
  return notice;
}

}  // namespace hearth::phones
