// SPDX-License-Identifier: Apache-2.0
#include "api/imports/import_order.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::api {
namespace {

constexpr std::size_t kMostDigits = 4;
constexpr std::size_t kMaxPassphrase = 4'096;

bool is_span(std::string_view text) {
  if (text == "all" || text == "none") return true;
  if (!text.ends_with('d') || text.front() == '0') return false;
  text.remove_suffix(1);
  return !text.empty() && text.size() <= kMostDigits &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

void read_import_options(MessageReader& in, Imports::Order& order, std::string& automations) {
  in.optional("passphrase", order.passphrase);
  in.optional("history", order.history);
  in.optional("credentials", order.credentials);
  in.optional("automations", automations);
  in.optional("side_by_side", order.side_by_side);
}

base::Result<void> check_import_options(const std::string& automations, Imports::Order& order) {
  if (!is_span(order.history))
    return base::fail(base::ErrorCode::invalid, "history: expected all, none, or a number of days such as 30d.");
  if (automations != "as-they-were" && automations != "off")
    return base::fail(base::ErrorCode::invalid, "automations: expected as-they-were or off.");
  if (order.passphrase.size() > kMaxPassphrase || order.passphrase.find_first_of("\r\n") != std::string::npos) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("passphrase: expected one line of at most {} bytes.", kMaxPassphrase));
  }
  order.automations_off = automations == "off";
  return {};
}

}  // namespace hearth::api
