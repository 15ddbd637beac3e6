// SPDX-License-Identifier: Apache-2.0
#include "phones/people.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/digest.h"
#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/random_id.h"
#include "base/text/utf8.h"
#include "core/values/entity_id.h"
#include "domains/entities/local_time.h"
#include "domains/people/texts.h"

namespace hearth::phones {
namespace {

using base::ErrorCode;
using base::Result;

constexpr std::string_view kChoiceRow = "choice", kNotify = "notify", kPersons = "person.", kUserId = "user_id";
constexpr base::Duration kGather = std::chrono::milliseconds(50);

const std::vector<core::Field>& message_fields() {
  static const std::vector<core::Field> fields{
      {"message", "What to say.", "The washing is done.", core::field::Text{}, true},
      {"title", "What stands above it.", "Laundry", core::field::Text{}},
      {"target", "Is not needed: the service says who is told.", core::Example::Json{R"(["phone"])"},
       core::field::TextList{}},
      {"data", "What apps know, such as `tag`, `url` and `actions`; `urgent` does not wait for the end of quiet hours.",
       core::Example::Json{R"({"actions":[{"action":"OFF","title":"Turn off"}]})"}, core::field::Object{}}};
  return fields;
}

}  // namespace

People::People(core::Hub& hub, Phones& phones, domains::Notifications& notes, net::HttpClient& http,
               Phones::Write write, RightsOf rights_of, PushSettings settings)
    : hub_(hub),
      phones_(phones),
      notes_(notes),
      requests_(http),
      write_(write),
      rights_of_(std::move(rights_of)),
      settings_(settings),
      browsers_(hub, requests_, std::move(write), settings.local_services) {
  phones_.on_change([this] {
    if (started_) rebuilding_ = hub_.bus.schedule(kGather, [this] { rebuild(); });
  });
}

void People::restore(const std::vector<StoredRow>& rows) {
  browsers_.restore(rows);
  for (const StoredRow& row : rows) {
    const auto parsed = row.kind == kChoiceRow ? base::parse_json(row.value) : Result<json::value>();
    if (!parsed || !parsed->is_object()) continue;
    if (const auto choice = read_choice(parsed->get_object())) choices_[row.id] = *choice;
  }
}

void People::start() {
  started_ = true;
  const auto later = [this](const core::Event&) { rebuilding_ = hub_.bus.schedule(kGather, [this] { rebuild(); }); };
  subscriptions_.push_back(hub_.bus.listen(core::event_type::kEntityRegistryUpdated, [later](const core::Event& event) {
    if (event.registry_change && (event.registry_change->id.starts_with(kPersons) ||
                                  event.registry_change->former_entity_id.starts_with(kPersons)))
      later(event);
  }));
  subscriptions_.push_back(hub_.bus.listen(core::event_type::kCollectionUpdated, [later](const core::Event& event) {
    if (event.registry_change && event.registry_change->collection == "person") later(event);
  }));
  subscriptions_.push_back(
      hub_.bus.listen(core::event_type::kAlertUpdated, [this](const core::Event& event) { on_alert(event); }));
  // The language may be another.
  subscriptions_.push_back(hub_.bus.listen(core::event_type::kCoreConfigUpdated, later));
  rebuild();
}

void People::stop() {
  started_ = false;
  subscriptions_.clear();
  services_.clear();
  replies_.clear();
  requests_.stop();
  browsers_.stop();
}

void People::keep_those(std::function<bool(const std::string& token_id)> alive) {
  static_cast<void>(hub_.bus.post(core::IfFull::fail, core::EventBus::kSmallTask,
                                  [this, alive = std::move(alive)] { browsers_.keep_those(alive); }));
}

Choice People::choice(const std::string& user_id) const {
  const auto found = choices_.find(user_id);
  return found == choices_.end() ? Choice() : found->second;
}

void People::choose(const std::string& user_id, const Choice& choice) {
  choices_[user_id] = choice;
  const bool written = write_(
      [row = StoredRow{std::string(kChoiceRow), user_id, base::to_json(to_json_object(choice))}](PhoneStore& store) {
        if (const auto done = store.save(row); !done)
          base::log_warning("phones", "a person's choice cannot be saved: {}", done.error().message);
      });
  if (!written) base::log_warning("phones", "a person's choice cannot be saved: too much waits to be written");
}

void People::add_service(std::string name, std::string title, std::string description, core::ServiceHandler handler) {
  if (hub_.services.find(kNotify, name)) {
    log_.log(fmt::format("notify.{}", name), "is left out: there is a service of that name already");
    return;
  }
  core::ServiceDescription made;
  made.domain = kNotify;
  made.service = name;
  made.name = std::move(title);
  made.description = std::move(description);
  made.fields = message_fields();
  made.has_target = false;
  made.stands_for = std::move(name);
  services_.push_back(hub_.services.add(std::move(made), std::move(handler)));
}

// The services as people and phones are now.
void People::rebuild() {
  if (!started_) return;
  struct Told {
    std::string user_id, name;
  };
  std::map<std::string, Told, std::less<>> users;  // by the name of the service
  hub_.states.snapshot()->for_each([&](const core::State& state) {
    if (!state.entity_id().starts_with(kPersons)) return;
    const json::object attributes = state.attributes();
    std::string user = base::text_at(attributes, kUserId);
    if (!user.empty())
      users.emplace(state.entity_id().substr(kPersons.size()),
                    Told{std::move(user), base::text_at(attributes, "friendly_name")});
  });
  const std::vector<PhonePtr> phones = phones_.all();
  const std::string language = hub_.config.load()->language;
  json::array wanted{json::string(language)};
  for (const auto& [name, person] : users) wanted.push_back(json::array{name, person.user_id, person.name});
  for (const PhonePtr& phone : phones) wanted.push_back(json::array{phone->webhook_id, phone->name()});
  if (std::string text = base::to_json(wanted); std::exchange(services_are_for_, text) == text) return;
  services_.clear();
  std::set<std::string> everyone;
  for (const auto& [name, person] : users) {
    // The sentence of the editor.
    add_service(name, fmt::format(fmt::runtime(domains::text_for_people("tell", language)), person.name),
                "Tells this person: in the page's list, on phones and browsers.",
                [this, user = person.user_id](const core::ServiceCall& call, const core::ServiceReply& reply) {
                  tell_all({user}, call, reply);
                });
    everyone.insert(person.user_id);
  }
  add_service("everyone", std::string(domains::text_for_people("tell_everyone", language)),
              "Tells all persons with an account, and all whose phones or browsers are known.",
              [this, everyone](const core::ServiceCall& call, const core::ServiceReply& reply) {
                std::set<std::string> now = everyone;
                for (const PhonePtr& phone : phones_.all()) now.insert(phone->user_id);
                for (const Browser& browser : browsers_.all()) now.insert(browser.user_id);
                tell_all(now, call, reply);
              });
  for (const PhonePtr& phone : phones) {
    std::string stem = fmt::format("mobile_app_{}", core::slugify(phone->name())), name = stem;
    for (int next = 2; hub_.services.find(kNotify, name); ++next) name = fmt::format("{}_{}", stem, next);
    add_service(name, phone->name(), fmt::format("Sends a notification to {}.", phone->name()),
                [this, id = phone->webhook_id](const core::ServiceCall& call, const core::ServiceReply& reply) {
                  const auto notice = read_notice(call.data());
                  if (!notice) return reply(std::unexpected(notice.error()));
                  const PhonePtr now = phones_.find(id);
                  if (!now) return reply(base::fail(ErrorCode::unavailable, "The phone has just been removed."));
                  send_to_phone(now, *notice, reply);
                });
  }
}

void People::tell_all(const std::set<std::string>& user_ids, const core::ServiceCall& call,
                      const core::ServiceReply& reply) {
  const auto notice = read_notice(call.data());
  if (!notice) return reply(std::unexpected(notice.error()));
  Result<json::value> result;
  for (const std::string& user : user_ids) {
    auto done = tell(user, *notice, call.context(), base::flag_at(notice->data, "urgent"));
    if (!done && result) result = std::unexpected(std::move(done.error()));
  }
  reply(std::move(result));
}

bool People::is_quiet(const std::string& user_id) const {
  const std::string now = domains::local_time_text(hub_.clock.now(), hub_.config.load()->time_zone);
  return choice(user_id).is_quiet(std::string_view(now).substr(11, 5));
}

Result<void> People::tell(const std::string& user_id, const Notice& notice, const core::Context& context, bool urgent) {
  const std::string tag = notice.tag();
  auto listed = notes_.put({.id = tag.empty() ? std::string() : base::fingerprint(user_id + tag),
                            .title = notice.title,
                            .message = notice.message,
                            .user_id = user_id},
                           context);
  if (!listed) return listed;
  if (is_quiet(user_id) && !urgent) return {};
  return send_to_devices(user_id, notice);
}

Result<void> People::send_to_devices(const std::string& user_id, const Notice& notice) {
  auto& times = sent_[user_id];
  const base::SteadyTime now = hub_.clock.steady_now();
  while (!times.empty() && now - times.front() > kOfAKind) times.pop_front();
  if (times.size() >= kMaxInAMinute)
    return base::fail(ErrorCode::full,
                      fmt::format("There were {} messages to this person's devices in a minute.", kMaxInAMinute));
  times.push_back(now);
  for (const PhonePtr& phone : phones_.of_user(user_id)) {
    send_to_phone(phone, notice, [this, name = phone->name()](const Result<json::value>& sent) {
      if (!sent) log_.log(name, fmt::format("a message does not arrive: {}", sent.error().message));
    });
  }
  const std::vector<Browser> browsers = browsers_.of_user(user_id);
  if (browsers.empty()) return {};
  const std::string message = pushed(notice, user_id);
  for (const Browser& browser : browsers) browsers_.send(browser, message);
  return {};
}

void People::send_to_phone(const PhonePtr& phone, const Notice& notice, core::ServiceReply reply) {
  if (!channels_.is_open(phone->webhook_id)) return relay(phone, notice, std::move(reply));
  channels_.send(phone->webhook_id, notice, [this, phone, notice, reply = std::move(reply)](bool arrived) mutable {
    arrived ? reply(json::value()) : relay(phone, notice, std::move(reply));
  });
}

// By the server of the app's maker, if the home allows that.
void People::relay(const PhonePtr& phone, const Notice& notice, core::ServiceReply reply) {
  const json::value& data = base::value_at(phone->registration, "app_data");
  const std::string url = data.is_object() ? base::text_at(data.get_object(), "push_url") : std::string();
  const std::string token = data.is_object() ? base::text_at(data.get_object(), "push_token") : std::string();
  const auto fail = [&](std::string why) { reply(base::fail(ErrorCode::unavailable, std::move(why))); };
  const auto parsed = net::parse_url(url);
  if (!settings_.push)
    return fail("The app is not connected, and the home does not let messages go by other servers (mobile_app: push).");
  if (url.empty() || token.empty()) return fail("The app is not connected, and has named no server for messages.");
  if (!parsed || !(parsed->secure || settings_.local_services))
    return fail("The server that the app has named for messages is none with https.");
  json::object registration;
  for (const char* const key : {"app_id", "app_version", "os_version"}) registration[key] = phone->text(key);
  registration["webhook_id"] = phone->webhook_id;
  json::object body{{"push_token", token}, {"message", notice.message}, {"registration_info", std::move(registration)}};
  if (!notice.title.empty()) body["title"] = notice.title;
  if (!notice.data.empty()) body["data"] = notice.data;
  net::HttpRequest request{
      .method = "POST", .url = url, .headers = {{"Content-Type", "application/json"}}, .body = base::to_json(body)};
  request.max_body = 64 * 1024;
  request.redirections = 0;
  request.only_public = !settings_.local_services;
  const bool asked = requests_.ask(phone->webhook_id, std::move(request), [reply](const net::HttpResult& result) {
    if (!result) return reply(base::fail(ErrorCode::unavailable, result.error().message));
    if (result->status >= 200 && result->status < 300) return reply(json::value());
    const auto said = base::parse_json(result->body);
    const json::object none;
    const json::object& answer = said && said->is_object() ? said->get_object() : none;
    std::string why = base::short_text_at(answer, "message");
    if (why.empty()) why = base::short_text_at(answer, "errorMessage");
    const json::value& limits = base::value_at(answer, "rateLimits");
    const std::string resets =
        limits.is_object() ? base::short_text_at(limits.get_object(), "resetsAt") : std::string();
    if (!resets.empty()) why += fmt::format(" (its limit ends at {})", resets);
    reply(base::fail(ErrorCode::unavailable,
                     fmt::format("The server for messages answers {}: {}", result->status, base::utf8_repaired(why))));
  });
  if (!asked) fail("Too many messages to the app are under way.");
}

// Where a browser sends which action was chosen; empty if there is none to choose.
std::string People::reply_address(const Notice& notice, const std::string& user_id) {
  const json::value& given = base::value_at(notice.data, "actions");
  if (!given.is_array() || given.get_array().empty()) return {};
  std::vector<std::string> actions;
  for (const json::value& each : given.get_array()) actions.push_back(base::text_at(each.get_object(), "action"));
  const std::string id = make_phone_secret();
  const base::SteadyTime until = hub_.clock.steady_now() + kReplyLife;
  auto added = hub_.webhooks.add(
      id, std::string(kNotify), "notification",
      [this, actions, user_id, until, id, tag = notice.tag()](const core::WebhookCall& call) {
        const auto body = base::parse_json(call.body);
        const std::string action = body && body->is_object() ? base::text_at(body->get_object(), "action") : "";
        if (std::ranges::find(actions, action) == actions.end() || hub_.clock.steady_now() > until) return;
        json::object data{{"action", action}, {"user_id", user_id}};
        if (!tag.empty()) data["tag"] = tag;
        const auto context = core::Context::create(hub_.clock.now(), base::Id(user_id));
        for (const char* const type : {"mobile_app_notification_action", "notification_action"})
          hub_.bus.fire(type, base::to_json(data), core::Origin::remote, context);
        std::erase_if(replies_, [&](const auto& each) { return each.first == id; });
      });
  if (!added) return {};
  replies_.emplace_back(id, std::move(*added));
  if (replies_.size() > kMaxReplies) replies_.pop_front();
  return "/api/webhook/" + id;
}

// As the page's service worker knows it.
std::string People::pushed(const Notice& notice, const std::string& user_id) {
  json::object body{{"title", notice.title.empty() ? hub_.config.load()->location_name : notice.title},
                    {"message", notice.message}};
  if (const std::string tag = notice.tag(); !tag.empty()) body["tag"] = tag;
  const std::string url = base::text_at(notice.data, "url", 1'024);
  if (url.starts_with('/') && !url.starts_with("//")) body["url"] = url;
  if (const std::string reply = reply_address(notice, user_id); !reply.empty()) {
    json::array actions;
    const json::value& given = base::value_at(notice.data, "actions");
    for (const json::value& each : given.get_array()) {
      const std::string action = base::text_at(each.get_object(), "action", 100);
      const std::string title = base::text_at(each.get_object(), "title", 100);
      if (!action.empty()) actions.push_back({{"action", action}, {"title", title.empty() ? action : title}});
    }
    body["actions"] = std::move(actions);
    body["reply"] = reply;
  }
  std::string text = base::to_json(body);
  for (std::size_t most = 2'000; text.size() > kMaxPushed && most > 0; most /= 2) {
    body["message"] = base::utf8_excerpt(notice.message, most);
    if (most < 500) body.erase("actions");
    text = base::to_json(body);
  }
  return text;
}

// The rights with which a device's user hears of things, by one of their tokens.
std::vector<std::pair<std::string, core::Rights>> People::listeners() const {
  std::map<std::string, core::Rights> rights;
  const auto take = [&](const std::string& user, const std::string& token) {
    if (rights.contains(user)) return;
    if (auto found = rights_of_(token)) rights.emplace(user, std::move(*found));
  };
  for (const PhonePtr& phone : phones_.all()) take(phone->user_id, phone->token_id);
  for (const Browser& browser : browsers_.all()) take(browser.user_id, browser.token_id);
  return {rights.begin(), rights.end()};
}

void People::tell_of_kind(const std::string& user_id, std::string_view kind, const Notice& notice, bool urgent) {
  const base::SteadyTime now = hub_.clock.steady_now();
  std::erase_if(told_, [&](const auto& each) { return now - each.second > kOfAKind; });
  if (is_quiet(user_id) && !urgent) return;
  if (!told_.emplace(std::pair(user_id, std::string(kind)), now).second) return;
  if (const auto sent = send_to_devices(user_id, notice); !sent) log_.log(kind, sent.error().message);
}

void People::on_alert(const core::Event& event) {
  const auto* const text = std::get_if<std::string>(&event.data);
  const auto parsed = text ? base::parse_json(*text) : Result<json::value>();
  if (!parsed || !parsed->is_object() || base::text_view_at(parsed->get_object(), "action") != "raised") return;
  const json::object& data = parsed->get_object();
  const std::string id = base::text_at(data, "alert_id");
  const auto list = hub_.alerts.list();
  const auto alert = std::ranges::find(*list, id, [](const core::AlertPtr& each) { return each->id; });
  if (alert == list->end()) return;
  const bool is_danger = (*alert)->rule->grade == core::AlertRule::Grade::danger;
  const auto registry = hub_.registry.snapshot();
  const core::StatePtr state = hub_.states.find((*alert)->entity_id);
  std::string name = state ? base::text_at(state->attributes(), "friendly_name") : std::string();
  const auto area = registry->areas.find((*alert)->area_id);
  Notice notice{.title = std::string(domains::alert_title((*alert)->rule->kind, hub_.config.load()->language)),
                .message = name.empty() ? (*alert)->entity_id : name};
  if (area) notice.message += fmt::format(" ({})", area->name);
  notice.data = {{"tag", id}, {"url", "/"}};
  for (const auto& [user, rights] : listeners()) {
    const Choice chosen = choice(user);
    if (chosen.alerts == Choice::Alerts::none || (chosen.alerts == Choice::Alerts::danger && !is_danger)) continue;
    if (!rights.reads((*alert)->entity_id, *registry)) continue;
    if (core::snoozed_until(*registry, user, **alert, hub_.clock.now())) continue;
    tell_of_kind(user, (*alert)->rule->kind, notice, is_danger);
  }
}

void People::failed_login(std::string account, std::string address) {
  static_cast<void>(hub_.bus.post(
      core::IfFull::fail, core::EventBus::kSmallTask,
      [this, account = std::move(account), address = std::move(address)] {
        if (!started_) return;
        const auto text = [&](std::string_view key) { return domains::text_for_people(key, hub_); };
        const std::string who = account.empty() ? std::string(text("somebody")) : account;
        const Notice notice{
            .title = std::string(text("failed_login")),
            .message = fmt::format(fmt::runtime(text("failed_login_of")), base::utf8_repaired(who), address),
            .data = {{"tag", "failed_login"}, {"url", "/settings/security"}}};
        for (const auto& [user, rights] : listeners())
          if (rights.administer() && choice(user).logins) tell_of_kind(user, "failed_login", notice, false);
      }));
}

}  // namespace hearth::phones
