// SPDX-License-Identifier: Apache-2.0
// A code that the log shows as long as the home has no user: required to create the first one from another machine. New
// at each start. Immutable; any thread.
#pragma once

#include <string>
#include <string_view>

namespace hearth::auth {

class FirstUserCode {
 public:
  FirstUserCode();

  // `K7QM-2XWF`: 40 random bits.
  const std::string& text() const { return text_; }
  // Accepts what people type: any case, with or without the hyphen, O for 0 and I or L for 1. Constant time.
  bool matches(std::string_view typed) const;

 private:
  std::string text_;
};

}  // namespace hearth::auth
