// SPDX-License-Identifier: Apache-2.0
// The sections of integrations, which may stand in several places: in configuration.yaml itself, in packages, and as
// platforms of a domain: `calendar: - platform: caldav` is an account of the section caldav. Any thread.
#pragma once

#include <span>
#include <string_view>

#include "automation/items/sections.h"
#include "base/config/config_node.h"

namespace hearth::app {

// The integration that reads `platform: NAME` in the domain's list. Empty if none does.
std::string_view integration_of_platform(std::string_view domain, std::string_view platform);

// The entries of a file, with what packages and such lists add to those of `integrations`: a section of which there are
// several parts becomes a list of all. `packages`: null if there are none.
base::ConfigNode::Map with_other_places(base::ConfigNode::Map sections, std::span<const std::string_view> integrations,
                                        const base::ConfigNode* packages, const automation::Sections& automations);

}  // namespace hearth::app
