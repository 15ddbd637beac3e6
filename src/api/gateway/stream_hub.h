// SPDX-License-Identifier: Apache-2.0
// Carries events from the bus to the readers of /api/stream, in two steps: the bus thread builds a frame once and puts
// it into the inbox of each worker that has readers; the worker appends the same bytes to each reader's queue and sends
// what waits in one write.
//
// Inbox: at most kMaxInbox frames and kMaxInboxBytes; beyond that the worker is so far behind that all its readers are
// cut.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "auth/authenticator.h"
#include "core/bus/event_bus.h"
#include "http/messages/handler.h"
#include "http/worker.h"

namespace hearth::api {

class StreamHub final : public core::EventListener {
 public:
  static constexpr std::size_t kMaxInbox = 65'536;
  static constexpr std::size_t kMaxInboxBytes = 64 * 1024 * 1024;
  static constexpr std::chrono::seconds kPingInterval{50};  // specification, section 6

  StreamHub(core::EventBus& bus, const base::Clock& clock, const auth::Authenticator& authenticator);
  ~StreamHub() override;

  // Once, before the workers start: those whose requests may open streams.
  void attach(const std::vector<std::unique_ptr<http::Worker>>& workers);

  // The responder's worker. Attaches the listener, then answers: no event falls between. `last_event_id` empty: from
  // now on. REQUIRES: the caller is an administrator, who may hear everything.
  void open(core::EventFilter filter, std::shared_ptr<const auth::Identity> caller, std::string last_event_id,
            http::Responder responder);

  // Any thread. Ends the streams of callers who may no longer read; each worker does so on its own thread, soon.
  void check_callers();

 private:
  struct Reader;
  class Fanout;

  void on_event(const core::EventPtr& event) override;
  http::FramePtr make_frame(const core::Event& event) const;
  // The sequence number in an id of ours, if it is from this run of the hub.
  std::optional<std::uint64_t> parse_id(std::string_view last_event_id) const;

  core::EventBus& bus_;
  const base::Clock& clock_;
  const auth::Authenticator& authenticator_;
  const std::string run_id_;  // tells this run's event ids from another's
  const http::FramePtr ping_;
  std::vector<std::unique_ptr<Fanout>> fanouts_;  // by worker index
};

}  // namespace hearth::api
