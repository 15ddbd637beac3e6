// SPDX-License-Identifier: Apache-2.0
// Files of the hub there, asked for with the token: so many at a time, others wait; equal questions at a time, and
// within a second, share one answer. Bus thread only.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/services/other_hub.h"
#include "domains/entities/integration_bus.h"
#include "net/http/http_client.h"

namespace hearth::integrations::home_assistant {

class FilesThere {
 public:
  static constexpr std::size_t kMost = 8;           // at a time
  static constexpr std::size_t kMostWaiting = 256;  // questions that wait for their turn
  static constexpr std::size_t kMostSharing = 256;  // questions for one answer
  static constexpr std::size_t kMaxBytes = 16 * 1024 * 1024, kMaxKept = 32 * 1024 * 1024;
  static constexpr std::chrono::seconds kFirstByte{10}, kWhole{30}, kShared{1};

  using Done = core::OtherHub::Done<core::OtherHub::BodyPtr>;
  // True if such an answer is taken.
  using Takes = bool (*)(std::string_view media_type);

  struct Access {
    std::string who;           // for people
    net::HttpRequest request;  // with url (without a slash at its end), token and certificates
  };

  // All must outlive it. `shared`: how long an answer is kept for equal questions.
  FilesThere(domains::IntegrationBus& bus, net::HttpClient& http, const Access& access, Takes takes,
             std::chrono::seconds shared);

  // `path` begins with a slash. `done` is called once, later or at once; not after the end of this.
  void get(const std::string& path, Done done);

 private:
  struct Question {
    std::vector<Done> done;
    base::Handle asked = {};
    bool running = false;
  };
  struct Kept {
    core::OtherHub::BodyPtr body;
    core::Timer end;
  };

  void dispatch();
  void answered(const std::string& path, net::HttpResult result);
  base::Result<core::OtherHub::BodyPtr> read(net::HttpResult result) const;
  void keep(const std::string& path, core::OtherHub::BodyPtr body);

  domains::IntegrationBus& bus_;
  net::HttpClient& http_;
  const Access& access_;
  const Takes takes_;
  const std::chrono::seconds shared_;
  std::map<std::string, Question> questions_;
  std::deque<std::string> waiting_;  // paths
  std::size_t running_ = 0;
  std::map<std::string, Kept> kept_;
  std::size_t kept_bytes_ = 0;
};

// Pictures and drawings; parts of videos; JSON.
bool is_picture(std::string_view media_type);
bool is_video(std::string_view media_type);
bool is_json(std::string_view media_type);

}  // namespace hearth::integrations::home_assistant
