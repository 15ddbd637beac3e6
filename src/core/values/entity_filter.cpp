// SPDX-License-Identifier: Apache-2.0
#include "core/values/entity_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace hearth::core {
namespace {

bool holds(const std::vector<std::string>& sorted, std::string_view text) {
  return std::ranges::binary_search(sorted, text, std::less<>());
}

std::vector<Glob> compile(const std::vector<std::string>& globs) {
  std::vector<Glob> compiled;
  compiled.reserve(globs.size());
  for (const std::string& glob : globs) compiled.emplace_back(glob);
  return compiled;
}

std::size_t bytes_of(const std::vector<std::string>& texts) {
  std::size_t bytes = texts.size() * sizeof(std::string);
  for (const std::string& text : texts) bytes += text.size();
  return bytes;
}

}  // namespace

void make_unique(std::vector<std::string>& texts) {
  std::ranges::sort(texts);
  const auto again = std::ranges::unique(texts);
  texts.erase(again.begin(), again.end());
}

void make_unique_in_order(std::vector<std::string>& texts) {
  std::unordered_set<std::string_view> seen;
  std::size_t kept = 0;
  seen.reserve(texts.size());
  for (std::string& text : texts) {
    if (seen.contains(text)) continue;
    std::string& place = texts[kept++];
    if (&place != &text) place = std::move(text);
    seen.insert(place);
  }
  texts.resize(kept);
}

base::Result<void> bound_list(std::vector<std::string>& texts, std::string_view what, const Limits& limits) {
  make_unique_in_order(texts);
  return check_entries(what, texts.size(), limits);
}

EntityFilter::Rule::Rule(std::vector<std::string> entity_ids, std::vector<std::string> domains,
                         std::vector<std::string> globs)
    : entity_ids_(std::move(entity_ids)), domains_(std::move(domains)) {
  make_unique(entity_ids_);
  make_unique(domains_);
  make_unique(globs);
  globs_ = compile(globs);
}

base::Result<EntityFilter::Rule> EntityFilter::Rule::create(std::vector<std::string> entity_ids,
                                                            std::vector<std::string> domains,
                                                            std::vector<std::string> globs, const Limits& limits) {
  make_unique(entity_ids);
  make_unique(domains);
  make_unique(globs);
  if (auto few = check_entries("entities", entity_ids.size(), limits); !few) return std::unexpected(few.error());
  if (auto few = check_entries("domains", domains.size(), limits); !few) return std::unexpected(few.error());
  if (globs.size() > limits.filter_globs) {
    return base::fail(base::ErrorCode::invalid, fmt::format("entity_globs: {} patterns, and {} are the limit "
                                                            "(filter_globs).",
                                                            globs.size(), limits.filter_globs));
  }
  for (const std::string& glob : globs) {
    if (auto fits = check_glob(glob, limits); !fits) return std::unexpected(fits.error());
  }
  return Rule(std::move(entity_ids), std::move(domains), std::move(globs));
}

bool EntityFilter::Rule::names_id(std::string_view entity_id) const {
  return holds(entity_ids_, entity_id);
}

bool EntityFilter::Rule::names_by_glob(std::string_view entity_id) const {
  return std::ranges::any_of(globs_, [&](const Glob& glob) { return glob.matches(entity_id); });
}

bool EntityFilter::Rule::names_domain_of(std::string_view entity_id) const {
  return holds(domains_, entity_id.substr(0, entity_id.find('.')));
}

bool EntityFilter::Rule::names(std::string_view entity_id) const {
  return names_id(entity_id) || names_by_glob(entity_id) || names_domain_of(entity_id);
}

std::size_t EntityFilter::Rule::weight() const {
  std::size_t bytes = bytes_of(entity_ids_) + bytes_of(domains_);
  for (const Glob& glob : globs_) bytes += glob.weight();
  return bytes;
}

bool EntityFilter::matches(std::string_view entity_id) const {
  if (all()) return true;
  for (const auto names : {&Rule::names_id, &Rule::names_by_glob, &Rule::names_domain_of}) {
    if ((include.*names)(entity_id)) return true;
    if ((exclude.*names)(entity_id)) return false;
  }
  return include.empty();
}

}  // namespace hearth::core
