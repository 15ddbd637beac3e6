// SPDX-License-Identifier: Apache-2.0
// The hub's own texts for people, in the home's language: titles of messages, names that it gives. English where the
// language has none. Pages have theirs in web/src. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "core/hub.h"

namespace hearth::domains {

// REQUIRES: a known key. Some have places for fmt::runtime.
std::string_view text_for_people(std::string_view key, std::string_view language);
std::string_view text_for_people(std::string_view key, const core::Hub& hub);

// The title of an alert of that kind; of an unknown one a word that fits any.
std::string_view alert_title(std::string_view kind, std::string_view language);

}  // namespace hearth::domains
