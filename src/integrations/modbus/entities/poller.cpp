// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/entities/poller.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace hearth::integrations::modbus {
namespace {

unsigned end_of(const Reading& reading) {
  return unsigned{reading.address} + reading.count;
}

}  // namespace

bool Poller::fits(const Block& block, const Reading& reading) {
  const Request& request = block.request;
  if (request.unit != reading.unit || request.table != reading.table) return false;
  const unsigned end = unsigned{request.address} + request.count;
  const unsigned most = is_bits(reading.table) ? kMaxReadBits : kMaxReadRegisters;
  return reading.address <= end && std::max(end, end_of(reading)) - request.address <= most;
}

void Poller::put(Block& block, const Reading& reading) {
  Request& request = block.request;
  if (block.readings.empty()) {
    request = {.unit = reading.unit, .table = reading.table, .address = reading.address, .count = reading.count};
  } else {
    const unsigned end = std::max(unsigned{request.address} + request.count, end_of(reading));
    request.count = static_cast<std::uint16_t>(end - request.address);
  }
  block.readings.push_back(&reading);
}

void Poller::form_blocks() {
  readings_.sort([](const Reading& one, const Reading& other) {
    const auto key = [](const Reading& each) { return std::tuple(each.unit, each.table, each.address, each.count); };
    return key(one) < key(other);
  });
  for (const Reading& reading : readings_) {
    std::list<Block>& blocks = rounds_[reading.interval].blocks;
    if (blocks.empty() || !fits(blocks.back(), reading)) blocks.emplace_back();
    put(blocks.back(), reading);
  }
}

void Poller::start() {
  form_blocks();
  running_ = true;
  for (auto& [interval, round] : rounds_)
    if (interval.count() > 0) schedule(interval);
}

void Poller::schedule(std::chrono::milliseconds interval) {
  Round& round = rounds_[interval];
  round.timer = bus_.schedule(interval, [this, &round, interval] {
    schedule(interval);
    read(round);
  });
}

void Poller::read_all() {
  for (auto& [interval, round] : rounds_) read(round);
}

void Poller::stop() {
  running_ = false;
  for (auto& [interval, round] : rounds_) round.timer = {};
}

void Poller::read(Round& round) {
  for (auto block = round.blocks.begin(); running_ && block != round.blocks.end(); ++block) ask(round, block);
}

// A block that still waits for its answer is not asked again.
void Poller::ask(Round& round, std::list<Block>::iterator block) {
  if (std::exchange(block->asked, true)) return;
  ask_(block->request, [this, &round, block](const Answer& answer) { got(round, block, answer); });
}

void Poller::got(Round& round, std::list<Block>::iterator block, const Answer& answer) {
  block->asked = false;
  if (!running_) return;
  if (answer) {
    const std::span<const std::uint16_t> values(*answer);
    for (const Reading* const reading : block->readings)
      reading->got(values.subspan(reading->address - block->request.address, reading->count), nullptr);
    return;
  }
  const std::size_t size = block->readings.size();
  if (size == 1 || !answer.error().may_be_of_a_part()) {
    for (const Reading* const reading : block->readings) reading->got({}, &answer.error());
    return;
  }
  const std::vector<const Reading*> all = std::exchange(block->readings, {});
  const auto second = round.blocks.emplace(std::next(block));
  for (std::size_t at = 0; at < size; ++at) put(at < size / 2 ? *block : *second, *all[at]);
  ask(round, block);
  ask(round, second);
}

std::size_t Poller::request_count() const {
  std::size_t all = 0;
  for (const auto& [interval, round] : rounds_) all += round.blocks.size();
  return all;
}

}  // namespace hearth::integrations::modbus
