// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/notify/json_template.h"

#include <fmt/format.h>

#include "base/text/utf8.h"

namespace hearth::building_blocks {

base::Result<JsonTemplate> JsonTemplate::parse(json::value written) {
  JsonTemplate made;
  made.written_ = std::move(written);
  if (auto collected = collect(made.written_, made); !collected) return std::unexpected(collected.error());
  return made;
}

base::Result<void> JsonTemplate::collect(const json::value& part, JsonTemplate& made) {
  if (const auto* const list = part.if_array()) {
    for (const json::value& item : *list)
      if (auto done = collect(item, made); !done) return done;
  } else if (const auto* const object = part.if_object()) {
    for (const auto& [key, value] : *object)
      if (auto done = collect(value, made); !done) return done;
  } else if (const auto* const text = part.if_string()) {
    auto code = TextTemplate::parse(std::string(*text));
    if (!code) {
      return base::fail(base::ErrorCode::invalid,
                        fmt::format("{}, in {}", code.error().message, base::utf8_excerpt(std::string_view(*text))));
    }
    if (code->is_template()) made.templates_.emplace(*text, std::move(*code));
  }
  return {};
}

base::Result<json::value> JsonTemplate::render(const automation::Renderer& renderer,
                                               const templates::VariablesView& given) const {
  return render(written_, renderer, given);
}

base::Result<json::value> JsonTemplate::render(const json::value& part, const automation::Renderer& renderer,
                                               const templates::VariablesView& given) const {
  if (const auto* const list = part.if_array()) {
    json::array made;
    for (const json::value& item : *list) {
      auto value = render(item, renderer, given);
      if (!value) return value;
      made.push_back(std::move(*value));
    }
    return made;
  }
  if (const auto* const object = part.if_object()) {
    json::object made;
    for (const auto& [key, item] : *object) {
      auto value = render(item, renderer, given);
      if (!value) return value;
      made[key] = std::move(*value);
    }
    return made;
  }
  const auto* const text = part.if_string();
  const auto code = text ? templates_.find(std::string_view(*text)) : templates_.end();
  if (code == templates_.end()) return part;
  auto rendered = code->second.render(renderer, given);
  if (!rendered) return std::unexpected(rendered.error());
  return json::value(json::string(*rendered));
}

}  // namespace hearth::building_blocks
