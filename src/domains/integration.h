// SPDX-License-Identifier: Apache-2.0
// What brings entities into the home. One folder under integrations/ each; created by a factory
// `base::Result<std::unique_ptr<Integration>> (*)(core::Hub&, Domains&, const Options&)`, which checks the options and
// does no more. Bus thread only.
#pragma once

namespace hearth::domains {

class Integration {
 public:
  virtual ~Integration() = default;
  // Adds the entities and begins to drive them.
  virtual void start() = 0;
  // Ends all that moves by itself; the entities keep their states. The entities are not commanded after it.
  virtual void stop() = 0;
};

}  // namespace hearth::domains
