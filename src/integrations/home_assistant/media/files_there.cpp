// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/media/files_there.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "integrations/home_assistant/media/refusals.h"

namespace hearth::integrations::home_assistant {
namespace {

constexpr std::size_t kMostType = 100;

// As it goes into a field of an answer.
bool is_type(std::string_view type) {
  return type.size() <= kMostType &&
         type.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789/+.-_") == std::string_view::npos;
}

}  // namespace

bool is_picture(std::string_view media_type) {
  return media_type.starts_with("image/") && media_type.size() > 6 && is_type(media_type);
}

bool is_video(std::string_view media_type) {
  constexpr std::array<std::string_view, 4> kOthers{"application/vnd.apple.mpegurl", "application/x-mpegurl",
                                                    "audio/mpegurl", "audio/x-mpegurl"};
  return is_type(media_type) && (media_type.starts_with("video/") || media_type.starts_with("audio/") ||
                                 std::ranges::find(kOthers, media_type) != kOthers.end());
}

bool is_json(std::string_view media_type) {
  return media_type == "application/json";
}

FilesThere::FilesThere(domains::IntegrationBus& bus, net::HttpClient& http, const Access& access, Takes takes,
                       std::chrono::seconds shared)
    : bus_(bus), http_(http), access_(access), takes_(takes), shared_(shared) {}

void FilesThere::get(const std::string& path, Done done) {
  if (const auto kept = kept_.find(path); kept != kept_.end()) return done(kept->second.body);
  const auto asked = questions_.find(path);
  if (asked != questions_.end()) {
    if (asked->second.done.size() >= kMostSharing) return done(std::unexpected(too_much(access_.who)));
    asked->second.done.push_back(std::move(done));
    return;
  }
  if (waiting_.size() >= kMostWaiting) return done(std::unexpected(too_much(access_.who)));
  questions_[path].done.push_back(std::move(done));
  waiting_.push_back(path);
  dispatch();
}

void FilesThere::dispatch() {
  while (running_ < kMost && !waiting_.empty()) {
    const std::string path = std::move(waiting_.front());
    waiting_.pop_front();
    net::HttpRequest request = access_.request;
    request.url += path;
    request.first_byte = kFirstByte;
    request.timeout = kWhole;
    request.max_body = kMaxBytes;
    request.redirections = 0;
    ++running_;
    questions_[path].asked =
        http_.ask(std::move(request), [this, path](net::HttpResult result) { answered(path, std::move(result)); });
  }
}

void FilesThere::answered(const std::string& path, net::HttpResult result) {
  --running_;
  auto question = questions_.extract(path);
  const auto answer = read(std::move(result));
  if (answer) keep(path, *answer);
  dispatch();
  for (const Done& done : question.mapped().done) done(answer);
}

base::Result<core::OtherHub::BodyPtr> FilesThere::read(net::HttpResult result) const {
  if (!result) return std::unexpected(failed_request(access_.who, result.error()));
  if (result->status == 404) return std::unexpected(not_there(access_.who, "has no such file"));
  if (result->status != 200)
    return std::unexpected(is_wrong(access_.who, fmt::format("answers with the status {}", result->status)));
  if (!takes_(result->media_type)) return std::unexpected(is_wrong(access_.who, "sends something of another type"));
  return std::make_shared<const core::OtherHub::Body>(
      core::OtherHub::Body{std::move(result->media_type), std::move(result->body)});
}

void FilesThere::keep(const std::string& path, core::OtherHub::BodyPtr body) {
  const std::size_t size = body->bytes.size();
  if (shared_.count() == 0 || kept_bytes_ + size > kMaxKept) return;
  kept_bytes_ += size;
  kept_[path] = {std::move(body), bus_.schedule(shared_, [this, path, size] {
                   kept_bytes_ -= size;
                   kept_.erase(path);
                 })};
}

}  // namespace hearth::integrations::home_assistant
