// SPDX-License-Identifier: Apache-2.0
// The services of the hub there. Any thread.
#pragma once

#include <string_view>
#include <vector>

#include "integrations/home_assistant/session/news.h"

namespace hearth::integrations::home_assistant {

// More are left out.
constexpr std::size_t kMaxServices = 10'000;

// Of `get_services`. A description that is no object or longer than 256 KiB is left out.
std::vector<OtherService> read_services(std::string_view services);
// 2023.8 and later give no names: they are among the translations of the page.
bool lack_names(const std::vector<OtherService>& services);
// Sets the names and descriptions that are missing, of services and fields, by the answer to
// `frontend/get_translations`, which has `component.light.services.turn_on.fields.flash.name` as keys.
void add_names(std::vector<OtherService>& services, const json::object& answer);

}  // namespace hearth::integrations::home_assistant
