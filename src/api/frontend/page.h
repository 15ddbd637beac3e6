// SPDX-License-Identifier: Apache-2.0
// A page of another frontend's build, as it is sent. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::api {

struct FilledPage {
  std::string body;
  std::string digest;  // for its entity tag
  // The Content-Security-Policy with which it runs: its own inline scripts, by their hashes, and scripts from here.
  std::string policy;
};

// Fills in what the build leaves to its server: the colour of the browser's bars, and modules that others add, of which
// there are none. Fails with invalid if it asks for something else.
base::Result<FilledPage> fill_page(std::string_view page, std::string_view theme_color);

}  // namespace hearth::api
