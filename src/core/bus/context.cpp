// SPDX-License-Identifier: Apache-2.0
#include "core/bus/context.h"

#include <array>

namespace hearth::core {
namespace {

constexpr std::string_view kContextId = R"({"id":")";
constexpr std::string_view kParent = R"(","parent_id":)";
constexpr std::string_view kUser = R"(,"user_id":)";
constexpr std::string_view kNull = "null";
constexpr std::size_t kLongest = kContextId.size() + kParent.size() + kUser.size() + 3 * (base::Id::kMaxLength + 2);

char* put(char* to, std::string_view text) {
  return to + text.copy(to, text.size());
}

char* put(char* to, const std::optional<base::Id>& id) {
  if (!id) return put(to, kNull);
  *to++ = '"';
  to = id->copy(to);
  *to++ = '"';
  return to;
}

}  // namespace

void write_json(std::string& out, const Context& context) {
  std::array<char, kLongest> text;
  char* end = put(text.data(), kContextId);
  end = context.id.copy(end);
  end = put(end, kParent);
  end = put(end, context.parent_id);
  end = put(end, kUser);
  end = put(end, context.user_id);
  *end++ = '}';
  out.append(text.data(), end);
}

}  // namespace hearth::core
