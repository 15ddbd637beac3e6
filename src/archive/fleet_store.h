// SPDX-License-Identifier: Apache-2.0
// Stores the messages of a fleet's sites: in transactions of many batches of many sites, each with the position in the
// engine's order up to which everything is stored. Of several portals one writes: the one that holds the store.
//
// One thread, except cancel. After a failure the transaction is lost: call forget, then hold again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "archive/archive.h"
#include "archive/log_gaps.h"
#include "base/result.h"
#include "fleet/batch.h"
#include "fleet/link.h"

namespace hearth::archive {

class FleetStore {
 public:
  virtual ~FleetStore() = default;

  // Connects if it is not connected. Whether this one writes; another one's session may do so. Fails with unavailable.
  virtual base::Result<bool> hold() = 0;
  // The place in the engine's order up to which everything is there. REQUIRES from here on: it holds.
  virtual base::Result<std::uint64_t> place(const std::string& engine) = 0;

  // One transaction. All fail with unavailable if the store is not there, with invalid if it takes the data for none.
  virtual base::Result<void> begin() = 0;
  // Fails with full, and the transaction goes on, if the site has had too many files of history.
  virtual base::Result<void> add(const fleet::Batch& batch) = 0;
  // Beside the tables, for people to look at; at most so many and so much, of which the oldest go.
  virtual base::Result<void> keep_aside(const std::string& engine, const fleet::Message& message,
                                        std::string_view reason) = 0;
  // About what waits in memory for the transaction's end.
  virtual std::size_t bytes() const = 0;
  virtual base::Result<void> commit(const std::string& engine, std::uint64_t place) = 0;

  // A bounded part of what is to be done when nothing waits: statistics of days that have ended. False if that was all.
  // Not in a transaction.
  virtual base::Result<bool> maintain() = 0;

  // Missing parts of the sites' files of history.
  using VisitGap = std::function<void(const std::string& site, const std::string& epoch, Gap& gap)>;
  virtual void each_gap(const VisitGap& visit) = 0;
  // How many messages are kept aside.
  virtual std::size_t kept_aside() const = 0;

  // Lets the session go.
  virtual void forget() = 0;
  // Any thread. What it waits for is given up: it fails soon.
  virtual void cancel() = 0;
};

// Uses the options' url, keep and late_changes. Fails with unavailable as make_archive does.
base::Result<std::unique_ptr<FleetStore>> make_fleet_store(ArchiveOptions options, const base::Clock& clock);

}  // namespace hearth::archive
