// SPDX-License-Identifier: Apache-2.0
// Clients while the bus thread is held up and its queue is full: readers are served, writers are told to
// come back, and nothing of what was refused happens later.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <latch>

#include "api/test_home.h"
#include "http/test_websocket.h"
#include "recorder/history.h"
#include "recorder/recorder.h"

namespace hearth::api {
namespace {

class FullBus : public testing::Test, private core::EventListener {
 protected:
  FullBus() {
    recorder_->listen(home_.hub.bus);
    history_.start();
    home_.api.serve({.recorder = recorder_.get(), .history = &history_});
    core::ServiceDescription description;
    description.domain = "test";
    description.service = "run";
    service_ = home_.hub.services.add(description, [this](const core::ServiceCall&, const core::ServiceReply& reply) {
      ++calls_;
      reply(nullptr);
    });
    home_.set("light.a", "off");
    events_ = home_.hub.bus.listen(core::EventFilter{}, *this);
    home_.start();
    settle();
    heard_.clear();
    home_.hub.bus.post([this] { go_on_.wait(); });
    while (home_.hub.bus.post(core::IfFull::fail, core::EventBus::kSmallTask, [this] { ++tasks_; })) ++posted_;
  }
  ~FullBus() override {
    release();
    home_.server.stop(std::chrono::milliseconds(0));
    home_.hub.bus.stop();
    history_.stop();
    recorder_->stop();
    std::filesystem::remove_all(folder_);
  }
  void on_event(const core::EventPtr& event) override { heard_ += event->type + " "; }

  // The bus goes on, and has done all that was queued.
  void release() {
    if (!std::exchange(released_, true)) go_on_.count_down();
    settle();
  }
  void settle() {
    std::latch done(1);
    home_.hub.bus.post([&] { done.count_down(); });
    done.wait();
  }
  int status(std::string_view method, std::string_view target, std::string_view body = "") {
    return home_.ask(method, target, home_.admin, body).status;
  }

  static std::filesystem::path make_folder() {
    auto folder = std::filesystem::path(testing::TempDir()) / fmt::format("full_bus_{}", ::getpid());
    std::filesystem::create_directories(folder);
    return folder;
  }

  const std::filesystem::path folder_ = make_folder();
  TestHome home_;
  const std::unique_ptr<recorder::Recorder> recorder_ = recorder::Recorder::open(folder_, home_.clock, {}).value();
  recorder::History history_{*recorder_};
  core::Registration service_;
  core::Subscription events_;
  std::latch go_on_{1};
  bool released_ = false;
  int calls_ = 0, tasks_ = 0, posted_ = 0;  // bus thread, or after release
  std::string heard_;
};

TEST_F(FullBus, RefusesWritersWith503WhileReadersAreServedOnEveryWorker) {
  const auto states = home_.hub.states.snapshot();
  // More often than there are workers, each of which has connections of its own.
  for (int round = 0; round < 6; ++round) {
    const auto refused = home_.ask("POST", "/api/states/light.a", home_.admin, R"({"state":"on"})");
    EXPECT_EQ(refused.status, 503);
    EXPECT_NE(refused.body.find("65536 events or 64 MiB"), std::string::npos) << refused.body;
    EXPECT_EQ(status("POST", "/api/states/light.new", R"({"state":"on"})"), 503);
    EXPECT_EQ(status("DELETE", "/api/states/light.a"), 503);
    EXPECT_EQ(status("POST", "/api/events/some_event", "{}"), 503);
    EXPECT_EQ(status("POST", "/api/services/test/run", R"({"entity_id":"light.a"})"), 503);
    EXPECT_EQ(status("GET", "/api/states/light.a"), 200);
    EXPECT_EQ(status("GET", "/api/states"), 200);
    EXPECT_EQ(status("GET", "/api/events"), 200);
    EXPECT_EQ(status("GET", "/api/services"), 200);
    // An error of the call is told before that it is no time for it.
    EXPECT_EQ(status("POST", "/api/states/light.a", "{}"), 400);
    EXPECT_EQ(status("POST", "/api/services/test/none", "{}"), 404);
  }
  EXPECT_EQ(home_.hub.states.snapshot(), states);
  release();
  EXPECT_EQ(heard_, "");
  EXPECT_EQ(calls_, 0);
  EXPECT_EQ(tasks_, posted_);
  EXPECT_EQ(home_.hub.states.snapshot(), states);

  EXPECT_EQ(status("POST", "/api/states/light.a", R"({"state":"on"})"), 200);
  EXPECT_EQ(status("POST", "/api/services/test/run", R"({"entity_id":"light.a"})"), 200);
  settle();
  EXPECT_EQ(heard_, "state_changed call_service ");
  EXPECT_EQ(calls_, 1);
}

TEST_F(FullBus, RefusesCommandsOfWebSocketsAndLetsThemListenAndRead) {
  http::WebSocketClient client(home_.server.port());
  client.open("/api/websocket", http::text_frame(R"({"type":"auth","access_token":")" + home_.admin + R"("})"));
  client.read_text();
  client.read_text();
  int id = 0;
  const auto answer = [&](std::string_view command) {
    client.send(http::text_frame(fmt::format(R"({{"id":{},{}}})", ++id, command)));
    const auto result = base::parse_json(client.read_text()).value();
    if (result.at("success") == true) return std::string("done");
    return std::string(result.at("error").at("code").get_string());
  };
  const std::string_view refused[] = {
      R"("type":"fire_event","event_type":"some_event")",
      R"("type":"call_service","domain":"test","service":"run","target":{"entity_id":"light.a"})",
      R"("type":"config/area_registry/create","name":"Kitchen")",
      R"("type":"config/floor_registry/create","name":"Ground")",
  };
  for (const auto command : refused) EXPECT_EQ(answer(command), "home_assistant_error") << command;
  EXPECT_EQ(answer(R"("type":"get_states")"), "done");
  EXPECT_EQ(answer(R"("type":"subscribe_events","event_type":"area_registry_updated")"), "done");
  EXPECT_EQ(answer(R"("type":"config/area_registry/list")"), "done");
  release();
  EXPECT_EQ(heard_, "");
  EXPECT_TRUE(home_.hub.registry.snapshot()->areas.empty());
  EXPECT_EQ(answer(refused[0]), "done");
  EXPECT_EQ(answer(refused[1]), "done");
}

TEST_F(FullBus, RefusesQuestionsAboutHistoryWhichWaitForWhatWasWritten) {
  const std::string_view question = "/api/history/period?filter_entity_id=light.a";
  EXPECT_EQ(status("GET", question), 503);
  http::WebSocketClient client(home_.server.port());
  client.open("/api/websocket", http::text_frame(R"({"type":"auth","access_token":")" + home_.admin + R"("})"));
  client.read_text();
  client.read_text();
  client.send(http::text_frame(
      R"({"id":1,"type":"history/stream","entity_ids":["light.a"],"start_time":"2026-11-21T00:00:00Z"})"));
  EXPECT_NE(client.read_text().find("home_assistant_error"), std::string::npos);
  release();
  EXPECT_EQ(status("GET", question), 200);
}

}  // namespace
}  // namespace hearth::api
