// SPDX-License-Identifier: Apache-2.0
// The time, the count or the share of a period during which a source was in one of some states, from history.
#pragma once

#include <deque>
#include <set>

#include "derived/engines/window.h"

namespace hearth::derived {

class HistoryStats final : public WindowEngine {
 public:
  static constexpr std::size_t kMostStates = 100'000;  // of history, and of changes; then the oldest is left out

  enum class Type { time, count, ratio };
  struct Options {
    std::string source;
    std::set<std::string, std::less<>> states;
    Type type = Type::time;
    WindowKeys window;
    std::string state_class;
  };

  explicit HistoryStats(Options options)
      : WindowEngine(options.window, "history_stats of " + options.source, kMostStates), options_(std::move(options)) {}

  void receive(const Reading& reading) override;
  Output show(const Moment& now) override;
  std::optional<base::Timestamp> next(const Moment& now) override;

 private:
  struct Turn {
    base::Timestamp at;
    bool fits;
  };
  struct Sum {
    base::Duration time{0};
    int count = 0;
  };

  void join();
  void forget_before(base::Timestamp start);
  Sum sum(const Window& window, base::Timestamp until) const;

  const Options options_;
  std::deque<Turn> turns_;     // oldest first, each other than the one before
  std::vector<Turn> earlier_;  // that history has just told
};

}  // namespace hearth::derived
