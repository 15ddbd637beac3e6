// SPDX-License-Identifier: Apache-2.0
// Answers to commands that come later than the command returns: done, or the device's words why not. The service call
// that gave the command waits for them, kLimit at most, and fails if one of them is a refusal.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "core/bus/event_bus.h"
#include "core/services/service_call.h"

namespace hearth::domains {

class Entity;

// The answer that a device owes. Only the first word counts. If the last copy goes without one, such as with its
// connection, the call fails and says so. Any thread, as long as the hub lives; a copy for nobody does nothing.
class CommandAnswer {
 public:
  CommandAnswer() = default;

  void done() const;
  // `words`: the device's, or about it, for people: a sentence.
  void refuse(std::string_view words) const;

 private:
  friend class LaterAnswers;
  class Owed;
  explicit CommandAnswer(std::shared_ptr<Owed> owed) : owed_(std::move(owed)) {}

  std::shared_ptr<Owed> owed_;  // null: nobody waits
};

// The calls that wait for answers. Bus thread, except construction and destruction, which need the bus stopped or not
// started; a call that still waits then fails.
class LaterAnswers {
 public:
  static constexpr base::Duration kLimit = std::chrono::seconds(10);
  static constexpr std::size_t kMaxNamed = 5;    // entities that refuse, in the error of a call
  static constexpr std::size_t kMaxWords = 300;  // bytes of what one of them says

  // The bus must outlive this.
  explicit LaterAnswers(core::EventBus& bus) : calls_(std::make_shared<Calls>(bus)) {}
  ~LaterAnswers();
  LaterAnswers(const LaterAnswers&) = delete;
  LaterAnswers& operator=(const LaterAnswers&) = delete;

  // The commands of one call, while they are given. Lives on the stack of the call's handler.
  class Commands {
   public:
    // `all` must outlive it.
    Commands(LaterAnswers& all, core::ServiceReply reply) : all_(all), reply_(std::move(reply)) {}
    ~Commands();
    Commands(const Commands&) = delete;
    Commands& operator=(const Commands&) = delete;

    // Gives one of them: what this entity expects meanwhile is for this call.
    template <class Work>
    bool give(const Entity& entity, const Work& work) {
      const Scope scope(all_, {this, &entity});
      return work();
    }
    // All have been given. Replies with an error at once, otherwise when all answers are there.
    void end(base::Result<void> given);

   private:
    friend class LaterAnswers;
    LaterAnswers& all_;
    core::ServiceReply reply_;
    std::uint64_t call_ = 0;  // 0: no answer is expected yet
  };

  // For an entity whose device is being commanded. Nobody waits for it if no call has given the command.
  CommandAnswer expect(const Entity& entity);

 private:
  friend class CommandAnswer::Owed;
  struct Call {
    core::ServiceReply reply = {};                   // null while commands are given
    std::map<std::uint64_t, std::string> open = {};  // entity ids, by the answer's number
    std::vector<std::string> refusals = {};
    core::Timer limit = {};
  };
  struct Calls {
    explicit Calls(core::EventBus& its_bus) : bus(its_bus) {}
    void answered(std::uint64_t call, std::uint64_t answer, base::Result<void> result);
    void late(std::uint64_t call);
    void reply_if_complete(std::map<std::uint64_t, Call>::iterator call);

    core::EventBus& bus;
    std::map<std::uint64_t, Call> calls = {};
    std::uint64_t last = 0;  // number, of a call or of an answer
  };
  struct Giving {
    Commands* commands = nullptr;
    const Entity* entity = nullptr;  // compared only: its command may have removed it
  };
  class Scope {
   public:
    Scope(LaterAnswers& all, Giving giving) : all_(all), before_(std::exchange(all.giving_, giving)) {}
    ~Scope() { all_.giving_ = before_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    LaterAnswers& all_;
    const Giving before_;
  };

  const std::shared_ptr<Calls> calls_;
  Giving giving_;
};

}  // namespace hearth::domains
