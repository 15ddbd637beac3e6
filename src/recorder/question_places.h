// SPDX-License-Identifier: Apache-2.0
// Places for questions about history: a limited number runs at a time, others wait in the order of arrival. A question
// keeps its place between its pieces, while its client reads; but if others wait, it loses its place if its client has
// not taken a piece within kPatience.
//
// Any thread. Queue: at most kMaxWaiting; a further one is refused.
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

  // Held by a question; returned on destruction. May outlive the places. One thread at a time.
  class Place {
   public:
    explicit Place(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place();

    // A piece is done: the client's turn.
    void rest(std::chrono::steady_clock::time_point now);
    // The next piece is wanted. False if the place was lost.
    [[nodiscard]] bool go_on();

   private:
    const std::shared_ptr<Shared> shared_;
  };
  using PlacePtr = std::unique_ptr<Place>;
  using Begin = std::function<void(PlacePtr)>;

  explicit QuestionPlaces(std::size_t places);
  ~QuestionPlaces() { close(); }

  // Calls `begin` with a place, at once or later on the thread that returns one. False, and it will never be called, if
  // too many wait.
  [[nodiscard]] bool ask(Begin begin);
  // Passes the places of questions that have rested too long to those that wait.
  void reclaim(std::chrono::steady_clock::time_point now);
  // Drops those that wait; nobody gets a place any more.
  void close();

  std::size_t taken() const;
  std::size_t waiting() const;

 private:
  const std::shared_ptr<Shared> shared_;
};

}  // namespace hearth::recorder
