// SPDX-License-Identifier: Apache-2.0
// The order of a set's items: CPython's, whose sets are tables with open addressing, so that {3, 1, 2} prints as there.
// That is an order of numbers only; texts have another one each time Python starts, and stay in the order of their
// insertion here.
#include <cmath>
#include <cstdint>

#include "template/language/collections.h"

namespace hearth::templates {
namespace {

// hash(number), modulo the prime 2^61 - 1. Null for everything else.
std::optional<std::int64_t> hash_of_number(const Value& value) {
  constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
  if (const auto integer = as_int(value)) {
    const std::uint64_t size =
        *integer < 0 ? 0 - static_cast<std::uint64_t>(*integer) : static_cast<std::uint64_t>(*integer);
    const auto hash = static_cast<std::int64_t>(size % prime);
    const std::int64_t whole = *integer < 0 ? -hash : hash;
    return whole == -1 ? -2 : whole;
  }
  const auto* const number = value.get<double>();
  if (!number || !std::isfinite(*number)) return {};
  int exponent = 0;
  double rest = std::frexp(std::abs(*number), &exponent);
  std::uint64_t hash = 0;
  while (rest != 0) {  // 28 bits at a time
    hash = ((hash << 28) & prime) | hash >> (61 - 28);
    rest *= 0x1p28;
    exponent -= 28;
    const auto whole = static_cast<std::uint64_t>(rest);
    rest -= static_cast<double>(whole);
    hash += whole;
    if (hash >= prime) hash -= prime;
  }
  const int turn = exponent >= 0 ? exponent % 61 : 60 - (-1 - exponent) % 61;
  hash = ((hash << turn) & prime) | hash >> (61 - turn);
  const auto whole = *number < 0 ? -static_cast<std::int64_t>(hash) : static_cast<std::int64_t>(hash);
  return whole == -1 ? -2 : whole;
}

class HashTable {
 public:
  explicit HashTable(std::size_t size) : places_(size) {}

  void insert(std::int64_t hash, std::size_t item) {
    constexpr std::size_t neighbours = 9;
    const std::size_t mask = places_.size() - 1;
    auto perturb = static_cast<std::uint64_t>(hash);
    std::size_t place = perturb & mask;
    while (true) {
      const std::size_t last = place + neighbours <= mask ? place + neighbours : place;
      for (std::size_t at = place; at <= last; ++at) {
        if (places_[at]) continue;
        places_[at] = Entry{hash, item};
        ++used_;
        return;
      }
      perturb >>= 5;
      place = (place * 5 + 1 + perturb) & mask;
    }
  }

  void grow_if_full() {
    if (used_ * 5 < (places_.size() - 1) * 3) return;
    const std::size_t wanted = used_ > 50'000 ? used_ * 2 : used_ * 4;
    std::size_t size = 8;
    while (size <= wanted) size *= 2;
    HashTable larger(size);
    for (const auto& entry : places_) {
      if (entry) larger.insert(entry->hash, entry->item);
    }
    *this = std::move(larger);
  }

  std::vector<std::size_t> order() const {
    std::vector<std::size_t> items;
    for (const auto& entry : places_) {
      if (entry) items.push_back(entry->item);
    }
    return items;
  }

 private:
  struct Entry {
    std::int64_t hash;
    std::size_t item;
  };
  std::vector<std::optional<Entry>> places_;
  std::size_t used_ = 0;
};

}  // namespace

Values in_order_of_sets(Values items) {
  Dict seen;
  HashTable table(8);
  for (const Value& item : items) {
    if (seen.find(item)) continue;
    const auto hash = hash_of_number(item);
    if (!hash) return items;
    table.insert(*hash, seen.entries().size());
    table.grow_if_full();
    seen.set(item, true);
  }
  Values ordered;
  for (const std::size_t item : table.order()) ordered.push_back(seen.entries()[item].first);
  return ordered;
}

}  // namespace hearth::templates
