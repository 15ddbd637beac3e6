// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/failures.h"

#include <fmt/format.h>

#include <bit>

#include "base/log/log.h"
#include "base/text/utf8.h"

namespace hearth::domains {
namespace {

constexpr std::size_t kMaxText = 1'000;  // bytes

}  // namespace

Failures::Record Failures::of(std::string_view integration) const {
  const auto found = records_.find(integration);
  return found == records_.end() ? Record() : found->second;
}

void Failures::note(std::string_view integration, std::string_view what, std::string_view thrown) {
  Record& record = records_.try_emplace(std::string(integration)).first->second;
  ++record.count;
  record.last = base::utf8_excerpt(base::utf8_repaired(fmt::format("{}: {}", what, thrown)), kMaxText);
  // A failure at every tick of a clock must not fill the log: the first, second, fourth, eighth … is logged.
  if (std::has_single_bit(record.count)) {
    base::log_error("integrations", "{}: {} failed: {} (failures since the hub started: {})", integration, what, thrown,
                    record.count);
  }
  if (on_failure_) on_failure_(integration);
}

}  // namespace hearth::domains
