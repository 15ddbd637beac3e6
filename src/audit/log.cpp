// SPDX-License-Identifier: Apache-2.0
#include "audit/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "audit/kinds.h"
#include "base/log/log.h"

namespace hearth::audit {
namespace {

base::Error refusal(const std::string& reason) {
  return {base::ErrorCode::unavailable,
          fmt::format("Nothing was changed, because the audit log cannot be written: {}", reason)};
}

}  // namespace

Log::Log(const std::filesystem::path& folder, const base::Clock& clock, LogOptions options)
    : path_(folder / kFileName), clock_(clock), options_(options), next_cut_(clock.steady_now()) {}

void Log::stop() {
  {
    base::MutexLock lock(mutex_);
    if (std::exchange(stopped_, true)) return;
  }
  thread_.stop();
  while (write_group(true)) {
  }
  file_.reset();
}

void Log::record(Entry entry, Done done) {
  post({std::move(entry), std::move(done), Need::change});
}

base::Result<void> Log::record_now(Entry entry) {
  const auto answer = std::make_shared<std::promise<base::Result<void>>>();
  auto written = answer->get_future();
  record(std::move(entry), [answer](base::Result<void> done) { answer->set_value(std::move(done)); });
  if (written.wait_for(kPatience) == std::future_status::ready) return written.get();
  if (!options_.required) return {};
  return std::unexpected(refusal("the disk does not answer."));
}

void Log::note(Entry entry) {
  const auto written = std::make_shared<std::promise<void>>();
  auto answer = written->get_future();
  post({std::move(entry), [written](const base::Result<void>&) { written->set_value(); }, Need::happened});
  answer.wait_for(kPatience);
}

void Log::note_place(Entry entry) {
  post({std::move(entry), nullptr, Need::place});
}

void Log::count(Entry entry, const boost::asio::ip::address& from) {
  counts_.add(std::move(entry), from, clock_.steady_now());
}

void Log::post(Waiting waiting) {
  std::string reason;
  {
    base::MutexLock lock(mutex_);
    if (!stopped_ && waiting_.size() < kMaxWaiting) {
      waiting_.push_back(std::move(waiting));
    } else {
      reason = stopped_ ? "the hub stops." : "too many changes wait for it.";
      if (waiting.need != Need::place) ++missing_;
    }
  }
  if (reason.empty()) return thread_.wake();
  refuse(waiting, reason);
}

void Log::refuse(Waiting& waiting, const std::string& reason) {
  if (!waiting.done) return;
  if (options_.required && waiting.need == Need::change)
    waiting.done(std::unexpected(refusal(reason)));
  else
    waiting.done({});
}

std::string Log::failure() const {
  base::MutexLock lock(mutex_);
  return failure_;
}

void Log::set_failure(std::string text) {
  bool healed = false, failed = false;
  {
    base::MutexLock lock(mutex_);
    healed = text.empty() && !failure_.empty();
    failed = !text.empty() && failure_.empty();
    failure_ = text;
  }
  if (failed) base::log_error("audit", "the audit log cannot be written: {}", text);
  if (healed) base::log_info("audit", "the audit log can be written again");
}

base::Result<void> Log::ensure_open() {
  if (file_) return {};
  auto opened = AuditFile::open(path_);
  if (!opened) return std::unexpected(std::move(opened.error()));
  file_.emplace(std::move(*opened));
  return {};
}

base::Result<void> Log::write(std::span<const Entry> entries) {
  if (auto opened = ensure_open(); !opened) return opened;
  if (entries.empty()) return {};
  const auto written = file_->append(entries, clock_.now());
  if (written) return {};
  file_.reset();  // the next attempt opens it anew
  return std::unexpected(written.error());
}

// An address that is the last one is not looked up.
bool Log::is_known_place(const Entry& entry) {
  const auto last = places_.find(entry.subject);
  if (last != places_.end() && last->second == entry.address) return true;
  if (!file_) return false;
  const auto been = file_->has_been(entry.subject, entry.address);
  if (!been || !*been) return false;
  if (places_.size() >= kMostPlaces) places_.clear();
  places_.insert_or_assign(entry.subject, entry.address);
  return true;
}

bool Log::write_group(bool last) {
  std::vector<Waiting> group;
  std::int64_t missing = 0;
  bool failing = false;
  {
    base::MutexLock lock(mutex_);
    const std::size_t size = std::min(waiting_.size(), kMaxGroup);
    group.assign(std::make_move_iterator(waiting_.begin()),
                 std::make_move_iterator(waiting_.begin() + static_cast<std::ptrdiff_t>(size)));
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(size));
    missing = missing_;
    failing = !failure_.empty();
  }
  std::vector<Entry> entries;
  if (missing > 0) entries.push_back({.what = std::string(kind::kGap), .client = "hub", .count = missing});
  const std::vector<Entry> counted = counts_.take(clock_.steady_now(), last);
  entries.insert(entries.end(), counted.begin(), counted.end());
  if (!group.empty()) (void)ensure_open();             // if it fails, writing says so
  std::set<std::pair<std::string, std::string>> here;  // one row is enough
  std::erase_if(group, [&](const Waiting& each) {
    return each.need == Need::place &&
           (is_known_place(each.entry) || !here.emplace(each.entry.subject, each.entry.address).second);
  });
  for (const Waiting& each : group) entries.push_back(each.entry);
  if (entries.empty() && !failing) return false;

