// SPDX-License-Identifier: Apache-2.0
// The unique ids of one kind of plans, each with the place of the first plan that has it. Any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/config/config_node.h"

namespace hearth::configured {

class UniqueIds {
 public:
  // The place of the plan that has the id; null if it is free.
  const std::string* place_of(std::string_view id) const;

  // Gives the first free one of id, id_2, id_3 … to the plan at `place`. `prefix` is common to ids of a kind, and not
  // part of what is returned.
  std::string claim(std::string_view prefix, const std::string& id, const std::string& place);
  // Likewise, for an id that a user may have given, at the node `given`: if another plan has it, `error` says so, and
  // the place becomes part of the id.
  std::string claim(std::string_view prefix, std::string id, const std::string& place, const base::ConfigNode* given,
                    std::string& error);

 private:
  std::map<std::string, std::string, std::less<>> places_;
};

}  // namespace hearth::configured
