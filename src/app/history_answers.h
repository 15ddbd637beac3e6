// SPDX-License-Identifier: Apache-2.0
// Answers the questions of derived sensors about history: one after the other, in pieces on the history's thread, so
// that many such sensors leave room for people's questions.
//
// Bus thread only, except use().
#pragma once

#include <deque>
#include <memory>

#include "core/hub.h"
#include "derived/history_questions.h"
#include "recorder/history.h"

namespace hearth::app {

class HistoryAnswers final : public derived::HistoryQuestions {
 public:
  static constexpr std::size_t kMostWaiting = 10'000;  // questions; a further one is answered with nothing

  // The hub must outlive it.
  explicit HistoryAnswers(core::Hub& hub) : hub_(hub) {}

  // Before the bus runs; the history must outlive the bus's tasks.
  void use(recorder::History& history) { history_ = &history; }

  void ask(Question question, Answer answer) override;

 private:
  class Reading;
  struct Waiting {
    Question question;
    Answer answer;
  };

  void begin_next();
  void answered(const Answer& answer, std::vector<core::StatePtr> states);

  core::Hub& hub_;
  recorder::History* history_ = nullptr;
  std::deque<Waiting> waiting_;
  bool busy_ = false;
};

}  // namespace hearth::app
