// SPDX-License-Identifier: Apache-2.0
// A compiled text: its statements and the names in it. Immutable; any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "template/language/statement.h"

namespace hearth::templates {

// Names as numbers, so that scopes compare these.
class NameTable {
 public:
  int id(std::string_view name);
  const std::map<std::string, int, std::less<>>& all() const { return ids_; }

 private:
  std::map<std::string, int, std::less<>> ids_;
};

class Program {
 public:
  // Fails with syntax, or with name for a filter or test that does not exist.
  explicit Program(std::string_view source);

  void run(Frame& frame, std::string& out) const { block_.run(frame, out); }
  // The names that {% import %} brings from its outermost scope: those without a leading underscore.
  Dict exports(const Scope& scope) const;
  const Block& block() const { return block_; }

 private:
  NameTable names_;
  Block block_;
};

}  // namespace hearth::templates
