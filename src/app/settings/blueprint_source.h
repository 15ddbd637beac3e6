// SPDX-License-Identifier: Apache-2.0
// Addresses at which people publish blueprints, and how to find the blueprint in the answer of each. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::app {

struct BlueprintSource {
  enum class Kind { text, gist, topic };

  std::string url;  // to download
  Kind kind = Kind::text;
  std::string suggested_filename;  // author/name, without .yaml; of a gist or a topic only once it is there
};

// Of a page that people copy the address of, or of the file itself.
BlueprintSource source_of(const std::string& url);
// The blueprint in what the source's address answered, and completes `source.suggested_filename`. Fails with invalid if
// there is none.
base::Result<std::string> blueprint_in(const std::string& answer, BlueprintSource& source);
// The text with the address that it came from, unless that is empty, or it is written in a way that leaves no line for
// it.
std::string with_source(const std::string& text, const std::string& source_url);

}  // namespace hearth::app
