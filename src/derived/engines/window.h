// SPDX-License-Identifier: Apache-2.0
// A span of time given by two of start, end and duration, which may be templates. Window and WindowKeys are values, for
// any thread.
#pragma once

#include <span>

#include "derived/engine.h"
#include "derived/keys.h"
#include "derived/plan.h"

namespace hearth::derived {

struct Window {
  base::Timestamp start, end;
};

struct WindowKeys {
  bool has_start = false, has_end = false;  // the plan's first templates, in this order
  base::Duration duration{0};               // 0: none

  // Reads the keys; the plan gets the templates.
  static WindowKeys read(Keys& in, Plan& plan);
  int count() const { return has_start + has_end + (duration.count() > 0 ? 1 : 0); }
  // Without an end it is now. Null if a template gives no time.
  std::optional<Window> at(const Moment& now, std::span<const json::value> values) const;
};

// An engine whose value is of such a stretch. It asks history as far back as that begins, and again when it begins
// earlier than before.
class WindowEngine : public Engine {
 public:
  void receive_values(std::span<const base::Result<json::value>> values) override;
  std::optional<Past> past(const Moment& now) override;
  bool lacks_past(const Moment& now) const override;

 protected:
  // `name`: of the sensor, for the log. `most`: states that history is asked for.
  WindowEngine(WindowKeys keys, std::string name, std::size_t most)
      : keys_(keys), name_(std::move(name)), most_(most) {}

  bool has_window() const { return keys_.count() > 0; }
  // Null if a template fails, or gives no time.
  std::optional<Window> window(const Moment& now) const;
  // True if history was asked for that time last, and is not told of it twice.
  bool was_asked_for(base::Timestamp time) const { return time < told_until_; }
  // Earlier values are no longer known.
  void forgot_before(base::Timestamp start);

 private:
  const WindowKeys keys_;
  const std::string name_;
  const std::size_t most_;
  std::vector<json::value> values_;  // of the templates
  bool failed_ = false;              // one of these
  std::string complaint_;            // that the log has
  base::Timestamp known_from_ = base::Timestamp::max(), told_until_ = base::Timestamp::max();
};

}  // namespace hearth::derived
