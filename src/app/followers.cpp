// SPDX-License-Identifier: Apache-2.0
#include "app/followers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log/log.h"

namespace hearth::app {
namespace {

core::Issue issue(const std::string& follower, std::string_view kind, core::Issue::Severity severity,
                  std::map<std::string, std::string> details) {
  return {"hearth", follower + "_" + std::string(kind), follower + "_" + std::string(kind), severity,
          std::move(details)};
}

}  // namespace

base::Result<void> Followers::add(const std::filesystem::path& folder, const std::string& name,
                                  base::Result<std::unique_ptr<recorder::FollowerTarget>> target,
                                  base::Duration longest_pause) {
  if (!target) {
    base::log_error(name, "cannot start; fix the cause and restart the hub: {}", target.error().message);
    missing_.push_back(issue(name, "failing", core::Issue::Severity::error, {{"error", target.error().message}}));
    return {};
  }
  auto follower = recorder::Follower::open(folder, clock_, {name, kMost, longest_pause}, std::move(*target));
  if (!follower) return std::unexpected(std::move(follower.error()));
  followers_.push_back(std::move(*follower));
  return {};
}

const recorder::Follower* Followers::find(std::string_view name) const {
  const auto found = std::ranges::find_if(followers_, [&](const auto& each) { return each->name() == name; });
  return found == followers_.end() ? nullptr : found->get();
}

void Followers::listen_to(recorder::Recorder& recorder) {
  if (followers_.empty() && missing_.empty()) return;
  recorder.set_followers({[this](unsigned generation) {
                            for (const auto& each : followers_) each->wake(generation);
                          },
                          [this](std::string_view history) { return followed(history); }});
}

void Followers::start() {
  for (const auto& each : followers_) each->start();
}

void Followers::stop() {
  for (const auto& each : followers_) each->stop();
}

std::int64_t Followers::followed(std::string_view history) const {
  // A follower that cannot work today needs the numbers when it works again.
  std::int64_t least = missing_.empty() ? INT64_MAX : 0;
  for (const auto& each : followers_) least = std::min(least, each->followed(history));
  return least;
}

std::vector<core::Issue> Followers::issues() const {
  std::vector<core::Issue> found = missing_;
  for (const auto& each : followers_) {
    auto more = issues_of(each->name(), each->status(), clock_.now());
    found.insert(found.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
  }
  return found;
}

std::string in_words(base::Duration duration) {
  using namespace std::chrono_literals;
  if (duration >= 48h) return fmt::format("{} days", std::chrono::floor<std::chrono::days>(duration).count());
  if (duration >= 1h) return fmt::format("{} h", std::chrono::floor<std::chrono::hours>(duration).count());
  return fmt::format("{} min", std::chrono::floor<std::chrono::minutes>(duration).count());
}

std::vector<core::Issue> issues_of(const std::string& follower, const recorder::Follower::Status& status,
                                   base::Timestamp now) {
  if (!status.since || now - *status.since < Followers::kBehind) return {};
  return {issue(follower, "behind", core::Issue::Severity::warning,
                {{"behind", in_words(now - *status.since)}, {"error", status.failure}})};
}

}  // namespace hearth::app
