// SPDX-License-Identifier: Apache-2.0
// conversation.process: passes a sentence to the triggers that know it.
#pragma once

#include "automation/home/home.h"

namespace hearth::automation {

// The home must outlive the registration. Answers with the response, or with the sentence that nobody knows as an error
// within it, when the run has ended; after kConversationPatience it answers that it is done. Bus thread only.
constexpr base::Duration kConversationPatience = std::chrono::seconds(30);
[[nodiscard]] core::Registration add_conversation_service(Home& home);

}  // namespace hearth::automation
