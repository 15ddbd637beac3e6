// SPDX-License-Identifier: Apache-2.0
#include "core/service_registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/log.h"
#include "core/service_target.h"

namespace hearth::core {
namespace {

std::string service_event_data(std::string_view domain, std::string_view service) {
  return base::to_json(json::object{{"domain", domain}, {"service", service}});
}

// Hands a reply on once, and answers for a handler that forgot to.
class ReplyOnce {
 public:
  explicit ReplyOnce(ServiceReply reply) : reply_(std::move(reply)) {}
  ReplyOnce(const ReplyOnce&) = delete;
  ReplyOnce& operator=(const ReplyOnce&) = delete;
  ~ReplyOnce() {
    if (reply_) send(base::fail(base::ErrorCode::internal, "The service ended without an answer."));
  }
  void send(base::Result<json::value> response) {
    if (auto reply = std::exchange(reply_, nullptr)) reply(std::move(response));
  }

 private:
  ServiceReply reply_;
};

}  // namespace

Registration& Registration::operator=(Registration&& other) noexcept {
  if (this != &other) {
    if (services_) services_->remove(domain_, service_);
    services_ = std::exchange(other.services_, nullptr);
    domain_ = std::move(other.domain_);
    service_ = std::move(other.service_);
  }
  return *this;
}

Registration::~Registration() {
  if (services_) services_->remove(domain_, service_);
}

ServiceRegistry::ServiceRegistry(EventBus& bus, const StateMachine& states, const Registry& registry,
                                 const base::Clock& clock)
    : bus_(bus), states_(states), registry_(registry), clock_(clock), services_(std::make_shared<const Services>()) {
  changes_ = bus_.listen(EventFilter{{std::string(event_type::kStateChanged)}}, *this);
}

ServiceRegistry::~ServiceRegistry() { changes_ = Subscription(); }

Registration ServiceRegistry::add(ServiceDescription description, ServiceHandler handler) {
  Registration registration;
  registration.services_ = this;
  registration.domain_ = description.domain;
  registration.service_ = description.service;
  {
    base::MutexLock lock(mutex_);
    auto next = std::make_shared<Services>(*services_.load());
    (*next)[description.domain][description.service] =
        std::make_shared<const Service>(Service{std::move(description), std::move(handler)});
    services_.publish(std::move(next));
  }
  bus_.fire(event_type::kServiceRegistered, service_event_data(registration.domain_, registration.service_),
            Origin::local, Context::create(clock_.now()));
  return registration;
}

void ServiceRegistry::remove(const std::string& domain, const std::string& service) {
  {
    base::MutexLock lock(mutex_);
    auto next = std::make_shared<Services>(*services_.load());
    const auto services = next->find(domain);
    services->second.erase(service);
    if (services->second.empty()) next->erase(services);
    services_.publish(std::move(next));
  }
  bus_.fire(event_type::kServiceRemoved, service_event_data(domain, service), Origin::local,
            Context::create(clock_.now()));
}

std::shared_ptr<const ServiceRegistry::Service> ServiceRegistry::find(std::string_view domain,
                                                                      std::string_view service) const {
  const auto services = services_.load();
  const auto in_domain = services->find(domain);
  if (in_domain == services->end()) return nullptr;
  const auto found = in_domain->second.find(service);
  return found == in_domain->second.end() ? nullptr : found->second;
}

void ServiceRegistry::call(ServiceRequest request, Done done) {
  const auto service = find(request.domain, request.service);
  if (!service) {
    return done(base::fail(base::ErrorCode::not_found,
                           fmt::format("Service {}.{} not found.", request.domain, request.service)));
  }
  const ServiceDescription& description = service->description;
  if (description.administrator && !request.rights.administer()) {
    return done(base::fail(base::ErrorCode::forbidden, fmt::format("{}.{} is for administrators.", request.domain,
                                                                   request.service)));
  }
  if (!description.has_target && !request.rights.control({})) {
    return done(base::fail(base::ErrorCode::forbidden, "This user may only read."));
  }
  if (request.return_response && description.response == ResponseSupport::none) {
    return done(base::fail(base::ErrorCode::invalid, fmt::format("return_response: {}.{} does not answer with data.",
                                                                 request.domain, request.service)));
  }
  if (!request.return_response && description.response == ResponseSupport::only) {
    return done(base::fail(base::ErrorCode::invalid, fmt::format("return_response: {}.{} only answers with data; add "
                                                                 "?return_response to the address.",
                                                                 request.domain, request.service)));
  }
  ServiceTarget target;
  if (description.has_target) {
    auto parsed = ServiceTarget::parse(request.data);
    if (!parsed) return done(std::unexpected(parsed.error()));
    target = std::move(*parsed);
    if (!target.given) {
      return done(base::fail(base::ErrorCode::invalid,
                             fmt::format("entity_id: {}.{} needs a target: entity_id, device_id, area_id, floor_id or "
                                         "label_id.",
                                         request.domain, request.service)));
    }
  }
  auto valid = validate(description, request.data);
  if (!valid) return done(std::unexpected(valid.error()));

  // The event tells what was asked, the handler gets what was checked.
  json::object asked = std::exchange(request.data, std::move(*valid));
  bus_.post([this, service, request = std::move(request), asked = std::move(asked), target = std::move(target),
             done = std::move(done)]() mutable {
    const ResolvedTarget resolved =
        resolve(target, service->description.target_domains, *states_.snapshot(), *registry_.snapshot());
    for (const auto& id : resolved.entity_ids) {
      if (request.rights.control(id)) continue;
      return done(base::fail(base::ErrorCode::forbidden, fmt::format("This user may not control {}.", id)));
    }
    if (!resolved.left_out.empty()) {
      base::log_warning("services", "{}.{} leaves out what it cannot reach: {}", request.domain, request.service,
                        fmt::join(resolved.left_out, ", "));
    }
    bus_.fire(event_type::kCallService,
              base::to_json(json::object{
                  {"domain", request.domain}, {"service", request.service}, {"service_data", std::move(asked)}}),
              Origin::local, request.context);
    begin(service, std::move(request), resolved.entity_ids, std::move(done));
  });
}

void ServiceRegistry::begin(std::shared_ptr<const Service> service, ServiceRequest request,
                            std::vector<std::string> entity_ids, Done done) {
  auto pending = std::make_shared<PendingCall>();
  pending->contexts.insert(request.context.id);
  pending->call = std::make_unique<ServiceCall>(std::move(request), std::move(entity_ids));
  pending->done = std::move(done);
  pending->timer = bus_.schedule(kLongestAnswer, [this, pending] { finish(pending); });
  pending_.push_back(pending);

  const auto reply = std::make_shared<ReplyOnce>(
      [this, pending](base::Result<json::value> response) { answered(pending, std::move(response)); });
  try {
    service->handler(*pending->call, [reply](base::Result<json::value> response) { reply->send(std::move(response)); });
  } catch (const std::exception& failure) {
    base::log_error("services", "{}.{} failed: {}", pending->call->request().domain, pending->call->request().service,
                    failure.what());
    reply->send(base::fail(base::ErrorCode::internal, "The service failed."));
  }
}

void ServiceRegistry::answered(const Pending& pending, base::Result<json::value> response) {
  if (!pending->done) return;
  if (!response) {
    const auto done = std::exchange(pending->done, nullptr);
    pending->timer = Timer();
    pending_.remove(pending);
    return done(std::unexpected(response.error()));
  }
  pending->answered = true;
  pending->response = std::move(*response);
  if (!pending->expected.empty()) {
    pending->timer = bus_.schedule(pending->call->request().wait, [this, pending] { finish(pending); });
  }
  finish_when_reported(pending);
}

void ServiceRegistry::expect_report(const Context& context, std::string_view entity_id) {
  for (const Pending& pending : pending_) {
    if (pending->contexts.contains(context.id)) pending->expected.emplace(entity_id);
  }
}

void ServiceRegistry::reported(const Context& context, std::string_view entity_id) {
  const auto calls = pending_;
  for (const Pending& pending : calls) {
    if (!pending->contexts.contains(context.id)) continue;
    pending->expected.erase(std::string(entity_id));
    finish_when_reported(pending);
  }
}

void ServiceRegistry::finish_when_reported(const Pending& pending) {
  if (!pending->answered || !pending->expected.empty()) return;
  // Behind the events of the changes that were made meanwhile.
  bus_.post([this, pending] { finish(pending); });
}

void ServiceRegistry::finish(const Pending& pending) {
  const auto done = std::exchange(pending->done, nullptr);
  if (!done) return;
  pending->timer = Timer();
  pending_.remove(pending);
  CallOutcome outcome;
  for (const auto& id : pending->order) {
    if (auto state = pending->changed.at(id)) outcome.changed.push_back(std::move(state));
  }
  outcome.response = std::move(pending->response);
  done(std::move(outcome));
}

void ServiceRegistry::on_event(const EventPtr& event) {
  for (const Pending& pending : pending_) {
    const bool own = pending->contexts.contains(event->context.id);
    if (!own && !(event->context.parent_id && pending->contexts.contains(*event->context.parent_id))) continue;
    pending->contexts.insert(event->context.id);
    const StateChange& change = *event->state_change();
    const std::string id((change.new_state ? change.new_state : change.old_state)->entity_id());
    if (pending->changed.insert_or_assign(id, change.new_state).second) pending->order.push_back(id);
  }
}

}  // namespace hearth::core
