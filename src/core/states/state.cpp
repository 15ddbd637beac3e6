// SPDX-License-Identifier: Apache-2.0
#include "core/states/state.h"

#include <cstring>
#include <new>
#include <type_traits>

#include "base/text/timestamp.h"

namespace hearth::core {
namespace {

// Writes into memory that has room for everything.
class Cursor {
 public:
  explicit Cursor(char* start) : start_(start), at_(start) {}
  Cursor& operator<<(std::string_view text) {
    at_ += text.copy(at_, text.size());
    return *this;
  }
  Cursor& operator<<(base::Timestamp time) {
    const auto text = base::format_timestamp(time);
    return *this << std::string_view(text.data(), text.size());
  }
  std::uint32_t length() const { return static_cast<std::uint32_t>(at_ - start_); }

 private:
  char* const start_;
  char* at_;
};

constexpr std::string_view kId = R"({"entity_id":")";
constexpr std::string_view kValue = R"(","state":)";
constexpr std::string_view kAttributes = R"(,"attributes":)";
constexpr std::string_view kChanged = R"(,"last_changed":")";
constexpr std::string_view kUpdated = R"(","last_updated":")";
constexpr std::string_view kListEnd = R"(")";
constexpr std::string_view kContext = R"(,"context":)";
constexpr std::string_view kEnd = "}";

}  // namespace

StatePtr State::create(const EntityId& id, std::string_view value, std::string_view attributes_json, Times times,
                       const Context& context) {
  static_assert(kIdStart == kId.size());
  static_assert(std::is_trivially_destructible_v<State>);
  using Unit = std::uint64_t;
  static_assert(alignof(State) <= alignof(Unit));

  // Strings that may need escaping are written into a thread-local buffer first, so that all sizes are known.
  thread_local std::string escaped;
  escaped.clear();
  base::write_json_string(escaped, value);
  const std::size_t value_size = escaped.size();
  write_json(escaped, context);
  const auto value_json = std::string_view(escaped).substr(0, value_size);
  const auto context_json = std::string_view(escaped).substr(value_size);
  const bool plain = value_size == value.size() + 2;

  const std::size_t text_size = kId.size() + id.str().size() + kValue.size() + value_size + kAttributes.size() +
                                attributes_json.size() + kChanged.size() + kUpdated.size() + kListEnd.size() +
                                2 * base::kTimestampLength + kContext.size() + context_json.size() + kEnd.size() +
                                (plain ? 0 : value.size());
  const std::size_t units = (sizeof(State) + text_size + sizeof(Unit) - 1) / sizeof(Unit);
  auto memory = std::make_shared_for_overwrite<Unit[]>(units);
  auto* const state = new (memory.get()) State;
  Cursor out(reinterpret_cast<char*>(state + 1));
  const auto length = [](std::string_view text) { return static_cast<std::uint32_t>(text.size()); };

  state->times_ = times;
  out << kId << id.str() << kValue;
  state->id_length_ = length(id.str());
  state->value_start_ = out.length() + 1;
  state->value_length_ = length(value);
  out << value_json << kAttributes;
  state->attributes_start_ = out.length();
  state->attributes_length_ = length(attributes_json);
  out << attributes_json << kChanged << times.last_changed << kUpdated << times.last_updated << kListEnd;
  state->list_length_ = out.length();
  out << kContext << context_json << kEnd;
  state->json_length_ = out.length();
  if (!plain) {
    state->value_start_ = out.length();
    out << value;
  }
  if (escaped.capacity() > 64 * 1024) std::string().swap(escaped);
  return StatePtr(std::move(memory), state);
}

json::object State::attributes() const {
  return base::parse_json(attributes_json()).value().as_object();
}

// Reads back what write_json wrote: an id contains nothing that looks like a key.
Context State::context() const {
  std::string_view text = json().substr(list_length_);
  const auto id_after = [&](std::string_view key) -> std::optional<base::Id> {
    text.remove_prefix(text.find(key) + key.size());
    if (!text.starts_with('"')) return {};
    text.remove_prefix(1);
    return text.substr(0, text.find('"'));
  };
  return {*id_after(R"("id":)"), id_after(R"("parent_id":)"), id_after(R"("user_id":)")};
}

}  // namespace hearth::core
