// SPDX-License-Identifier: Apache-2.0
#include "automation/home/traces.h"

#include "automation/items/key_renames.h"
#include "automation/store/keys.h"
#include "base/json/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace hearth::automation {
namespace {

bool was_dropped(Execution how) {
  return how == Execution::failed_single || how == Execution::failed_max_runs;
}

bool was_stopped(Execution how) {
  return how == Execution::failed_conditions || was_dropped(how);
}

}  // namespace

std::shared_ptr<Trace> Traces::begin(const Item& item, const core::Context& context, std::string trigger,
                                     base::Timestamp now) {
  if (item.stored_traces == 0) return nullptr;
  return keep(std::make_shared<Trace>(item, context, std::move(trigger), now));
}

std::shared_ptr<Trace> Traces::go_on(const Item& item, const core::Context& context, const json::value& stored,
                                     const std::vector<json::object>& parts, base::Timestamp now) {
  if (item.stored_traces == 0) return nullptr;
  const auto* const known = stored.if_object();
  return keep(std::make_shared<Trace>(item, context, known ? *known : json::object(), parts, now));
}

std::shared_ptr<Trace> Traces::keep(std::shared_ptr<Trace> trace) {
  live_[std::string(trace->run_id().str())] = trace;
  return trace;
}

Trace* Traces::find(const base::Id& run) const {
  const auto found = live_.find(run.str());
  const auto trace = found == live_.end() ? nullptr : found->second.lock();
  return trace.get();
}

void Traces::end(const Item& item, const Trace& trace) {
  live_.erase(std::string(trace.run_id().str()));
  const std::string name = fmt::format("{}.{}", domain_of(item.kind), item.unique_id);
  Kept kept{fmt::format("{:012}", ++last_order_), trace.row(), trace.has_called(), was_stopped(trace.execution())};
  if (was_dropped(trace.execution())) kept.row["dropped"] = ++dropped_[name];
  std::string text = base::to_json(trace.whole(shown_in_traces(item)));
  if (journal_) {
    json::object entry = kept.row;
    entry["called"] = kept.called;
    entry["stopped"] = kept.stopped;
    journal_->put(keys::trace(name, kept.order), base::to_json(entry));
    journal_->put(keys::trace_text(name, kept.order), std::move(text));
  } else {
    kept.text = std::move(text);
  }
  KeptOfItem& all = kept_[name];
  all.push_back(std::move(kept));
  drop_old(name, all, item.stored_traces);
}

void Traces::drop_old(const std::string& item, KeptOfItem& all, std::size_t most) {
  const auto last = [&](auto&& is) {
    const auto found = std::find_if(all.rbegin(), all.rend(), is);
    return found == all.rend() ? std::string() : found->order;
  };
  const std::string last_call = last([](const Kept& each) { return each.called; }),
                    last_error = last([](const Kept& each) { return each.row.contains("error"); });
  std::size_t runs = 0, stopped = 0;
  for (std::size_t index = all.size(); index-- > 0;) {
    const Kept& each = all[index];
    const bool beyond = each.stopped ? ++stopped > std::min(most, kStopped) : ++runs > most;
    if (beyond && each.order != last_call && each.order != last_error) drop(item, all, index);
  }
}

void Traces::drop(const std::string& item, KeptOfItem& all, std::size_t index) {
  const auto place = all.begin() + static_cast<std::ptrdiff_t>(index);
  if (journal_) {
    journal_->remove(keys::trace(item, place->order));
    journal_->remove(keys::trace_text(item, place->order));
  }
  all.erase(place);
}

void Traces::forget(const std::string& item) {
  const auto found = kept_.find(item);
  dropped_.erase(item);
  if (found == kept_.end()) return;
  while (!found->second.empty()) drop(item, found->second, 0);
  kept_.erase(found);
}

void Traces::restore(const std::string& key, const json::object& row, bool known) {
  const auto slash = key.rfind('/');
  const std::string item = key.substr(keys::kTraces.size(), slash - keys::kTraces.size()),
                    order = key.substr(slash + 1);
  std::uint64_t number = 0;
  std::from_chars(order.data(), order.data() + order.size(), number);
  last_order_ = std::max(last_order_, number);
  KeptOfItem& all = kept_[item];
  Kept kept{order, row, base::flag_at(row, "called"), base::flag_at(row, "stopped"), {}};
  kept.row.erase("called");
  kept.row.erase("stopped");
  if (row.contains("dropped")) dropped_[item] = static_cast<std::uint64_t>(base::number_at(row, "dropped"));
  all.push_back(std::move(kept));
  if (!known) forget(item);
}

json::array Traces::list(std::string_view domain, std::string_view item_id) const {
  json::array rows;
  const auto fits = [&](const json::object& row) {
    return base::text_at(row, "domain") == domain && (item_id.empty() || base::text_at(row, "item_id") == item_id);
  };
  for (const auto& [item, all] : kept_) {
    for (const Kept& each : all) {
      if (fits(each.row)) rows.push_back(each.row);
    }
  }
  for (const auto& [id, trace] : live_) {
    if (const auto running = trace.lock()) {
      json::object row = running->row();
      if (fits(row)) rows.push_back(std::move(row));
    }
  }
  // Runs that go on, and runs that did not begin, have their place among the others.
  const auto start_of = [&](std::size_t index) {
    const json::object* const times = rows[index].get_object().if_contains("timestamp")
                                          ? rows[index].get_object().at("timestamp").if_object()
                                          : nullptr;
    return std::pair(times ? std::string(base::text_at(*times, "start")) : std::string(), index);
  };
  std::vector<std::pair<std::string, std::size_t>> order;
  for (std::size_t index = 0; index < rows.size(); ++index) order.push_back(start_of(index));
  std::ranges::sort(order);
  json::array sorted;
  for (const auto& [start, index] : order) sorted.push_back(std::move(rows[index]));
  return sorted;
}

json::object Traces::contexts() const {
  json::object contexts;
  const auto add = [&](const json::object& row) {
    const std::string run = base::text_at(row, "run_id");
    contexts[run] = json::object{{"run_id", json::string(run)},
                                 {"domain", json::string(base::text_at(row, "domain"))},
                                 {"item_id", json::string(base::text_at(row, "item_id"))}};
  };
  for (const auto& [item, all] : kept_) {
    for (const Kept& each : all) add(each.row);
  }
  for (const auto& [id, trace] : live_) {
    if (const auto running = trace.lock()) add(running->row());
  }
  return contexts;
}

void Traces::get(const std::string& item, const std::string& run_id, const json::object& about,
                 std::function<void(std::optional<std::string> text)> read) const {
  if (const auto found = live_.find(run_id); found != live_.end()) {
    const auto running = found->second.lock();
    if (running && running->item() == item) return read(base::to_json(running->whole(about)));
  }
  const auto all = kept_.find(item);
  if (all == kept_.end()) return read({});
  const auto kept =
      std::ranges::find_if(all->second, [&](const Kept& each) { return base::text_at(each.row, "run_id") == run_id; });
  if (kept == all->second.end()) return read({});
  if (!journal_) return read(kept->text);
  journal_->read(keys::trace_text(item, kept->order), std::move(read));
}

}  // namespace hearth::automation
