// SPDX-License-Identifier: Apache-2.0
// For tests: the messaging between sites and portals, in this process. It keeps messages in one order, and refuses or
// loses them only if the test says so.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fleet/link.h"

namespace hearth::fleet {

class TestExchange {
 public:
  std::unique_ptr<SiteLink> site(std::string name) { return std::make_unique<Site>(*this, std::move(name)); }
  std::unique_ptr<PortalLink> portal() { return std::make_unique<Portal>(*this); }

  // Every publish fails so, until it is given another.
  void refuse(std::optional<base::Error> why) {
    const std::lock_guard lock(mutex_);
    refusal_ = std::move(why);
  }
  // Messages from now on are acknowledged and lost, as by a server whose disk had not got them.
  void lose(bool loses) {
    const std::lock_guard lock(mutex_);
    loses_ = loses;
  }
  // The kept messages, of one kind.
  std::vector<Message> kept(Kind kind) {
    const std::lock_guard lock(mutex_);
    std::vector<Message> found;
    for (const Message& message : messages_) {
      if (message.kind == kind) found.push_back(message);
    }
    return found;
  }
  void put(Kind kind, std::string site, std::string payload) {
    const std::lock_guard lock(mutex_);
    keep(kind, std::move(site), 0, std::move(payload));
  }
  void publish_alive(const std::string& site, const std::string& payload) {
    std::vector<std::function<void(std::string, std::string)>> hearers;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [who, hear] : hearers_) hearers.push_back(hear);
    }
    for (const auto& hear : hearers) hear(site, payload);
  }

 private:
  struct Kept : Message {
    std::size_t part = 0;
  };
  class Site final : public SiteLink {
   public:
    Site(TestExchange& exchange, std::string name) : exchange_(exchange), name_(std::move(name)) {}
    ~Site() override { answer(nullptr); }
    base::Result<void> publish(Kind kind, std::size_t part, std::string_view id, std::string_view payload) override {
      const std::lock_guard lock(exchange_.mutex_);
      if (exchange_.refusal_) return std::unexpected(*exchange_.refusal_);
      if (!exchange_.loses_ && exchange_.ids_.insert(std::string(id)).second)
        exchange_.keep(kind, name_, part, std::string(payload));
      return {};
    }
    void publish_alive(std::string_view payload) override { exchange_.publish_alive(name_, std::string(payload)); }
    void answer(Answer answer) override {
      const std::lock_guard lock(exchange_.mutex_);
      if (answer)
        exchange_.answers_[name_] = std::move(answer);
      else
        exchange_.answers_.erase(name_);
    }
    std::vector<std::string> weaknesses() const override { return {}; }
    void cancel() override {}

   private:
    TestExchange& exchange_;
    const std::string name_;
  };
  class Reader final : public FleetReader {
   public:
    explicit Reader(TestExchange& exchange) : exchange_(exchange) {}
    base::Result<std::string> name() override { return "exchange"; }
    // Each message is a piece.
    base::Result<void> latest(const Take& take) override {
      for (const Kind kind : {Kind::registry, Kind::snapshot}) {
        std::map<std::pair<std::string, std::size_t>, Message> newest;
        {
          const std::lock_guard lock(exchange_.mutex_);
          for (const Kept& message : exchange_.messages_) {
            if (message.kind == kind) newest[{message.site, message.part}] = message;
          }
        }
        for (auto& [key, message] : newest) take({std::move(message)});
      }
      return {};
    }
    base::Result<Messages> read(std::uint64_t after, std::size_t most, base::Duration patience) override {
      std::unique_lock lock(exchange_.mutex_);
      exchange_.changed_.wait_for(lock, patience, [&] { return cancelled_ || exchange_.messages_.size() > after; });
      if (cancelled_) return base::fail(base::ErrorCode::unavailable, "It was cancelled.");
      Messages read;
      read.until = after;
      while (read.list.size() < most && read.until < exchange_.messages_.size())
        read.list.push_back(exchange_.messages_[read.until++]);
      read.at_end = read.until == exchange_.messages_.size();
      return read;
    }
    void cancel() override {
      const std::lock_guard lock(exchange_.mutex_);
      cancelled_ = true;
      exchange_.changed_.notify_all();
    }

   private:
    TestExchange& exchange_;
    bool cancelled_ = false;
  };
  class Portal final : public PortalLink {
   public:
    explicit Portal(TestExchange& exchange) : exchange_(exchange) {}
    ~Portal() override { hear_alive(nullptr); }
    base::Result<std::unique_ptr<FleetReader>> reader() override { return std::make_unique<Reader>(exchange_); }
    void hear_alive(std::function<void(std::string, std::string)> hear) override {
      const std::lock_guard lock(exchange_.mutex_);
      if (hear)
        exchange_.hearers_[this] = std::move(hear);
      else
        exchange_.hearers_.erase(this);
    }
    void ask(std::string_view site, std::string request, base::Duration,
             std::function<void(base::Result<std::string>)> answered) override {
      SiteLink::Answer answer;
      {
        const std::lock_guard lock(exchange_.mutex_);
        const auto found = exchange_.answers_.find(site);
        if (found != exchange_.answers_.end()) answer = found->second;
      }
      if (!answer) return answered(base::fail(base::ErrorCode::unavailable, "Nobody listens there."));
      answer(std::move(request), [answered](std::string text) { answered(std::move(text)); });
    }
    std::vector<std::string> weaknesses() const override { return {}; }
    void cancel() override {}

   private:
    TestExchange& exchange_;
  };

  void keep(Kind kind, std::string site, std::size_t part, std::string payload) {
    Kept message;
    message.kind = kind;
    message.site = std::move(site);
    message.payload = std::move(payload);
    message.place = messages_.size() + 1;
    message.part = part;
    messages_.push_back(std::move(message));
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Kept> messages_;
  std::set<std::string> ids_;
  std::map<std::string, SiteLink::Answer, std::less<>> answers_;
  std::map<const void*, std::function<void(std::string, std::string)>> hearers_;
  std::optional<base::Error> refusal_;
  bool loses_ = false;
};

}  // namespace hearth::fleet
