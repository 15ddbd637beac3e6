// SPDX-License-Identifier: Apache-2.0
#include "core/state.h"

#include <cstring>
#include <new>
#include <type_traits>

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
  State state;
  state.times_ = times;
  const auto length = [](std::string_view text) { return static_cast<std::uint32_t>(text.size()); };
  // Written in a buffer that each thread keeps, then copied once at its exact size.
  thread_local std::string out;
  out.assign(R"({"entity_id":")");
  out += id.str();
  state.id_length_ = length(id.str());
  out += R"(","state":)";
  state.value_start_ = length(out) + 1;
  state.value_length_ = length(value);
  base::write_json_string(out, value);
  const bool escaped = length(out) != state.value_start_ + length(value) + 1;
  out += R"(,"attributes":)";
  state.attributes_start_ = length(out);
  state.attributes_length_ = length(attributes_json);
  out += attributes_json;
  out += R"(,"last_changed":")";
  append_timestamp(out, times.last_changed);
  out += R"(","last_updated":")";
  append_timestamp(out, times.last_updated);
  out += '"';
  state.list_length_ = length(out);
  out += R"(,"context":)";
  write_json(out, context);
  out += '}';
  state.json_length_ = length(out);
  if (escaped) {
    state.value_start_ = length(out);
    out += value;
  }

  auto placed = place(state, out);
  if (out.capacity() > 64 * 1024) std::string().swap(out);
  return placed;
}

StatePtr State::place(const State& state, std::string_view text) {
  static_assert(std::is_trivially_destructible_v<State>);
  using Unit = std::uint64_t;
  static_assert(alignof(State) <= alignof(Unit));
  const std::size_t units = (sizeof(State) + text.size() + sizeof(Unit) - 1) / sizeof(Unit);
  const auto memory = std::make_shared_for_overwrite<Unit[]>(units);
  auto* const placed = new (memory.get()) State(state);
  std::memcpy(static_cast<void*>(placed + 1), text.data(), text.size());
  return StatePtr(memory, placed);
}

json::object State::attributes() const {
  return base::parse_json(attributes_json()).value().as_object();
}

Context State::context() const {
  constexpr std::string_view key = R"(,"context":)";
  std::string_view text = json().substr(list_length_ + key.size());
  text.remove_suffix(1);
  const json::value parsed = base::parse_json(text).value();
  const json::object& object = parsed.get_object();
  const auto optional = [&](std::string_view name) -> std::optional<std::string> {
    const json::value& value = object.at(name);
    if (value.is_null()) return {};
    return std::string(value.get_string());
  };
  return {std::string(object.at("id").get_string()), optional("parent_id"), optional("user_id")};
}

}  // namespace hearth::core
