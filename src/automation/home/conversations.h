// SPDX-License-Identifier: Apache-2.0
// Passes sentences that people say to the first trigger that knows them, whose run answers. Bus thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "automation/config/sentence.h"
#include "base/handle.h"
#include "core/bus/context.h"

namespace hearth::automation {

// The answer that somebody waits for. The one who gives it last holds it: if nobody has given any when it is destroyed,
// the answer is that it is done.
class Answer {
 public:
  using Give = std::function<void(std::optional<std::string> text)>;

  explicit Answer(Give give) : give_(std::move(give)) {}
  ~Answer() { give(std::nullopt); }
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

  // Nobody waits any more.
  void drop() { give_ = nullptr; }
  // The first one counts.
  void give(std::optional<std::string> text) {
    if (const Give first = std::exchange(give_, nullptr)) first(std::move(text));
  }

 private:
  Give give_;
};

class Conversations {
 public:
  struct Heard {
    std::string said;
    const Sentence& sentence;
    Sentence::Slots slots;
    core::Context context;
    std::shared_ptr<Answer> answer;
  };
  using Callback = std::function<void(const Heard& heard)>;

  Conversations() = default;
  Conversations(const Conversations&) = delete;
  Conversations& operator=(const Conversations&) = delete;

  base::Handle listen(std::vector<Sentence> sentences, Callback callback);
  // False, and no answer, if nobody knows the sentence.
  bool hear(const std::string& said, const core::Context& context, Answer::Give answer);

 private:
  struct Listener {
    std::vector<Sentence> sentences;
    Callback callback;
  };

  std::map<std::uint64_t, std::shared_ptr<const Listener>> listeners_;  // in the order in which they came
  std::uint64_t last_number_ = 0;
};

}  // namespace hearth::automation
