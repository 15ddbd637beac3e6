// SPDX-License-Identifier: Apache-2.0
// Moves in from another hub: takes its backup, looks what would come, and makes a home of it. The app implements it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::api {

class Imports {
 public:
  // Of the one backup that a home without a user starts from, so that strangers cannot fill the disk.
  static constexpr std::string_view kFirstStart = "first_start";

  struct Order {
    std::string source;           // "upload:NAME" or "folder:/path"
    std::string passphrase;       // of a backup that has one
    std::string history = "all";  // of the past: all, none, or a number of days such as 30d
    bool credentials = true;      // passwords, tokens and sessions, too
    bool automations_off = false;
    bool side_by_side = false;  // the old hub goes on running
  };
  // Fields as the endpoints answer them.
  using Done = std::function<void(base::Result<json::object>)>;
  using Finished = std::function<void(base::Result<void>)>;
  using Put = std::function<void(const json::object& event)>;

  // Any thread, one call at a time. If destroyed before the end, it leaves nothing.
  class Upload {
   public:
    virtual ~Upload() = default;
    // The next bytes; `then` gets whether more are wanted. Not after a false: finish says why.
    virtual void write(std::string bytes, std::move_only_function<void(bool)> then) = 0;
    // After the last bytes. Gets the source. Fails with invalid if it is no backup of that hub, with unavailable.
    virtual void finish(Done done) = 0;
  };

  virtual ~Imports() = default;

  // All: any thread. Callbacks run once, on threads of their own, unless the hub ends before.

  // `name` as typed; empty: from the time. Fails with invalid for a name that is none, with unavailable while another
  // is uploaded.
  virtual base::Result<std::unique_ptr<Upload>> upload(std::string_view name) = 0;
  // {sources, state}.
  virtual void list(Done done) = 0;
  // Of an upload. Fails with not_found.
  virtual void remove(std::string name, Finished done) = 0;

  // A dry run; gets the report. Ends if the result is destroyed. Both fail with not_found if there is no such source,
  // with conflict while another import is under way, with throttled after too many tries of a passphrase.
  virtual base::Result<std::shared_ptr<void>> look(Order order, Done done) = 0;
  // Goes on without whoever has begun it; at a first start the hub then restarts.
  virtual base::Result<void> start(Order order) = 0;
  // Until a passphrase may be tried again.
  virtual std::chrono::seconds retry_after() = 0;
  // Calls `put` with each event of what is under way, or begins next, until the result is destroyed: {step, done, of,
  // rows, seconds_left}; at last {report} or {error}.
  virtual std::shared_ptr<void> follow(Put put) = 0;
  // Ends what is under way, or forgets what is ready. No effect otherwise.
  virtual void cancel(Finished done) = 0;

  // {state, source?, step?, done?, of?, rows?, seconds_left?, error?}
  virtual json::object state() = 0;
  // {state, report, to_do}: of the last import.
  virtual void report(Done done) = 0;
  // Somebody says that this is done. Fails with not_found.
  virtual void mark_done(std::string id, Finished done) = 0;
  // The hub restarts, and is the new home. Fails with conflict if none is ready.
  virtual base::Result<void> restart() = 0;
};

}  // namespace hearth::api
