// SPDX-License-Identifier: Apache-2.0
// A helper that stores a value: input_boolean, counter and so on. Bus thread only.
#pragma once

#include "domains/helpers/helper_entity.h"

namespace hearth::domains {

class ValueHelper final : public HelperEntity {
 public:
  using HelperEntity::HelperEntity;

  void act(const Action& action, const json::object& data) override;

 private:
  Report first(const Kind& kind, const core::State* last) override;
  void show() override;
  // They survive a restart; those of a helper of a file until the file says other ones.
  void set_options(const json::array& options);
  // In the registry, where present_fields finds them; null: none any more. Fails as Registry::update_entity.
  base::Result<void> keep_options(std::optional<json::object> options, const core::Context& context);
  // The item's, with the options that were set; forgets these if the file says other ones since.
  json::object present_fields();
};

}  // namespace hearth::domains