  const base::Result<void> written = write(entries);
  if (written) {
    set_failure({});
    base::MutexLock lock(mutex_);
    missing_ -= missing;
  } else {
    set_failure(written.error().message);
    base::MutexLock lock(mutex_);
    // A place is looked at again when the token is used again.
    missing_ += std::ranges::count_if(group, [](const Waiting& each) { return each.need != Need::place; });
    missing_ += static_cast<std::int64_t>(counted.size());
  }
  for (Waiting& each : group) {
    if (written && each.need == Need::place) (void)is_known_place(each.entry);
    if (!written)
      refuse(each, written.error().message);
    else if (each.done)
      each.done({});
  }
  if (written || !last) return true;
  base::MutexLock lock(mutex_);
  return !waiting_.empty();
}

void Log::cut_if_due() {
  if (options_.keep == LogOptions::kForever || clock_.steady_now() < next_cut_) return;
  next_cut_ = clock_.steady_now() + kCutInterval;
  if (!file_) return;
  const base::Timestamp now = clock_.now();
  if (auto cut = file_->cut(now - options_.keep, now); !cut) base::log_warning("audit", "{}", cut.error().message);
}

base::Duration Log::between_tasks() {
  if (!file_ && failure().empty()) {
    if (auto opened = ensure_open(); !opened) set_failure(opened.error().message);
  }
  cut_if_due();
  (void)write_group(false);
  if (!failure().empty()) return kRetry;
  {
    base::MutexLock lock(mutex_);
    if (!waiting_.empty() || missing_ > 0) return base::Duration(0);
  }
  return std::min<base::Duration>(counts_.pause(clock_.steady_now()), kCutInterval);
}

base::Result<Log::Page> Log::read_page(std::int64_t before, std::size_t limit) {
  if (auto opened = ensure_open(); !opened) return std::unexpected(std::move(opened.error()));
  auto rows = file_->rows_before(before, limit);
  if (!rows) return std::unexpected(std::move(rows.error()));
  auto extent = file_->extent();
  if (!extent) return std::unexpected(std::move(extent.error()));
  auto head = file_->head();
  if (!head) return std::unexpected(std::move(head.error()));
  return Page{std::move(*rows), *extent, std::move(*head)};
}

bool Log::read(std::int64_t before, std::size_t limit, std::move_only_function<void(base::Result<Page>)> then) {
  return thread_.post([this, before, limit, then = std::move(then)]() mutable { then(read_page(before, limit)); });
}

}  // namespace hearth::audit
