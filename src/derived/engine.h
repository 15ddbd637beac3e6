// SPDX-License-Identifier: Apache-2.0
// Computes one sensor from other entities: it gets their states with their times, and returns the state of the sensor.
// An engine knows no hub and no clock, so that a test is a list of values. Bus thread only.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "core/states/state.h"
#include "domains/sky/sun_times.h"
#include "template/values/moment.h"

namespace hearth::derived {

// When and where it is.
struct Moment {
  base::Timestamp time;
  templates::Zone zone = templates::Zone::utc();
  domains::Place place = {};
};

// A state of a source.
struct Reading {
  enum class Why {
    first,     // it is so as the sensor begins
    restored,  // it was so before the hub's start, perhaps long ago, and nobody has said more since
    change,    // it has become so
    past,      // it was so, says history
  };
  std::string_view entity_id;
  const core::State* state = nullptr;   // null: there is none
  const core::State* before = nullptr;  // null: there was none, or only one from before the hub's start
  base::Timestamp at;
  Why why = Why::change;
};

struct Output {
  json::value value = {};  // null: unknown
  json::object attributes = {};
  std::string unit = {}, device_class = {}, state_class = {}, icon = {};  // empty: none
  bool available = true;
};

// An engine's questions about the time before it began.
struct Past {
  base::Duration span{0};
  std::size_t most = 0;  // of the last states of each source
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual void receive(const Reading& reading) = 0;
  // The values of the plan's templates, in their order; before each of the others. Times are texts.
  virtual void receive_values(std::span<const base::Result<json::value>> /*values*/) {}
  virtual Output show(const Moment& now) = 0;
  // When it shows something else without any change of a source. Null: never.
  virtual std::optional<base::Timestamp> next(const Moment& /*now*/) { return {}; }
  // True if the clock alone says what it shows: while nobody has set that of the machine, it is not asked.
  virtual bool follows_clock() const { return false; }
  // The sensor's value before the restart, after the sources are known.
  virtual void restore(const core::State& /*last*/, const Moment& /*now*/) {}
  // True if its total cannot be computed again from the sources: it is then kept while the sensor is unavailable.
  virtual bool keeps_books() const { return false; }
  // Null: the sources' present states are enough.
  virtual std::optional<Past> past(const Moment& /*now*/) { return {}; }
  // True if it looks further back than it did: past() is asked once more, and answered.
  virtual bool lacks_past(const Moment& /*now*/) const { return false; }
  // Of a workday sensor: whether people work on that day since 1970-01-01, whatever the offset. Null: it is another.
  virtual std::optional<bool> is_workday(std::int64_t /*day*/) const { return {}; }
};

// --- What engines read of a state ------------------------------------------------------------------------------

// Neither null, unknown nor unavailable.
bool is_known(const core::State* state);
// Null if it is no finite number.
std::optional<double> number_of(const core::State* state);
// An attribute that is a text; empty if there is none.
std::string text_attribute(const core::State* state, std::string_view name);

// --- How engines write numbers ---------------------------------------------------------------------------------

// Rounded to that many decimals, written as 20.0; without decimals as 20.
json::value rounded(double number, int decimals);
// With exactly so many decimals: 0.500.
json::value fixed(double number, int decimals);
// As 20.0, unrounded.
json::value plain(double number);

}  // namespace hearth::derived
