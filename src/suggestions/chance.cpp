// SPDX-License-Identifier: Apache-2.0
#include "suggestions/chance.h"

#include <algorithm>
#include <cmath>

namespace hearth::suggestions {

double chance_of_at_least(std::size_t hits, std::size_t trials, double chance) {
  if (hits == 0) return 1;
  if (hits > trials || chance <= 0) return 0;
  if (chance >= 1) return 1;
  const auto n = static_cast<double>(trials);
  const double yes = std::log(chance), no = std::log1p(-chance);
  double sum = 0;
  for (std::size_t each = hits; each <= trials; ++each) {
    const auto k = static_cast<double>(each);
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * yes + (n - k) * no);
  }
  return std::min(sum, 1.0);
}

double least_share(std::size_t hits, std::size_t trials) {
  if (trials == 0) return 0;
  constexpr double kZ = 1.96;
  const auto n = static_cast<double>(trials);
  const double share = static_cast<double>(hits) / n;
  const double middle = share + kZ * kZ / (2 * n);
  const double spread = kZ * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n));
  return std::max(0.0, (middle - spread) / (1 + kZ * kZ / n));
}

}  // namespace hearth::suggestions
