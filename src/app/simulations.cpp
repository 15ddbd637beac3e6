// SPDX-License-Identifier: Apache-2.0
#include "app/simulations.h"

#include <fmt/format.h>

#include <chrono>

namespace hearth::app {
namespace {

constexpr int kDiffers = 1, kCannotBeDone = 2;  // exit codes
constexpr std::string_view kNewId = "simulated";

// The last words of a command on standard error: its own last line says nothing new if there are others.
std::string told(std::string_view errors) {
  constexpr std::string_view kOwn = "hearth: ";
  while (errors.ends_with('\n')) errors.remove_suffix(1);
  const std::size_t last = errors.rfind('\n');
  if (last != std::string_view::npos && errors.substr(last + 1).starts_with(kOwn)) errors = errors.substr(0, last);
  if (errors.starts_with(kOwn)) errors.remove_prefix(kOwn.size());
  return std::string(errors);
}

}  // namespace

struct Simulations::Asked {
  base::OwnProcess process;
  Progress progress;
  Done done;
  std::weak_ptr<void> asker;
};

void Simulations::stop() {
  stopping_ = true;
  thread_.stop();
}

base::Result<base::OwnProcess> Simulations::process_of(const Question& question) const {
  std::optional<json::object> config = question.config;
  if (config && !question.entity_id.empty()) {
    const auto registry = hub_.registry.snapshot();
    const core::RegisteredEntity* const entity = registry->entities.find(question.entity_id);
    if (!entity || entity->integration != "automation")
      return base::fail(base::ErrorCode::not_found, fmt::format("There is no automation {}.", question.entity_id));
    (*config)["id"] = entity->unique_id;
  } else if (config && !config->contains("id")) {
    (*config)["id"] = kNewId;
  }
  base::OwnProcess process;
  process.arguments = {"automation", question.scenario ? "test" : "replay", "--config", folder_.string(), "--json"};
  const auto add = [&](std::initializer_list<std::string> more) {
    process.arguments.insert(process.arguments.end(), more);
  };
  if (question.scenario) {
    json::value scenario = *question.scenario;
    if (config && scenario.is_object()) scenario.get_object()["automations"] = json::array{std::move(*config)};
    process.input = base::to_json(scenario);
    add({"-"});
    return process;
  }
  // In one word each: a time that begins with a dash is no option.
  add({"--from=" + question.from, "--to=" + question.to, "--progress", "--limit", std::to_string(kMostDifferences)});
  if (config) {
    process.input = base::to_json(*config);
    add({"--with", "-"});
  } else if (!question.entity_id.empty()) {
    add({"--", question.entity_id});
  }
  return process;
}

base::Result<std::shared_ptr<void>> Simulations::begin(const Question& question, Progress progress, Done done) {
  auto process = process_of(question);
  if (!process) return std::unexpected(process.error());
  const auto asker = std::make_shared<int>();
  auto asked = std::make_unique<Asked>(std::move(*process), std::move(progress), std::move(done), asker);
  thread_.start();
  if (!thread_.post([this, asked = std::move(asked)] { answer(*asked); }))
    return base::fail(base::ErrorCode::throttled, "Other simulations are under way: ask again later.");
  return asker;
}

void Simulations::answer(Asked& asked) {
  const auto until = std::chrono::steady_clock::now() + kLongest;
  asked.process.is_wanted = [&] {
    return !stopping_ && !asked.asker.expired() && std::chrono::steady_clock::now() < until;
  };
  if (!asked.process.is_wanted()) return;
  std::optional<json::object> last;
  asked.process.on_line = [&](std::string_view line) {
    auto read = base::parse_json(line);
    if (!read || !read->is_object()) return;
    const json::value* const part = read->get_object().if_contains("progress");
    if (part && asked.progress) asked.progress(part->to_number<double>());
    if (part) return;
    last = std::move(read->get_object());
  };
  const auto ended = base::run(asked.process);
  if (stopping_ || asked.asker.expired()) return;
  if (!ended && std::chrono::steady_clock::now() >= until)
    return asked.done(base::fail(base::ErrorCode::full, "It took more than ten minutes: choose a shorter time."));
  if (!ended) return asked.done(std::unexpected(ended.error()));
  if (last && (ended->code == 0 || ended->code == kDiffers)) return asked.done(std::move(*last));
  std::string why = told(ended->errors);
  // The question gives the keys `from` and `to`, no options.
  for (const std::string_view option : {"--from", "--to"}) {
    for (std::size_t at = why.find(option); at != why.npos; at = why.find(option)) why.erase(at, 2);
  }
  if (ended->code == kCannotBeDone) return asked.done(base::fail(base::ErrorCode::invalid, why));
  asked.done(
      base::fail(base::ErrorCode::unavailable, fmt::format("The simulation ended with {}: {}", ended->code, why)));
}

}  // namespace hearth::app
