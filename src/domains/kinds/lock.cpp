// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"

namespace hearth::domains {
namespace lock {

constexpr Feature kFeatures[] = {{"open", 1, "open its latch"}};
constexpr Attribute kAttributes[] = {
    {"code_format", field::Text{}, Shown::once},
    {"changed_by", field::Text{}, Shown::if_reported},
};
constexpr Input kCode[] = {{{"code", "The code, for locks that need one.", "1234", field::Text{}}}};
constexpr Action kActions[] = {
    {.service = "lock", .name = "Lock", .description = "Locks.", .fields = kCode, .value = "locked"},
    {.service = "unlock", .name = "Unlock", .description = "Unlocks.", .fields = kCode, .value = "unlocked"},
    {.service = "open",
     .name = "Open",
     .description = "Unlocks and opens the latch.",
     .fields = kCode,
     .needs = "open",
     .value = "open"},
};
constexpr Arrival kArrivals[] = {{"locking", "locked"}, {"unlocking", "unlocked"}, {"opening", "open"}};

// The number of digits that a format such as ^\d{4}$ requires; 0 for other formats, which only the device checks.
std::size_t digits_of(std::string_view format) {
  std::size_t digits = 0;
  if (!format.starts_with(R"(^\d{)") || !format.ends_with("}$")) return 0;
  const std::string_view number = format.substr(4, format.size() - 6);
  const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), digits);
  return status == std::errc() && end == number.data() + number.size() ? digits : 0;
}

// True if the code has the right form; only the device knows whether it is correct.
base::Result<void> check_code(const Thing& lock, Order& order) {
  const json::value& format = lock.attribute("code_format");
  const std::size_t length = format.is_string() ? digits_of(format.get_string()) : 0;
  const json::value* const given = order.data.if_contains("code");
  const std::string_view code = given ? std::string_view(given->get_string()) : std::string_view();
  const bool digits = std::ranges::all_of(code, [](char c) { return c >= '0' && c <= '9'; });
  if (length == 0 || (code.size() == length && digits)) return {};
  return base::fail(base::ErrorCode::invalid, fmt::format("code: {} needs {} digits", lock.entity_id(), length));
}

}  // namespace lock

constexpr Kind kLock{.domain = "lock",
                     .description = "A lock, perhaps with a latch that it opens.",
                     .value = field::Option{"locked locking unlocked unlocking open opening jammed"},
                     .features = lock::kFeatures,
                     .attributes = lock::kAttributes,
                     .actions = lock::kActions,
                     .arrivals = lock::kArrivals,
                     .check = lock::check_code};

}  // namespace hearth::domains
