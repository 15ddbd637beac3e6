// SPDX-License-Identifier: Apache-2.0
// Which change and which event there was caused from here: the hub there makes the context of each call itself, tells
// it with the call's result, and the changes often come before that. Bus thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/text_map.h"
#include "core/hub.h"
#include "integrations/home_assistant/mirror/context_source.h"
#include "integrations/home_assistant/mirror/mirrored_ids.h"

namespace hearth::integrations::home_assistant {

class Contexts final : public ContextSource {
 public:
  static constexpr std::size_t kKept = 10'000;  // contexts of results

  // `knows_user` says if there is a user of that id here; null: those count that a person of the home is.
  explicit Contexts(core::Hub& hub, std::function<bool(std::string_view user_id)> knows_user = {})
      : hub_(hub), knows_user_(std::move(knows_user)) {}
  // Before the first call. They must outlive the last report.
  void use(const MirroredIds& ids) { ids_ = &ids; }

  // A connection: whose token it is. Calls without an answer are forgotten.
  void opened(const OtherHub& hub);

  // A call with this context here is sent for these entities there.
  void sent(std::uint64_t call, const core::Context& context, std::vector<std::string> entities_there);
  // Its result, with the id of its context there, empty if there is none. Returns the entities there that have reported
  // with it already.
  std::set<std::string, std::less<>> answered(std::uint64_t call, std::string_view context_id_there);

  // Changes with that context there get this context here.
  void know(std::string_view context_id_there, const core::Context& context);

  std::optional<core::Context> context_of(std::string_view entity_id_there, const OtherContext& context,
                                          bool last) override;
  void reported(std::string_view entity_id_there, const OtherContext& context) override;

  // Of what has no entity, such as an event, or comes with a result.
  core::Context mapped(const OtherContext& context) const;
  bool is_of_token(const OtherContext& context) const { return context.user_id && *context.user_id == token_user_; }

 private:
  struct Call {
    core::Context context;
    std::vector<std::string> entities;
    std::vector<std::pair<std::string, std::string>> early = {};  // entities that have reported, with the context's id
  };
  // The only call for the entity that has no answer yet; null if there are none or several.
  Call* only_call_of(std::string_view entity_id_there);
  const core::Context* find(std::string_view context_id_there) const;
  bool knows_user(const std::string& id) const;

  core::Hub& hub_;
  const std::function<bool(std::string_view)> knows_user_;
  const MirroredIds* ids_ = nullptr;
  std::string token_user_;
  std::map<std::uint64_t, Call> calls_;
  base::TextMap<core::Context> known_;
  std::deque<std::string> order_;  // of known_, the oldest first
};

}  // namespace hearth::integrations::home_assistant
