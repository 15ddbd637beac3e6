// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/mirror.h"

#include <fmt/format.h>

namespace hearth::integrations::home_assistant {
namespace {

class NoIds final : public MirroredIds {
 public:
  explicit NoIds(std::string provider) : provider_(std::move(provider)) {}
  std::string_view entity_there(std::string_view) const override { return {}; }
  std::string_view entity_here(std::string_view) const override { return {}; }
  std::string_view device_there(std::string_view) const override { return {}; }
  std::string_view device_here(std::string_view) const override { return {}; }
  std::string_view provider() const override { return provider_; }

 private:
  std::string provider_;
};

}  // namespace

class Mirror::Parts {
 public:
  explicit Parts(const Options& options) : provider(fmt::format("home_assistant.{}", options.name)), ids(provider) {}
  std::string provider;
  NoIds ids;
};

Mirror::Mirror(const domains::IntegrationHome&, const Options& options, ContextSource&, HubLink&, PicturePaths*)
    : parts_(std::make_unique<Parts>(options)) {}
Mirror::~Mirror() = default;

void Mirror::start() {}
void Mirror::stop() {}
void Mirror::forget() {}
void Mirror::connected(const OtherHub&) {}
void Mirror::take(Registries) {}
void Mirror::take(Picture) {}
void Mirror::take(Changes) {}
void Mirror::take(Running) {}
void Mirror::lost() {}
void Mirror::take(Latency) {}
void Mirror::contexts_changed() {}

const MirroredIds& Mirror::ids() const {
  return parts_->ids;
}
const std::string& Mirror::provider() const {
  return parts_->provider;
}
bool Mirror::idle() const {
  return true;
}
Counts Mirror::counts() const {
  return {};
}
std::vector<Listed> Mirror::list(std::optional<Fate>) const {
  return {};
}
std::uint64_t Mirror::skipped() const {
  return 0;
}
std::vector<Difference> Mirror::differences(const std::set<std::string>*) const {
  return {};
}
base::Result<void> Mirror::take_again(const core::Context&, const std::set<std::string>*) {
  return {};
}
base::Result<void> Mirror::adopt(const std::string&, const std::string&, const core::Context&) {
  return {};
}
bool Mirror::is_twin_of(const Mirror&) const {
  return false;
}

}  // namespace hearth::integrations::home_assistant
