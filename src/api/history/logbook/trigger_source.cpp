// SPDX-License-Identifier: Apache-2.0
#include "api/history/logbook/trigger_source.h"

#include "core/values/entity_id.h"

namespace hearth::api {
namespace {

constexpr std::string_view kStateOf = "state of ", kNumericState = "numeric state", kOfHub = "of the hub";

}  // namespace

std::string entity_of_source(std::string_view source) {
  const std::size_t of = source.rfind("of ");
  const auto id = core::EntityId::parse(of == std::string_view::npos ? "" : source.substr(of + 3));
  return id ? std::string(id->str()) : std::string();
}

std::string_view platform_of_source(std::string_view source) {
  if (source == "time pattern") return "time_pattern";
  if (source.starts_with(kNumericState)) return "numeric_state";
  if (source.starts_with("sun") || source.starts_with("solar") || source == "dawn" || source == "dusk") return "sun";
  if (source.ends_with(kOfHub)) return "homeassistant";
  return source.substr(0, source.find(' '));
}

bool is_of_clock(std::string_view source) {
  const std::string_view platform = platform_of_source(source);
  return platform == "time" || platform == "time_pattern" || platform == "sun";
}

void hide_source(LogbookCause& cause, const std::function<bool(std::string_view)>& reads) {
  const std::string_view source = cause.source;
  if (source.empty() || is_of_clock(source) || source == "start of the hub" || source == "shutdown of the hub") return;
  const bool of_entity = source.starts_with(kStateOf) || source.starts_with(kNumericState);
  if (const std::string entity_id = of_entity ? entity_of_source(source) : ""; !entity_id.empty() && reads(entity_id))
    return;
  cause.source.clear();
  cause.message = "triggered";
}

}  // namespace hearth::api
