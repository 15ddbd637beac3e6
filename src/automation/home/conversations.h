// SPDX-License-Identifier: Apache-2.0
// Sentences that people say to the home: each goes to the first trigger that knows it, whose run answers. Bus thread
// only.
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

  // Ends the listening when destroyed. Move-only.
  class Listening {
   public:
    Listening() = default;
    Listening(Listening&& other) noexcept
        : conversations_(std::exchange(other.conversations_, nullptr)), number_(other.number_) {}
    Listening& operator=(Listening&& other) noexcept {
      std::swap(conversations_, other.conversations_);
      std::swap(number_, other.number_);
      return *this;
    }
    ~Listening() {
      if (conversations_) conversations_->listeners_.erase(number_);
    }

   private:
    friend class Conversations;
    Conversations* conversations_ = nullptr;
    std::uint64_t number_ = 0;
  };

  Conversations() = default;
  Conversations(const Conversations&) = delete;
  Conversations& operator=(const Conversations&) = delete;

  [[nodiscard]] Listening listen(std::vector<Sentence> sentences, Callback callback);
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
