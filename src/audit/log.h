// SPDX-License-Identifier: Apache-2.0
// The audit log of a running hub. A thread of its own writes the rows: at once if it is idle; those that come while it
// writes are the next group, one transaction, so nobody waits for more than the group before and their own.
//
// A change is recorded before it is made, and waits for its row. At most kMaxWaiting rows wait; beyond, and while the
// file cannot be written, `record` fails, and the change is refused; if the log is not required, the change goes on,
// and the row is missing. Logins go on in any case: nobody is kept from a home whose disk is full. As soon as the file
// can be written again, which is tried every kRetry, a row kGap has the number of rows that are missing or refused.
//
// Construction, start and stop: one thread. All else: any thread.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audit/audit_file.h"
#include "audit/counts.h"
#include "audit/entry.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "base/threads/task_thread.h"

namespace hearth::audit {

struct LogOptions {
  bool required = true;                          // a change that cannot be recorded is refused
  base::Duration keep = std::chrono::days(366);  // kForever: nothing is cut
  static constexpr base::Duration kForever = base::Duration::max();

  bool operator==(const LogOptions&) const = default;
};

class Log {
 public:
  static constexpr std::size_t kMaxWaiting = 4'096;                      // rows
  static constexpr std::size_t kMaxGroup = 256;                          // rows of one transaction
  static constexpr base::Duration kRetry = std::chrono::seconds(2);      // after a failure
  static constexpr base::Duration kPatience = std::chrono::seconds(10);  // of `record_now`
  static constexpr base::Duration kCutInterval = std::chrono::hours(6);
  static constexpr std::size_t kMostPlaces = 4'096;  // tokens with an address that are remembered

  // On the log's thread, or the one that stops it, or at once; must not block. An error says that the change must not
  // be made.
  using Done = std::move_only_function<void(base::Result<void>)>;

  // `clock` must outlive this. The file need not be there, and need not be writable.
  Log(const std::filesystem::path& folder, const base::Clock& clock, LogOptions options = {});
  ~Log() { stop(); }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void start() { thread_.start(); }
  // Writes what waits. Later rows are refused.
  void stop();

  // Before a change.
  void record(Entry entry, Done done);
  // As `record`, and waits; not on a thread that serves others meanwhile.
  base::Result<void> record_now(Entry entry);
  // Waits as well, but what happened goes on even if it cannot be recorded.
  void note(Entry entry);
  // Counts an entry that may come very often (see Counts); nobody waits.
  void count(Entry entry, const boost::asio::ip::address& from);
  // A token or a session, `entry.subject`, is used from `entry.address`: records kNewAddress if it was never there.
  void note_place(Entry entry);

  // Why the log cannot be written; empty if it can.
  std::string failure() const;

  struct Page {
    std::vector<Row> rows;  // the latest first
    AuditFile::Extent extent;
    Head head;
  };
  // Calls `then` on the log's thread; false, without a call, if too many ask.
  bool read(std::int64_t before, std::size_t limit, std::move_only_function<void(base::Result<Page>)> then);

 private:
  enum class Need { change, happened, place };
  struct Waiting {
    Entry entry;
    Done done;  // null: nobody waits
    Need need;
  };

  void post(Waiting waiting);
  base::Duration between_tasks();
  // False if nothing was left to do.
  bool write_group(bool last);
  base::Result<void> write(std::span<const Entry> entries);
  base::Result<void> ensure_open();
  bool is_known_place(const Entry& entry);
  void cut_if_due();
  void set_failure(std::string text);
  base::Result<Page> read_page(std::int64_t before, std::size_t limit);
  void refuse(Waiting& waiting, const std::string& reason);

  const std::filesystem::path path_;
  const base::Clock& clock_;
  const LogOptions options_;
  Counts counts_;
  mutable base::Mutex mutex_;
  std::vector<Waiting> waiting_ __attribute__((guarded_by(mutex_)));  // at most kMaxWaiting
  std::string failure_ __attribute__((guarded_by(mutex_)));
  std::int64_t missing_ __attribute__((guarded_by(mutex_))) = 0;  // rows, since the last kGap
  bool stopped_ __attribute__((guarded_by(mutex_))) = false;
  // The log's thread only.
  std::optional<AuditFile> file_;
  std::map<std::string, std::string, std::less<>> places_;  // the last address of a token or session
  base::SteadyTime next_cut_;
  base::TaskThread thread_{"audit", "audit", {16}, [this] { return between_tasks(); }};
};

}  // namespace hearth::audit
