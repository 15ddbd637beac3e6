// SPDX-License-Identifier: Apache-2.0
// Streams of cameras of the hub there: kMost at a time, each for one client, whom it waits for. Bus thread only; the
// streams themselves are on the thread `net`.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "integrations/home_assistant/media/files_there.h"
#include "integrations/home_assistant/media/stream_pipe.h"
#include "net/reactor/on_net.h"

namespace hearth::integrations::home_assistant {

class StreamThere;

class StreamsThere {
 public:
  static constexpr std::size_t kMost = 8;
  static constexpr std::chrono::seconds kFirstByte{10};

  using Done = core::OtherHub::Done<core::OtherHub::OpenedStream>;

  // News of one stream.
  struct News {
    std::uint64_t id;
    std::string content_type;  // it has begun
    std::string problem;       // or it has failed before; both are empty: it has ended
  };

  // All must outlive it.
  StreamsThere(domains::IntegrationBus& bus, net::Reactor& reactor, const FilesThere::Access& access);
  ~StreamsThere();

  // `done` is called once, later or at once; not after the end of this.
  void open(const std::string& path, Done done);
  std::size_t size() const { return open_.size(); }

 private:
  struct Open {
    std::shared_ptr<StreamPipe> pipe;
    std::unique_ptr<net::OnNet<StreamThere>> stream;
    Done done;          // null once it has begun
    core::Timer limit;  // until it begins
  };

  void take(const News& news);
  void refuse(std::uint64_t id, const std::string& problem);

  domains::IntegrationBus& bus_;
  net::Reactor& reactor_;
  const FilesThere::Access& access_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Open> open_;
  const std::shared_ptr<StreamsThere*> self_ = std::make_shared<StreamsThere*>(this);  // expires with this
};

}  // namespace hearth::integrations::home_assistant
