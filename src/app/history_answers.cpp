// SPDX-License-Identifier: Apache-2.0
#include "app/history_answers.h"

#include "base/log/log.h"
#include "base/log/log_scope.h"
#include "recorder/history/entity_history.h"
#include "recorder/journal/last_states.h"

namespace hearth::app {

// One question under way. Its answer comes even if history cannot run it any more.
class HistoryAnswers::Reading : public std::enable_shared_from_this<HistoryAnswers::Reading> {
 public:
  Reading(HistoryAnswers& owner, recorder::History& history, Question question, Answer answer)
      : owner_(owner),
        history_(history),
        question_(std::move(question)),
        answer_(std::move(answer)),
        changes_(question_.entity_id, {question_.from, question_.until}) {}

  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  ~Reading() {
    static_cast<void>(owner_.hub_.bus.post(
        core::IfFull::pass, core::EventBus::kSmallTask,
        [&owner = owner_, answer = answer_, states = std::vector(states_.begin(), states_.end())]() mutable {
          owner.answered(answer, std::move(states));
        }));
  }

  void begin() {
    const bool asked = history_.ask([self = shared_from_this()](recorder::QuestionPlaces::PlacePtr place) {
      self->place_ = std::move(place);
      self->go_on();
    });
    if (!asked)
      base::log_warning("derived", "too many questions about history wait: the one about {} is dropped",
                        question_.entity_id);
  }

 private:
  void go_on() {
    const bool posted = history_.post([self = shared_from_this()](recorder::HistoryReader& reader) {
      if (self->read(reader)) self->go_on();
    });
    if (!posted) place_.reset();
  }

  // True if there is more.
  bool read(recorder::HistoryReader& reader) {
    const auto piece = changes_.next(reader);
    if (!piece) {
      const base::LogScope own({.entity = question_.entity_id});
      base::log_warning("derived", "the history of {} cannot be read: {}", question_.entity_id, piece.error().message);
      return false;
    }
    if (piece->initial) keep(*piece->initial);
    for (const recorder::Change& change : piece->changes) keep(change);
    return piece->more;
  }

  void keep(const recorder::Change& change) {
    auto state = recorder::make_state(question_.entity_id, change.removed ? core::kUnavailable : change.value, "{}",
                                      {change.changed, change.updated}, core::Context());
    if (!state) return;
    if (states_.size() == question_.most && !states_.empty()) states_.pop_front();
    states_.push_back(std::move(state));
  }

  HistoryAnswers& owner_;
  recorder::History& history_;
  const Question question_;
  const Answer answer_;
  recorder::EntityHistory changes_;
  recorder::QuestionPlaces::PlacePtr place_;
  std::deque<core::StatePtr> states_;
};

void HistoryAnswers::ask(Question question, Answer answer) {
  if (!history_ || waiting_.size() == kMostWaiting) {
    static_cast<void>(
        hub_.bus.post(core::IfFull::pass, core::EventBus::kSmallTask, [answer = std::move(answer)] { answer({}); }));
    return;
  }
  waiting_.push_back({std::move(question), std::move(answer)});
  if (!busy_) begin_next();
}

void HistoryAnswers::begin_next() {
  busy_ = !waiting_.empty();
  if (!busy_) return;
  Waiting next = std::move(waiting_.front());
  waiting_.pop_front();
  std::make_shared<Reading>(*this, *history_, std::move(next.question), std::move(next.answer))->begin();
}

void HistoryAnswers::answered(const Answer& answer, std::vector<core::StatePtr> states) {
  answer(std::move(states));
  begin_next();
}

}  // namespace hearth::app
