// SPDX-License-Identifier: Apache-2.0
// Fails in the way that its options select. For tests only: it is in build/*/hearth_faulty, not in
// the program that users get. Bus thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "domains/entities/thing.h"
#include "domains/integration.h"

namespace hearth::integrations::faulty {

// Its work besides adding its entities: sensor.faulty, which counts, and switch.faulty.
enum class Mode {
  none,
  throws_in_create,
  throws_in_start,
  throws_no_exception,  // in start, something other than an exception
  fails_in_start,       // with an error
  blocks_in_start,      // forever
  throws_in_stop,
  throws_in_commands,
  blocks_in_commands,  // the bus, for eight seconds
  hangs_in_commands,
  throws_in_timers,
  throws_in_listeners,
  throws_in_tasks,
  blocks,           // the bus, repeatedly
  blocks_for_good,  // the bus, when it is told to stop
  reports_nan,      // and infinity, in attributes and states
  reports_bad_text,
  reports_much,  // 1 MiB of attributes, and a state of 1,000 characters
  floods,        // with states
  disappears,    // and comes back
};

class Faulty final : public domains::Integration {
 public:
  struct Options {
    Mode mode = Mode::none;
    // The number of starts that fail before one succeeds, in the modes that throw there.
    std::int64_t failing_starts = 1'000'000;

    // Fails with invalid; a line for each error.
    static base::Result<Options> parse(const base::ConfigNode& node);
    static std::vector<base::ConfigProblem> check(const base::ConfigNode& node);
  };

  Faulty(const domains::IntegrationHome& home, const Options& options);
  ~Faulty() override;

  base::Result<void> start() override;
  void stop() override;

 private:
  class Device;

  base::Result<void> fail_to_start();
  base::Result<void> add_entities();
  void tick();
  void misbehave();
  void flood();
  void come_and_go();

  domains::IntegrationHome home_;
  Options options_;
  std::unique_ptr<Device> device_;
  domains::Thing* sensor_ = nullptr;
  core::EntityListeners::Listening listening_;
  core::Timer timer_;
  std::int64_t ticks_ = 0;
};

}  // namespace hearth::integrations::faulty
