// SPDX-License-Identifier: Apache-2.0
// A person can do this instead of what cannot come: the table of docs/moving.md. Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "import_ha/report/report.h"

namespace hearth::import_ha {

// `way` of things for which there is no better one: the old hub goes on running, and is mirrored.
constexpr std::string_view kBridge = "bridge";

struct Instead {
  std::string_view way;  // kBridge, or a sentence without its full stop
  Why why = Why::no_provider;
};

// Of the devices, entities and settings of an integration that this hub has not: "hue", "zha". Never empty.
Instead instead_of(std::string_view integration);
// True if this hub has its own of what that integration made, such as "sun": its entries are left, and nothing is
// missing.
bool is_built_in(std::string_view integration);

// Of a section or a platform of configuration.yaml that this hub does not read: "alert"; kBridge if nobody knows
// one.
Instead instead_of_section(std::string_view section);

// Of an add-on, by its name or slug: "core_mosquitto". Never empty.
std::string_view instead_of_addon(std::string_view addon);

// For people: of kBridge the sentence that it stands for, of others the way itself.
std::string_view sentence_of(std::string_view way);

// The table, for the documents: integrations and sections with ways of their own, in alphabetical order.
struct InsteadRow {
  std::string_view name;
  Instead instead;
};
std::span<const InsteadRow> instead_rows();

}  // namespace hearth::import_ha
