// SPDX-License-Identifier: Apache-2.0
// How long, how often or for what share of a time one source was in one of some states, from history.
#pragma once

#include <deque>
#include <set>

#include "derived/window.h"

namespace hearth::derived {

class HistoryStats final : public Engine {
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

  explicit HistoryStats(Options options) : options_(std::move(options)) {}

  void take(const Seen& seen) override;
  void take_values(std::span<const base::Result<json::value>> values) override;
  Shown show(const Moment& now) override;
  std::optional<base::Timestamp> next(const Moment& now) override;
  std::optional<Past> past(const Moment& now) override;
  bool lacks_past(const Moment& now) const override;

 private:
  struct Turn {
    base::Timestamp at;
    bool fits;
  };
  struct Sum {
    base::Duration time{0};
    int count = 0;
  };

  std::optional<Window> window(const Moment& now) const;
  void join();
  void forget_before(base::Timestamp start);
  Sum sum(const Window& window, base::Timestamp until) const;

  const Options options_;
  std::vector<json::value> values_;  // of the templates; empty if one failed
  std::string complaint_;
  std::deque<Turn> turns_;     // oldest first, each other than the one before
  std::vector<Turn> earlier_;  // that history has just told
  base::Timestamp known_from_ = base::Timestamp::max();
  base::Timestamp told_until_ = base::Timestamp::max();  // what is older is what history was asked for
};

}  // namespace hearth::derived
