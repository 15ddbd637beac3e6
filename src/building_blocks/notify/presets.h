// SPDX-License-Identifier: Apache-2.0
// Services that take messages, each as the description of one request. Any thread.
#pragma once

#include <span>
#include <string_view>
#include <utility>

#include "core/values/words.h"

namespace hearth::building_blocks {

struct Preset {
  std::string_view platform;
  std::string_view url;  // of the server; the key `url` names another one
  // Keys of the configuration, whose texts templates see beside what HttpNotice says. `secret`: those that no line of
  // the log has.
  core::Words needed, optional, secret;
  bool has_credentials = false;  // username, password and authentication are of HTTP
  std::string_view path;         // a template
  std::span<const std::pair<std::string_view, std::string_view>> headers;  // templates; empty ones are left out
  std::string_view body;                                                   // JSON, whose texts are templates
  std::string_view ok = {};  // a member of the answer that is false if it has failed, whatever its status
};

// Null if there is none.
const Preset* find_preset(std::string_view platform);

}  // namespace hearth::building_blocks
