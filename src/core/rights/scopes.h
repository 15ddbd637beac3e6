// SPDX-License-Identifier: Apache-2.0
// The scopes of a token: the kinds of things that it may do of what its user may. A value; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::core {

enum class Scope : std::uint8_t {
  read,        // states, registry and events that the user may read
  control,     // service calls, states, and what the user keeps for themselves; includes read
  fire_event,  // events
  history,     // history, logbook, statistics; includes read
  templates,   // templates; includes read
  admin,       // what is for administrators, if the user is one; includes read
  metrics,     // GET /api/prometheus, whoever the user is
  account,     // the user's own account. No token is given it: only what has no scopes has it
};

class Scopes {
 public:
  // All: of sessions, and of tokens that were given none.
  constexpr Scopes() = default;
  static constexpr Scopes none() { return Scopes(0); }
  static constexpr Scopes only(Scope scope) { return Scopes(bit(scope)); }
  // Of their words, with the scopes that they include; none of no words. Fails with invalid; the message names the
  // word and the existing scopes.
  static base::Result<Scopes> parse(std::span<const std::string> words);
  // As `text` writes them. A word that this program does not know allows nothing.
  static Scopes stored(std::string_view text);

  constexpr Scopes without(Scope scope) const { return Scopes(bits_ & static_cast<std::uint8_t>(~bit(scope))); }
  constexpr bool has(Scope scope) const { return (bits_ & bit(scope)) != 0; }
  // False if there is a limit.
  constexpr bool all() const { return bits_ == kAll; }
  // True if metrics is all that it may do.
  constexpr bool metrics_only() const { return (bits_ & ~bit(Scope::metrics)) == 0; }
  // `all`, or the words in the order above, `read,control`.
  std::string text() const;

  bool operator==(const Scopes&) const = default;

 private:
  static constexpr std::uint8_t bit(Scope scope) {
    return static_cast<std::uint8_t>(1u << static_cast<unsigned>(scope));
  }
  static constexpr std::uint8_t kAll = 0xff & ~(1u << static_cast<unsigned>(Scope::metrics));

  explicit constexpr Scopes(std::uint8_t bits) : bits_(bits) {}

  std::uint8_t bits_ = kAll;
};

std::string_view to_string(Scope scope);

}  // namespace hearth::core
