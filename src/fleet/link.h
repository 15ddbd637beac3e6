// SPDX-License-Identifier: Apache-2.0
// The messaging that a fleet needs between sites and portals: messages that are stored in one order, messages that are
// not stored, questions with an answer. Payloads are opaque here.
//
// The engine tells which site a message is from, by the subject that only this site may publish to; the payload must
// name the same site.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace hearth::fleet {

enum class Kind {
  log,       // a Batch
  snapshot,  // all states of the site, or a part of them
  registry,  // areas, devices and entities
};
std::string_view to_string(Kind kind);

// Of one site. Any thread, except that only one publishes.
class SiteLink {
 public:
  // Called once, on any thread.
  using Reply = std::function<void(std::string answer)>;
  // Runs on the link's thread; must not block.
  using Answer = std::function<void(std::string request, Reply reply)>;

  virtual ~SiteLink() = default;
  // Returns after the engine keeps it. One with an id that came in the last minutes is kept once. `part`: of a
  // snapshot; 0 for others. Fails with unavailable if the engine is not there, with full if it has no room, with
  // forbidden if this site may not, with invalid if it takes no message of this size.
  virtual base::Result<void> publish(Kind kind, std::size_t part, std::string_view id, std::string_view payload) = 0;
  // Not kept, and no failure if nobody hears it.
  virtual void publish_alive(std::string_view payload) = 0;
  // From now on; null: no more, and none runs after the return. Requests that came before are not answered.
  virtual void answer(Answer answer) = 0;
  // A fault of the engine though it works, such as an old version; empty if there is none.
  virtual std::vector<std::string> weaknesses() const = 0;
  // Gives up waiting questions: they fail soon, and so does everything after.
  virtual void cancel() = 0;
};

struct Message {
  Kind kind = Kind::log;
  std::string site;
  std::string payload;
  std::uint64_t place = 0;  // in the engine's order of all kept messages; from 1
  base::Timestamp kept_at;  // by the engine's clock
};

struct Messages {
  std::vector<Message> list;  // in the engine's order
  // Everything up to this place has been read. Below the place that was asked for: the engine has lost its newest
  // messages, and uses their places again.
  std::uint64_t until = 0;
  bool at_end = false;  // there was no more
};

// Reads the kept messages of all sites in their order. One thread at a time.
class FleetReader {
 public:
  virtual ~FleetReader() = default;
  // Another name: the engine has forgotten everything, and places begin anew. Fails with unavailable.
  virtual base::Result<std::string> name() = 0;
  // The newest registry of each site, and then the newest snapshot parts, each by its own place. `take` gets them in
  // pieces. Fails with unavailable, also after some pieces.
  using Take = std::function<void(std::vector<Message> piece)>;
  virtual base::Result<void> latest(const Take& take) = 0;
  // Messages after the place, at most `most` and about 16 MiB; waits up to `patience` for the first. Messages that the
  // engine has dropped are skipped. Fails with unavailable, also if the engine's name is not the one that name() said.
  virtual base::Result<Messages> read(std::uint64_t after, std::size_t most, base::Duration patience) = 0;
  // Any thread. A read that waits returns soon, and so does everything after.
  virtual void cancel() = 0;
};

// Of a portal. Any thread.
class PortalLink {
 public:
  virtual ~PortalLink() = default;
  virtual base::Result<std::unique_ptr<FleetReader>> reader() = 0;
  // Runs on the link's thread; must not block. Null: no more, and none runs after the return.
  virtual void hear_alive(std::function<void(std::string site, std::string payload)> hear) = 0;
  // `answered` is called once, on any thread or by this call, at the latest after `patience`: with unavailable if the
  // site is not there or does not answer in time.
  virtual void ask(std::string_view site, std::string request, base::Duration patience,
                   std::function<void(base::Result<std::string> answer)> answered) = 0;
  virtual std::vector<std::string> weaknesses() const = 0;
  virtual void cancel() = 0;
};

// How to reach the engine.
struct LinkOptions {
  std::vector<std::string> servers;  // nats://host:4222, tls://host:4222
  std::string credentials;           // a file with the JWT and the key of a user; empty: none
  std::string user, password;        // otherwise
  std::string ca;                    // a file with the certificates to trust; empty: the system's
  std::string certificate, key;      // files; empty: none
  std::string stream = "HEARTH";     // JetStream's name of all that is kept
  std::string prefix = "hearth";     // of each subject

  // Of a portal that finds no such stream.
  base::Duration keep = std::chrono::days(7);
  std::int64_t max_bytes = std::int64_t{8} << 30;
  int replicas = 1;

  bool operator==(const LinkOptions&) const = default;
};

// Return at once; the connection is made, and made again, in the background. Fail with unavailable if this hub was
// built without NATS or its library is not installed, with invalid if a file or an address is no good.
base::Result<std::unique_ptr<SiteLink>> connect_site(const LinkOptions& options, std::string site);
base::Result<std::unique_ptr<PortalLink>> connect_portal(const LinkOptions& options);

}  // namespace hearth::fleet
