// SPDX-License-Identifier: Apache-2.0
// Reads values at their intervals, neighbouring ones with one request. If a device refuses a request for several, each
// half of it is asked from then on, until what it refuses stands alone. Bus thread only.
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "domains/entities/integration_bus.h"
#include "integrations/modbus/protocol/request.h"

namespace hearth::integrations::modbus {

struct Reading {
  std::uint8_t unit = 1;
  Table table = Table::holding;
  std::uint16_t address = 0;
  std::uint16_t count = 1;  // at most what a request may read
  std::chrono::milliseconds interval{15'000};
  // The values, `count` of them; or null, and why.
  std::function<void(std::span<const std::uint16_t> values, const RequestFailure* failure)> got;
};

class Poller {
 public:
  using Ask = std::function<void(Request request, std::function<void(const Answer&)> done)>;

  // All must outlive this.
  Poller(domains::IntegrationBus& bus, Ask ask) : bus_(bus), ask_(std::move(ask)) {}

  // Before `start`. An interval of 0 is not read by itself.
  void add(Reading reading) { readings_.push_back(std::move(reading)); }
  // Forms the requests, and begins to read.
  void start();
  // Reads all once, now: a connection is there.
  void read_all();
  void stop();

  std::size_t request_count() const;

 private:
  struct Block {
    Request request;
    std::vector<const Reading*> readings;  // by address
    bool asked = false;
  };
  struct Round {
    std::list<Block> blocks;
    core::Timer timer;
  };

  void form_blocks();
  static bool fits(const Block& block, const Reading& reading);
  static void put(Block& block, const Reading& reading);
  void schedule(std::chrono::milliseconds interval);
  void read(Round& round);
  void ask(Round& round, std::list<Block>::iterator block);
  void got(Round& round, std::list<Block>::iterator block, const Answer& answer);

  domains::IntegrationBus& bus_;
  const Ask ask_;
  std::list<Reading> readings_;
  std::map<std::chrono::milliseconds, Round> rounds_;  // by interval
  bool running_ = false;
};

}  // namespace hearth::integrations::modbus
