// SPDX-License-Identifier: Apache-2.0
// Says by whom a change of a mirrored entity was made, here or there. Bus thread only.
#pragma once

#include <optional>
#include <string_view>

#include "core/bus/context.h"
#include "integrations/home_assistant/session/news.h"

namespace hearth::integrations::home_assistant {

class ContextSource {
 public:
  virtual ~ContextSource() = default;
  // The context to write the change with; null while it is not known yet which call made it: ask again with the next
  // answer, at most 250 ms later, with `last` true, which always gives one.
  virtual std::optional<core::Context> context_of(std::string_view entity_id_there, const OtherContext& context,
                                                  bool last) = 0;
  // The entity has reported a change with that context of the hub there, and it is written.
  virtual void reported(std::string_view entity_id_there, const OtherContext& context) = 0;
};

}  // namespace hearth::integrations::home_assistant
