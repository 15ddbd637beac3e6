// SPDX-License-Identifier: Apache-2.0
#include "core/rights/scopes.h"

#include <fmt/format.h>

#include <utility>

namespace hearth::core {
namespace {

constexpr std::pair<std::string_view, Scope> kScopeWords[] = {
    {"read", Scope::read},       {"control", Scope::control},    {"fire_event", Scope::fire_event},
    {"history", Scope::history}, {"template", Scope::templates}, {"admin", Scope::admin},
    {"metrics", Scope::metrics}};

// Nobody can use what they cannot see.
constexpr bool includes_read(Scope scope) {
  return scope != Scope::fire_event && scope != Scope::metrics;
}

const Scope* find_scope(std::string_view word) {
  for (const auto& [known, scope] : kScopeWords) {
    if (known == word) return &scope;
  }
  return nullptr;
}

}  // namespace

std::string_view to_string(Scope scope) {
  for (const auto& [word, known] : kScopeWords) {
    if (known == scope) return word;
  }
  return "account";
}

base::Result<Scopes> Scopes::parse(std::span<const std::string> words) {
  Scopes scopes = none();
  for (const std::string& word : words) {
    const Scope* const scope = find_scope(word);
    if (!scope) {
      std::string known;
      for (const auto& [name, each] : kScopeWords) known.append(known.empty() ? "" : ", ").append(name);
      return base::fail(base::ErrorCode::invalid, fmt::format("There is no scope {}; the scopes are {}.", word, known));
    }
    scopes.bits_ |= bit(*scope);
    if (includes_read(*scope)) scopes.bits_ |= bit(Scope::read);
  }
  return scopes;
}

Scopes Scopes::stored(std::string_view text) {
  if (text == "all") return {};
  Scopes scopes = none();
  while (!text.empty()) {
    const std::size_t end = text.find(',');
    if (const Scope* const scope = find_scope(text.substr(0, end))) scopes.bits_ |= bit(*scope);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return scopes;
}

std::string Scopes::text() const {
  if (all()) return "all";
  std::string text;
  for (const auto& [word, scope] : kScopeWords) {
    if (has(scope)) text.append(text.empty() ? "" : ",").append(word);
  }
  return text;
}

}  // namespace hearth::core
