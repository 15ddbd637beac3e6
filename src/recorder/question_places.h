// SPDX-License-Identifier: Apache-2.0
// Places for questions about what was: so many are at work at once, others wait their turn in the order in which they
// came. A question holds its place between its pieces, too, while its client reads; but where others wait, one whose
// client has not taken a piece within kPatience loses it.
//
// Any thread. Queue: at most kMaxWaiting; one more is refused.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace hearth::recorder {

class QuestionPlaces {
  struct Shared;

 public:
  static constexpr std::size_t kMaxWaiting = 1'024;
  static constexpr std::chrono::seconds kPatience{10};

  // Held by a question; given back when destroyed. May outlive the places. One thread at a time.
  class Place {
   public:
    explicit Place(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place();

    // A piece is made: now it is the client's turn.
    void rest(std::chrono::steady_clock::time_point now);
    // The next piece is to be made. False where the place was lost.
    [[nodiscard]] bool go_on();

   private:
    const std::shared_ptr<Shared> shared_;
  };
  using PlacePtr = std::unique_ptr<Place>;
  using Begin = std::function<void(PlacePtr)>;

  explicit QuestionPlaces(std::size_t places);
  ~QuestionPlaces() { close(); }

  // Calls `begin` with a place, at once or when there is one, from the thread that gives it back. False, and it never
  // will be called, where too many wait.
  [[nodiscard]] bool ask(Begin begin);
  // Gives the places of those who have rested too long to those who wait.
  void take_back(std::chrono::steady_clock::time_point now);
  // Drops those who wait; nobody gets a place any more.
  void close();

  std::size_t taken() const;
  std::size_t waiting() const;

 private:
  const std::shared_ptr<Shared> shared_;
};

}  // namespace hearth::recorder
