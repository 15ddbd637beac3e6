// SPDX-License-Identifier: Apache-2.0
// Lists the registries of the hub there. A list that it does not know, or does not give, is empty. Thread `net` only.
#pragma once

#include <cstdint>
#include <functional>

#include "integrations/home_assistant/connection/commands.h"
#include "integrations/home_assistant/session/news.h"

namespace hearth::integrations::home_assistant {

class RegistryListing {
 public:
  // Whole entries that are asked for at once.
  static constexpr std::size_t kPiece = 500;
  // Hubs before 2023.2 give whole entries one by one; for so many they are asked, so many at a time.
  static constexpr std::size_t kMostSingle = 5'000, kSinglePiece = 64;

  using Done = std::function<void(Registries registries)>;
  explicit RegistryListing(Commands& commands) : commands_(commands) {}

  bool running() const { return running_; }
  // Begins anew. REQUIRES: it is not running.
  void start(Done done);
  // The connection has ended.
  void stop();

 private:
  void list(std::string_view command, std::function<void(const Incoming&)> take);
  // Calls `function` unless the listing has ended meanwhile.
  Commands::Done guarded(Commands::Done function);
  void listed();
  void ask_piece(std::size_t begin);
  void ask_single(std::size_t begin);
  void end();

  Commands& commands_;
  Done done_;
  Registries registries_;
  bool running_ = false;
  std::uint64_t run_ = 0;
  std::size_t missing_ = 0;  // answers
};

}  // namespace hearth::integrations::home_assistant
