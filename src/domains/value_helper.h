// SPDX-License-Identifier: Apache-2.0
// A helper that keeps a value: input_boolean, counter and so on. Bus thread only.
#pragma once

#include "domains/helper_entity.h"

namespace hearth::domains {

class ValueHelper final : public HelperEntity {
 public:
  using HelperEntity::HelperEntity;

  void act(const Action& action, const json::object& data) override;

 private:
  Report first(const Kind& kind, const core::State* last) override;
  void show() override;
  void set_options(const json::array& options);
};

}  // namespace hearth::domains
