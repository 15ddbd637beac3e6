// SPDX-License-Identifier: Apache-2.0
#include "phones/phones.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "core/values/words.h"

namespace hearth::phones {
namespace {

using base::ErrorCode;
using base::Result;

constexpr base::Duration kSaveDelay = std::chrono::milliseconds(20), kRetry = std::chrono::seconds(2);
constexpr base::Duration kHour = std::chrono::hours(1);
constexpr core::Words kKnown{
    "register_sensor update_sensor_states update_location update_registration enable_encryption"};
constexpr std::string_view kPhoneRow = "phone";

}  // namespace

Phones::Phones(core::Hub& hub, domains::EntityTable& entities, Write write)
    : hub_(hub), entities_(entities), write_(std::move(write)), table_(std::make_shared<const Table>()) {}

void Phones::restore(std::vector<StoredRow> rows) {
  publish([&](Table& table) {
    for (const StoredRow& row : rows) {
      if (row.kind != kPhoneRow) continue;
      auto phone = read_phone(row.value);
      if (!phone) {
        base::log_warning("phones", "a stored phone is left out: {}", phone.error().message);
        continue;
      }
      phone->webhook_id = row.id;
      table.emplace(row.id, std::make_shared<const Phone>(std::move(*phone)));
    }
  });
}

void Phones::start() {
  for (const PhonePtr& phone : all()) shown_.try_emplace(phone->webhook_id, hub_, entities_, phone);
  changed_();
}

PhonePtr Phones::find(std::string_view webhook_id) const {
  const auto table = table_.load();
  const auto found = table->find(std::string(webhook_id));
  return found == table->end() ? nullptr : found->second;
}

std::vector<PhonePtr> Phones::all() const {
  std::vector<PhonePtr> list;
  const auto table = table_.load();
  for (const auto& [id, phone] : *table) list.push_back(phone);
  std::ranges::sort(list, {}, [](const PhonePtr& phone) { return phone->key; });
  return list;
}

std::vector<PhonePtr> Phones::of_user(std::string_view user_id) const {
  std::vector<PhonePtr> list = all();
  std::erase_if(list, [&](const PhonePtr& phone) { return phone->user_id != user_id; });
  return list;
}

void Phones::publish(const std::function<void(Table&)>& change) {
  auto next = std::make_shared<Table>(*table_.load_once());
  change(*next);
  table_.publish(std::move(next));
}

void Phones::add(Phone phone, std::function<void(Result<PhonePtr>)> done) {
  const auto posted = hub_.bus.post(
      core::IfFull::fail, core::EventBus::kSmallTask + Phone::kMaxAppData, [this, phone = std::move(phone), done] {
        const auto added = put(phone);
        if (!added) return done(std::unexpected(added.error()));
        const bool written = write_([done, made = *added](PhoneStore& store) {
          auto saved = store.save({std::string(kPhoneRow), made->webhook_id, base::to_json(to_json_object(*made))});
          if (!saved) return done(std::unexpected(std::move(saved.error())));
          done(made);
        });
        if (written) return;
        remove((*added)->webhook_id);
        done(base::fail(ErrorCode::unavailable, "Too much waits to be written. Try again soon."));
      });
  if (!posted) done(std::unexpected(posted.error()));
}

// Another user's phone keeps its name in the registry.
std::string Phones::free_key(const Phone& phone) const {
  std::string key = phone.text("device_id");
  if (key.empty()) return phone.webhook_id.substr(0, 16);
  const auto table = table_.load_once();
  const bool taken = std::ranges::any_of(*table, [&](const auto& each) { return each.second->key == key; });
  return taken ? fmt::format("{}_{}", key, phone.webhook_id.substr(0, 8)) : key;
}

Result<PhonePtr> Phones::put(Phone phone) {
  auto& times = registrations_[phone.user_id];
  const base::SteadyTime now = hub_.clock.steady_now();
  while (!times.empty() && now - times.front() > kHour) times.pop_front();
  if (times.size() >= kMaxNewOfUser)
    return base::fail(ErrorCode::throttled, "Too many registrations of this user. Try again in an hour.");
  const std::vector<PhonePtr> own = of_user(phone.user_id);
  const auto same = std::ranges::find_if(own, [&](const PhonePtr& each) {
    return !phone.text("device_id").empty() && each->text("device_id") == phone.text("device_id") &&
           each->text("app_id") == phone.text("app_id");
  });
  if (same == own.end() && own.size() >= kMaxOfUser)
    return base::fail(ErrorCode::full,
                      fmt::format("This user has {} apps already. End one in the profile.", kMaxOfUser));
  times.push_back(now);
  std::string former;
  if (same != own.end()) {
    former = (*same)->webhook_id;
    phone.key = (*same)->key;
    phone.sensors = (*same)->sensors;
  } else {
    phone.key = free_key(phone);
  }
  const auto made = std::make_shared<const Phone>(std::move(phone));
  publish([&](Table& table) {
    table.erase(former);
    table.emplace(made->webhook_id, made);
  });
  if (auto shown = shown_.extract(former)) {
    shown.key() = made->webhook_id;
    shown.mapped().use(made);
    shown_.insert(std::move(shown));
    save_later(former);
  } else {
    shown_.try_emplace(made->webhook_id, hub_, entities_, made);
  }
  follow_person(*made, shown_.at(made->webhook_id).tracker_id());
  changed_();
  return made;
}

// The phone tells where the person of its account is.
void Phones::follow_person(const Phone& phone, std::string_view tracker_id) const {
  if (tracker_id.empty()) return;
  const auto registry = hub_.registry.snapshot();
  for (const core::Item* const person : registry->items_of("person")) {
    if (base::text_view_at(person->fields, "user_id") != phone.user_id) continue;
    json::object fields = person->fields;
    json::array trackers;
    if (const json::value& known = base::value_at(fields, "device_trackers"); known.is_array())
      trackers = known.get_array();
    if (std::ranges::find(trackers, json::value(tracker_id)) != trackers.end()) continue;
    trackers.emplace_back(tracker_id);
    fields["device_trackers"] = std::move(trackers);
    static_cast<void>(hub_.registry.update_item("person", person->id, std::move(fields), {},
                                                core::Context::create(hub_.clock.now()), core::IfFull::pass));
  }
}

void Phones::replace(Phone phone) {
  const auto next = std::make_shared<const Phone>(std::move(phone));
  publish([&](Table& table) { table[next->webhook_id] = next; });
  if (const auto shown = shown_.find(next->webhook_id); shown != shown_.end()) shown->second.use(next);
  save_later(next->webhook_id);
}

void Phones::remove(const std::string& webhook_id) {
  if (!find(webhook_id)) return;
  publish([&](Table& table) { table.erase(webhook_id); });
  if (auto shown = shown_.extract(webhook_id)) shown.mapped().remove();
  save_later(webhook_id);
  changed_();
}

void Phones::keep_those(const std::function<bool(const Phone& phone)>& alive) {
  for (const PhonePtr& phone : all()) {
    if (alive(*phone)) continue;
    static_cast<void>(
        hub_.bus.post(core::IfFull::fail, core::EventBus::kSmallTask, [this, id = phone->webhook_id] { remove(id); }));
  }
}

void Phones::save_later(const std::string& webhook_id) {
  const bool first = changed_phones_.empty();
  changed_phones_.insert(webhook_id);
  if (first) saving_ = hub_.bus.schedule(kSaveDelay, [this] { save(); });
}

void Phones::save() {
  if (stopped_ || changed_phones_.empty()) return;
  std::vector<StoredRow> rows;
  for (const std::string& id : changed_phones_) {
    const PhonePtr phone = find(id);
    rows.push_back({std::string(kPhoneRow), id, phone ? base::to_json(to_json_object(*phone)) : std::string()});
  }
  const auto waiting = std::make_shared<decltype(waiting_)>(std::move(waiting_));
  waiting_.clear();
  const bool written = write_([rows = std::move(rows), waiting](PhoneStore& store) {
    Result<void> result;
    for (const StoredRow& row : rows) {
      auto done = row.value.empty() ? store.remove(row.kind, row.id) : store.save(row);
      if (!done) base::log_warning("phones", "a phone cannot be saved: {}", done.error().message);
      if (!done) result = std::move(done);
    }
    for (const auto& each : *waiting) each(result);
  });
  if (written) return changed_phones_.clear();
  waiting_ = std::move(*waiting);
  saving_ = hub_.bus.schedule(kRetry, [this] { save(); });
}

bool Phones::knows(std::string_view type) {
  return kKnown.contains(type);
}

void Phones::receive(const PhonePtr& phone, std::string type, json::value data, const core::Context& context,
                     Done done) {
  const std::size_t weight = core::EventBus::kSmallTask + base::to_json(data).size();
  const auto posted = hub_.bus.post(core::IfFull::fail, weight,
                                    [this, phone, type = std::move(type), data = std::move(data), context, done] {
                                      // As it is now: an earlier message may have changed it.
                                      const PhonePtr now = find(phone->webhook_id);
                                      if (!now) return done(base::fail(ErrorCode::not_found, "It has just ended."));
                                      auto answer = try_to_answer(now, type, data, context);
                                      if (!answer || !changed_phones_.contains(now->webhook_id))
                                        return done(std::move(answer));
                                      waiting_.push_back([done, answer](base::Result<void> saved) {
                                        if (!saved) return done(std::unexpected(std::move(saved.error())));
                                        done(answer);
                                      });
                                    });
  if (!posted) done(std::unexpected(posted.error()));
}

Result<Phones::Answer> Phones::try_to_answer(const PhonePtr& phone, const std::string& type, const json::value& data,
                                             const core::Context& context) {
  if (type == "update_sensor_states") {
    if (!data.is_array()) return base::fail(ErrorCode::invalid, "data: expected a list");
    return update_states(phone, data.get_array(), context);
  }
  if (type == "enable_encryption") return enable_encryption(phone);
  if (!data.is_object()) return base::fail(ErrorCode::invalid, "data: expected an object");
  const json::object& fields = data.get_object();
  if (type == "register_sensor") return register_sensor(phone, fields, context);
  if (type == "update_registration") return update_registration(phone, fields);
  const auto shown = shown_.find(phone->webhook_id);
  if (shown == shown_.end()) return base::fail(ErrorCode::unavailable, "The hub is starting.");
  if (auto located = shown->second.locate(fields, context); !located) return std::unexpected(located.error());
  return Answer{};
}

Result<Phones::Answer> Phones::register_sensor(const PhonePtr& phone, const json::object& data,
                                               const core::Context& context) {
  auto sensor = read_sensor(data);
  if (!sensor) return std::unexpected(sensor.error());
  const bool is_new = !phone->sensors.contains(sensor->unique_id);
  if (is_new && phone->sensors.size() >= Phone::kMaxSensors)
    return base::fail(ErrorCode::full, fmt::format("This app has {} sensors already.", Phone::kMaxSensors));
  const auto shown = shown_.find(phone->webhook_id);
  if (shown == shown_.end()) return base::fail(ErrorCode::unavailable, "The hub is starting.");
  auto put = shown->second.put(std::move(*sensor), data, context);
  if (!put) return std::unexpected(put.error());
  const auto known = phone->sensors.find(put->unique_id);
  if (known == phone->sensors.end() || !(known->second == *put)) {
    Phone next = *phone;
    std::string id = put->unique_id;
    next.sensors.insert_or_assign(std::move(id), std::move(*put));
    replace(std::move(next));
  }
  return Answer{.body = json::object{{"success", true}}, .status = 201};
}

Result<Phones::Answer> Phones::update_states(const PhonePtr& phone, const json::array& data,
                                             const core::Context& context) {
  if (data.size() > Phone::kMaxSensors)
    return base::fail(ErrorCode::invalid, fmt::format("data: expected at most {} sensors", Phone::kMaxSensors));
  const auto shown = shown_.find(phone->webhook_id);
  if (shown == shown_.end()) return base::fail(ErrorCode::unavailable, "The hub is starting.");
  json::object answers;
  for (const json::value& each : data) {
    const std::string id = each.is_object() ? base::text_at(each.get_object(), "unique_id", Phone::kMaxText) : "";
    if (id.empty()) return base::fail(ErrorCode::invalid, "unique_id: expected a text");
    json::object answer;
    if (const auto done = shown->second.report(each.get_object(), context)) {
      answer["success"] = true;
      if (shown->second.is_disabled(id)) answer["is_disabled"] = true;
    } else {
      const bool missing = done.error().code == ErrorCode::not_found;
      answer["success"] = false;
      answer["error"] = {{"code", missing ? "not_registered" : "invalid_format"}, {"message", done.error().message}};
    }
    answers[id] = std::move(answer);
  }
  return Answer{.body = std::move(answers)};
}

Result<Phones::Answer> Phones::update_registration(const PhonePtr& phone, const json::object& data) {
  auto changes = read_registration(data, true);
  if (!changes) return std::unexpected(changes.error());
  // An app stays the app of its device.
  for (const char* const fixed : {"device_id", "app_id"}) changes->erase(fixed);
  Phone next = *phone;
  for (const auto& [key, value] : *changes) next.registration[key] = value;
  json::object shown = next.registration;
  if (next.registration != phone->registration) replace(std::move(next));
  changed_();
  return Answer{.body = std::move(shown)};
}

Result<Phones::Answer> Phones::enable_encryption(const PhonePtr& phone) {
  if (!phone->secret.empty()) return base::fail(ErrorCode::conflict, "Encryption is enabled already.");
  Phone next = *phone;
  next.secret = make_phone_secret();
  json::object body{{"secret", next.secret}};
  replace(std::move(next));
  return Answer{.body = std::move(body)};
}

Result<void> Phones::fire(std::string_view type, std::string data_json, core::FiredBy by,
                          const core::Context& context) const {
  auto fired = hub_.bus.fire(core::IfFull::fail, type, std::move(data_json), core::Origin::remote, context, by);
  if (!fired) return std::unexpected(std::move(fired.error()));
  return {};
}

json::object Phones::sensors_of(const Phone& phone) const {
  const auto registry = hub_.registry.snapshot();
  json::object sensors;
  for (const auto& [id, sensor] : phone.sensors) {
    const auto* const known =
        registry->find_entity(kMobileApp, base::text_view_at(sensor.fields, "type"), sensor.registered_as);
    sensors[id] = json::object{{"disabled", known && !registry->enabled(*known)}};
  }
  return sensors;
}

std::string Phones::device_of(const Phone& phone) const {
  const auto registry = hub_.registry.snapshot();
  const auto* const tracker = registry->find_entity(kMobileApp, "device_tracker", phone.key);
  return tracker ? tracker->device_id.value_or("") : std::string();
}

}  // namespace hearth::phones
