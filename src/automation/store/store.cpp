// SPDX-License-Identifier: Apache-2.0
#include "automation/store/store.h"

#include <algorithm>

namespace hearth::automation {

void Store::use(core::Journal& journal, const core::Journal::Entries& entries) {
  journal_ = &journal;
  // One piece of memory for all, which goes back to the system as a whole: of 10,000 runs it is 30 MB, in small pieces
  // between those of the runs made of it.
  const auto memory = json::make_shared_resource<json::monotonic_resource>();
  for (const auto& [key, text] : entries) {
    auto entry = base::parse_json(text, memory);
    if (entry && entry->is_object())
      left_.emplace(key, std::move(entry->get_object()));
    else
      journal.remove(key);
  }
}

void Store::put(std::string key, std::string text) const {
  if (journal_ && !stopping_) journal_->put(std::move(key), std::move(text));
}

void Store::forget(std::string_view key) const {
  if (journal_ && !stopping_) journal_->remove(key);
}

void Store::keep(const core::StatePtr& state) const {
  if (journal_ && state) journal_->keep(state);
}

void Store::when_written(std::function<void()> written) const {
  if (journal_)
    journal_->when_written(std::move(written));
  else
    written();
}

std::optional<json::object> Store::extract(std::string_view key) {
  const auto found = left_.find(key);
  if (found == left_.end()) return {};
  json::object entry = std::move(found->second);
  left_.erase(found);
  return entry;
}

Store::Entries Store::extract_all(std::string_view prefix) {
  Entries all;
  for (auto entry = left_.lower_bound(prefix); entry != left_.end() && entry->first.starts_with(prefix);
       entry = left_.erase(entry))
    all.emplace(entry->first.substr(prefix.size()), std::move(entry->second));
  return all;
}

bool Store::is_of_others(std::string_view key) const {
  return std::ranges::any_of(of_others_, [&](const std::string& prefix) { return key.starts_with(prefix); });
}

void Store::clear() {
  Entries of_others;
  for (const auto& [key, entry] : left_) {
    if (is_of_others(key)) of_others.emplace(key, entry);  // a copy in memory of its own
  }
  left_ = std::move(of_others);
}

const json::object* Store::find(std::string_view key) const {
  const auto found = left_.find(key);
  return found == left_.end() ? nullptr : &found->second;
}

void Store::replace(std::string key, json::object entry) {
  put(key, base::to_json(entry));
  left_.insert_or_assign(std::move(key), std::move(entry));
}

void Store::remove(std::string_view key) {
  const auto found = left_.find(key);
  if (found == left_.end()) return;
  left_.erase(found);
  forget(key);
}

}  // namespace hearth::automation
