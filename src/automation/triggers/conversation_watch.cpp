// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/conversation_watch.h"

namespace hearth::automation {
namespace {

using templates::Value;

}  // namespace

ConversationWatch::ConversationWatch(const Trigger& trigger, Home& home, Fire fire) {
  listening_ = home.conversations.listen(
      std::get<ConversationTrigger>(trigger.kind).sentences,
      [&home, &trigger, fire = std::move(fire)](const Conversations::Heard& heard) {
        templates::Dict slots;
        for (const auto& [name, words] : heard.slots) slots.set(Value(name), Value(words));
        fire({.trigger = trigger_value(trigger, {{"sentence", Value(heard.said)},
                                                 {"matched_sentence", Value(heard.sentence.text())},
                                                 {"slots", Value::dict(std::move(slots))}}),
              .source = "sentence '" + heard.said + "'",
              .cause = heard.context,
              .answer = heard.answer},
             home.now());
      });
}

}  // namespace hearth::automation
