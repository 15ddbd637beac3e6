// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/hosts/host_lookup.h"

#include <fmt/format.h>

#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "base/mutex.h"

namespace hearth::building_blocks {

struct HostLookup::Question {
  base::Mutex mutex;
  base::ConditionVariable answered;
  std::optional<std::expected<net::Addresses, net::Failure>> found __attribute__((guarded_by(mutex)));
};

base::Result<net::Address> HostLookup::find(const std::function<bool()>& is_wanted) {
  constexpr std::chrono::milliseconds kLook{200};
  boost::system::error_code no_digits;
  if (const auto address = boost::asio::ip::make_address(host_, no_digits); !no_digits) return address;
  const auto fails = [&](std::string_view why) {
    return base::fail(base::ErrorCode::unavailable, fmt::format("the address of {} cannot be found: {}", host_, why));
  };
  if (!open_) {
    open_ = std::make_shared<Question>();
    try {
      std::thread([question = open_, host = host_, lookup = lookup_] {
        auto found = lookup(host);
        const base::MutexLock lock(question->mutex);
        question->found = std::move(found);
        question->answered.notify_all();
      }).detach();
    } catch (const std::system_error& error) {
      open_.reset();
      return fails(error.what());
    }
  }
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  const std::shared_ptr<Question> question = open_;
  const base::MutexLock lock(question->mutex);
  while (!question->found) {
    if (is_wanted && !is_wanted()) return fails("the hub stops");
    if (std::chrono::steady_clock::now() >= deadline) return fails("no name server answers");
    question->answered.wait_for(question->mutex, kLook);
  }
  open_.reset();
  const auto& found = *question->found;
  if (!found) return fails(found.error().message);
  return found->front();
}

}  // namespace hearth::building_blocks
