// SPDX-License-Identifier: Apache-2.0
// left-behind.yaml: what this hub does not read, as it stood, commented out, with the reason above each. One thread.
#pragma once

#include <string>
#include <string_view>

namespace hearth::import_ha {

class LeftBehind {
 public:
  // `title`: its name and place. `lines`: as they stand in the file.
  void add(std::string_view title, std::string_view reason, std::string_view lines);

  bool is_empty() const { return text_.empty(); }
  std::string text() const;

 private:
  std::string text_;
};

}  // namespace hearth::import_ha
