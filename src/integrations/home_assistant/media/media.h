// SPDX-License-Identifier: Apache-2.0
// All that clients ask the hub there for through this one, beyond states and services: pictures, streams, videos,
// commands about mirrored entities, the past. Bus thread only.
//
// Bounds: FilesThere and StreamsThere; kMostAsked commands and kMostSubscribed subscriptions under way.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "domains/integration.h"
#include "integrations/home_assistant/media/addresses.h"
#include "integrations/home_assistant/media/files_there.h"
#include "integrations/home_assistant/media/streams_there.h"
#include "integrations/home_assistant/session/requests.h"

namespace hearth::integrations::home_assistant {

class Media final : public core::OtherHub {
 public:
  static constexpr std::size_t kMostAsked = 256, kMostSubscribed = 1'000;
  static constexpr std::chrono::seconds kAnswer{30}, kPast{10};

  // All must outlive it. REQUIRES: `home` has a reactor.
  Media(const domains::IntegrationHome& home, const Options& options, const MirroredIds& ids, Requests& requests,
        Addresses& addresses);
  ~Media() override;

  // As the session tells: Opened; Running, or a Picture that is; Lost.
  void connected();
  void running();
  void lost();

  bool tells_past() const override { return options_.history == Options::History::remote; }
  void picture(std::string_view entity_id, std::string_view rest, std::string_view query, Done<BodyPtr> done) override;
  void stream(std::string_view entity_id, Done<OpenedStream> done) override;
  void file(std::string_view path, std::string_view rest, std::string_view query, Done<BodyPtr> done) override;
  void events(std::string_view entity_id, std::string_view start, std::string_view end,
              Done<json::value> done) override;
  void ask(json::object command, bool controls, Done<json::value> done) override;
  base::Handle subscribe(json::object command, Done<json::value> done, std::function<void(json::value)> event) override;
  void past(json::object command, Done<json::object> done) override;

 private:
  struct Subscribed {
    json::object command;  // with the ids here
    std::function<void(json::value)> event;
    bool again;  // after a loss
    base::Handle handle;
  };

  // Replaces the ids of the command; false if it names an entity that is not mirrored.
  bool translate(json::object& command) const;
  // Fails if the section's `control` leaves out the entity.
  base::Result<void> may_control(std::string_view entity_id) const;
  base::Result<void> may_ask() const;
  std::string who() const { return access_.who; }
  void ask_there(json::object command, std::chrono::seconds limit, Done<json::value> done);
  base::Handle subscribe_there(std::uint64_t id, const Done<json::value>& done);

  core::Hub& hub_;
  const Options& options_;
  const MirroredIds& ids_;
  Requests& requests_;
  Addresses& addresses_;
  const FilesThere::Access access_;
  bool connected_ = false;
  std::size_t asked_ = 0;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Subscribed> subscribed_;
  net::HttpClient http_;
  FilesThere pictures_, videos_, answers_;
  StreamsThere streams_;
  const std::shared_ptr<Media*> self_ = std::make_shared<Media*>(this);  // expires with this
  const base::Handle added_;                                             // to the home's other hubs
};

}  // namespace hearth::integrations::home_assistant
