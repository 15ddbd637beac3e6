// SPDX-License-Identifier: Apache-2.0
#include "automation/items/key_renames.h"

#include <gtest/gtest.h>

namespace hearth::automation {
namespace {

TEST(Spelling, RenamesTheKeysOfEachLevel) {
  const json::value written = base::parse_json(R"({"trigger": [{"platform": "state"}], "condition": [], "action": [
      {"choose": {"condition": [], "sequence": {"service": "a.b"}}, "default": [{"service": "a.c"}]}]})")
                                  .value();
  EXPECT_EQ(base::to_json(with_new_keys(ItemKind::automation, written)),
            R"({"triggers":[{"trigger":"state"}],"conditions":[],"actions":[)"
            R"({"choose":{"conditions":[],"sequence":{"action":"a.b"}},"default":[{"action":"a.c"}]}]})");
}

}  // namespace
}  // namespace hearth::automation
