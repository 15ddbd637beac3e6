// SPDX-License-Identifier: Apache-2.0
// `scrape:`, and the platform scrape of sensors: values from pages of HTML. Any thread.
#pragma once

#include <string_view>

#include "building_blocks/polled/plan_reader.h"

namespace hearth::building_blocks {

constexpr std::string_view kScrape = "scrape";

void read_scrape(const automation::Sections& sections, PlanReader& reader);

}  // namespace hearth::building_blocks
