// SPDX-License-Identifier: Apache-2.0
#include "core/values/limits.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/values/glob.h"

namespace hearth::core {

using base::ErrorCode;
using base::fail;

std::string bytes_text(std::size_t bytes) {
  constexpr std::array<std::pair<std::size_t, std::string_view>, 3> kUnits{
      {{std::size_t(1) << 30, "GiB"}, {std::size_t(1) << 20, "MiB"}, {std::size_t(1) << 10, "KiB"}}};
  for (const auto& [size, unit] : kUnits) {
    if (bytes >= size && bytes % size == 0) return fmt::format("{} {}", bytes / size, unit);
  }
  return fmt::format("{} bytes", bytes);
}

base::Result<void> check_attributes(std::size_t bytes, const Limits& limits) {
  if (bytes <= limits.attributes_bytes) return {};
  return fail(ErrorCode::invalid, fmt::format("attributes: {} bytes of JSON, and {} are the limit (attributes_size).",
                                              bytes, bytes_text(limits.attributes_bytes)));
}

base::Result<void> check_event_data(std::size_t bytes, const Limits& limits) {
  if (bytes <= limits.event_bytes) return {};
  return fail(ErrorCode::invalid, fmt::format("Event data: {} bytes of JSON, and {} are the limit (event_data_size).",
                                              bytes, bytes_text(limits.event_bytes)));
}

base::Result<void> check_entries(std::string_view what, std::size_t count, const Limits& limits) {
  if (count <= limits.filter_entries) return {};
  return fail(ErrorCode::invalid, fmt::format("{}: {} are named, and {} are the limit (filter_entries).", what, count,
                                              limits.filter_entries));
}

base::Result<void> check_glob(std::string_view glob, const Limits& limits) {
  if (glob.size() > limits.glob_length) {
    return fail(ErrorCode::invalid,
                fmt::format("A pattern of {} bytes; {} are the limit (glob_length).", glob.size(), limits.glob_length));
  }
  const std::size_t stars = Glob::stars(glob);
  if (stars <= limits.glob_stars) return {};
  return fail(ErrorCode::invalid,
              fmt::format("A pattern with {} stars; {} are the limit (glob_stars).", stars, limits.glob_stars));
}

}  // namespace hearth::core
