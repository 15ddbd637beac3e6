// SPDX-License-Identifier: Apache-2.0
// What the log shows for as long as a home has no user: whoever makes the first one from elsewhere must know it. Made
// anew at each start. Immutable; any thread.
#pragma once

#include <string>
#include <string_view>

namespace hearth::auth {

class FirstUserCode {
 public:
  FirstUserCode();

  // `K7QM-2XWF`: 40 random bits.
  const std::string& text() const { return text_; }
  // As people type it: in any case, with or without the hyphen, with O for 0 and I or L for 1. Takes as long for a
  // wrong one as for the right one.
  bool matches(std::string_view typed) const;

 private:
  std::string text_;
};

}  // namespace hearth::auth
