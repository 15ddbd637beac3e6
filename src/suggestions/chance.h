// SPDX-License-Identifier: Apache-2.0
// Computes how probable a number of coincidences is by chance alone. Any thread.
#pragma once

#include <cstddef>

namespace hearth::suggestions {

// That of `trials` at least `hits` succeed, if each succeeds with that chance.
double chance_of_at_least(std::size_t hits, std::size_t trials, double chance);

// The least share of hits, in 39 of 40 cases (Wilson's score interval).
double least_share(std::size_t hits, std::size_t trials);

}  // namespace hearth::suggestions
