// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/polled/json_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace hearth::building_blocks {
namespace {

class PathReader {
 public:
  explicit PathReader(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  bool take(char wanted) {
    if (!is_at(wanted)) return false;
    ++at_;
    return true;
  }
  bool is_at(char wanted) const { return !at_end() && text_[at_] == wanted; }
  // A name after a dot; empty if there is none.
  std::string name() {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(".[]*'\"?() ", at_), text_.size());
    return std::string(text_.substr(begin, at_ - begin));
  }
  std::optional<std::string> quoted() {
    for (const char quote : {'\'', '"'}) {
      if (!take(quote)) continue;
      const std::size_t end = text_.find(quote, at_);
      if (end == std::string_view::npos) return {};
      std::string name(text_.substr(at_, end - at_));
      at_ = end + 1;
      return name;
    }
    return {};
  }
  std::optional<std::int64_t> index() {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (error != std::errc()) return {};
    at_ = static_cast<std::size_t>(end - text_.data());
    return number;
  }
  std::unexpected<base::Error> wrong(std::string_view expected) const {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("expected {} at byte {} of the path, such as $.a.b[0]", expected, at_));
  }

 private:
  const std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

base::Result<JsonPath> JsonPath::parse(std::string_view text) {
  JsonPath path;
  PathReader in(text);
  const bool rooted = in.take('$');
  bool name_follows = !rooted;  // `a.b` is `$.a.b`
  while (!in.at_end()) {
    if (path.steps_.size() == kMaxSteps)
      return base::fail(base::ErrorCode::invalid, fmt::format("the path has more than {} steps", kMaxSteps));
    if (in.take('[')) {
      if (auto name = in.quoted())
        path.steps_.emplace_back(std::move(*name));
      else if (const auto index = in.index())
        path.steps_.emplace_back(*index);
      else
        return in.wrong("a number or a name in quotes");
      if (!in.take(']')) return in.wrong("]");
    } else if (in.take('.') || name_follows) {
      std::string name = in.name();
      if (name.empty() && !in.is_at('[')) return in.wrong("a name");  // `$.[0]` is `$[0]`
      if (!name.empty()) path.steps_.emplace_back(std::move(name));
    } else {
      return in.wrong(". or [");
    }
    name_follows = false;
  }
  if (!rooted && path.steps_.empty()) return in.wrong("$");
  return path;
}

const json::value* JsonPath::find(const json::value& value) const {
  const json::value* at = &value;
  for (const Step& step : steps_) {
    if (const auto* const name = std::get_if<std::string>(&step)) {
      const json::object* const object = at->if_object();
      at = object ? object->if_contains(*name) : nullptr;
    } else {
      const json::array* const list = at->if_array();
      const std::int64_t size = list ? static_cast<std::int64_t>(list->size()) : 0;
      const std::int64_t index = std::get<std::int64_t>(step) + (std::get<std::int64_t>(step) < 0 ? size : 0);
      at = index >= 0 && index < size ? &(*list)[static_cast<std::size_t>(index)] : nullptr;
    }
    if (!at) return nullptr;
  }
  return at;
}

}  // namespace hearth::building_blocks
