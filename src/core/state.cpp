// SPDX-License-Identifier: Apache-2.0
#include "core/state.h"

#include "base/timestamp.h"

namespace hearth::core {
namespace {

void append_timestamp(std::string& out, base::Timestamp time) {
  const auto text = base::format_timestamp(time);
  out.append(text.data(), text.size());
}

}  // namespace

StatePtr State::create(const EntityId& id, std::string_view value, std::string_view attributes_json, Times times,
                       const Context& context) {
  return std::make_shared<const State>(Private{}, id, value, attributes_json, times, context);
}

State::State(Private, const EntityId& id, std::string_view value, std::string_view attributes_json, Times times,
             const Context& context)
    : value_(value),
      times_(times),
      id_length_(static_cast<std::uint32_t>(id.str().size())),
      attributes_length_(static_cast<std::uint32_t>(attributes_json.size())) {
  // Written in a buffer that each thread keeps, then copied once at its exact size.
  thread_local std::string out;
  out.assign(R"({"entity_id":")");
  out += id.str();
  out += R"(","state":)";
  base::write_json_string(out, value);
  out += R"(,"attributes":)";
  attributes_start_ = static_cast<std::uint32_t>(out.size());
  out += attributes_json;
  out += R"(,"last_changed":")";
  append_timestamp(out, times.last_changed);
  out += R"(","last_updated":")";
  append_timestamp(out, times.last_updated);
  out += '"';
  list_length_ = static_cast<std::uint32_t>(out.size());
  out += R"(,"context":)";
  write_json(out, context);
  out += '}';
  json_ = out;
  if (out.capacity() > 64 * 1024) std::string().swap(out);
}

json::object State::attributes() const { return base::parse_json(attributes_json()).value().as_object(); }

Context State::context() const {
  constexpr std::string_view key = R"(,"context":)";
  const std::string_view text = std::string_view(json_).substr(list_length_ + key.size());
  const json::value parsed = base::parse_json(text.substr(0, text.size() - 1)).value();
  const json::object& object = parsed.get_object();
  const auto optional = [&](std::string_view name) -> std::optional<std::string> {
    const json::value& value = object.at(name);
    if (value.is_null()) return {};
    return std::string(value.get_string());
  };
  return {std::string(object.at("id").get_string()), optional("parent_id"), optional("user_id")};
}

}  // namespace hearth::core
