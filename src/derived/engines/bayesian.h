// SPDX-License-Identifier: Apache-2.0
// The probability of something that nobody measures, computed from the states of others by Bayes' rule for each
// observation.
#pragma once

#include <map>

#include "derived/engine.h"

namespace hearth::derived {

class Bayesian final : public Engine {
 public:
  struct Observation {
    enum class Kind { state, numeric, by_template };
    Kind kind = Kind::state;
    std::string entity_id;  // empty of a template
    std::string to_state;
    std::optional<double> above, below;
    std::size_t index = 0;  // of the plan's templates
    double if_true = 0, if_false = 0;
    bool one_of_many = false;   // of its entity: that it is not so says nothing, another one does
    json::object written = {};  // for the attribute
  };
  struct Options {
    double prior = 0, threshold = 0.5;
    std::vector<Observation> observations;
  };

  explicit Bayesian(Options options) : options_(std::move(options)) {}

  void receive(const Reading& reading) override;
  void receive_values(std::span<const base::Result<json::value>> values) override;
  Output show(const Moment& now) override;

 private:
  // Null if it cannot be said: then it does not count.
  std::optional<bool> observed(const Observation& observation) const;

  const Options options_;
  std::map<std::string, std::string, std::less<>> states_;  // known ones, by entity
  std::vector<std::optional<bool>> templates_;
  std::vector<std::string> complaints_;
};

}  // namespace hearth::derived
