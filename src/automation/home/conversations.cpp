// SPDX-License-Identifier: Apache-2.0
#include "automation/home/conversations.h"

#include "base/log/log.h"

namespace hearth::automation {

base::Handle Conversations::listen(std::vector<Sentence> sentences, Callback callback) {
  const std::uint64_t number = ++last_number_;
  base::Handle handle([this, number] { listeners_.erase(number); });
  listeners_.emplace(number, std::make_shared<const Listener>(std::move(sentences), std::move(callback)));
  return handle;
}

bool Conversations::hear(const std::string& said, const core::Context& context, Answer::Give answer) {
  const std::string words = Sentence::normalized(said);
  for (const auto& [number, each] : listeners_) {
    const std::shared_ptr<const Listener> listener = each;
    for (const Sentence& sentence : listener->sentences) {
      auto slots = sentence.match(words);
      if (!slots) continue;
      try {
        listener->callback({said, sentence, std::move(*slots), context, std::make_shared<Answer>(std::move(answer))});
      } catch (const std::exception& failure) {
        base::log_error("automation", "a sentence could not be handled: {}", failure.what());
      }
      return true;
    }
  }
  return false;
}

}  // namespace hearth::automation
