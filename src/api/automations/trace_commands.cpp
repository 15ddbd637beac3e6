// SPDX-License-Identifier: Apache-2.0
// trace/…: what runs did, and runs that stand at a breakpoint.
#include "api/automations/ask.h"
#include "api/gateway/bus_feed.h"
#include "api/gateway/message_reader.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

struct NamedRun {
  std::string item, run;
};

// The item and the run that the message names. `node`: null if it names none.
base::Result<NamedRun> read_run(const CommandCall& call, std::string* node) {
  std::string domain, item_id;
  std::optional<std::string> run_id;
  MessageReader in(call.message);
  in.required("domain", domain);
  in.required("item_id", item_id);
  if (node) {
    in.required("node", *node);
    in.optional("run_id", run_id);
  } else {
    run_id.emplace();
    in.required("run_id", *run_id);
  }
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (domain != "automation" && domain != "script")
    return base::fail(base::ErrorCode::invalid, "domain: expected automation or script.");
  return NamedRun{domain + "." + item_id, run_id.value_or("*")};
}

void debug(const CommandCall& call, CommandReply reply, Automations::Debug what) {
  auto named = read_run(call, nullptr);
  if (!named) return reply.send(std::unexpected(named.error()));
  ask_automations(call, std::move(reply), [what, named = *named](Automations& all, const SharedReply& answer) {
    const auto done = all.debug(what, named.item, named.run);
    if (!done) return answer->send(std::unexpected(done.error()));
    answer->send("null");
  });
}

void trace_contexts(const CommandCall& call, CommandReply reply) {
  std::optional<std::string> domain, item_id;
  MessageReader in(call.message);
  in.optional("domain", domain);
  in.optional("item_id", item_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (domain.has_value() != item_id.has_value()) {
    return reply.send(
        std::unexpected(CommandError(command_error::kInvalidFormat, "domain, item_id: expected both, or neither.")));
  }
  ask_automations(call, std::move(reply), [domain, item_id](Automations& all, const SharedReply& answer) {
    json::object contexts = all.trace_contexts();
    if (domain) {
      json::object wanted;
      for (const auto& [id, run] : contexts) {
        if (run.at("domain") == json::string(*domain) && run.at("item_id") == json::string(*item_id)) wanted[id] = run;
      }
      contexts = std::move(wanted);
    }
    answer->send(base::to_json(contexts));
  });
}

void list_traces(const CommandCall& call, CommandReply reply) {
  std::string domain, item_id;
  MessageReader in(call.message);
  in.required("domain", domain);
  in.optional("item_id", item_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  ask_automations(call, std::move(reply), [domain, item_id](Automations& all, const SharedReply& answer) {
    answer->send(base::to_json(json::value(all.traces(domain, item_id))));
  });
}

// Fails with not_found.
void get_trace(const CommandCall& call, CommandReply reply) {
  std::string domain, item_id, run_id;
  MessageReader in(call.message);
  in.required("domain", domain);
  in.required("item_id", item_id);
  in.required("run_id", run_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  ask_automations(call, std::move(reply), [domain, item_id, run_id](Automations& all, const SharedReply& answer) {
    all.trace(domain, item_id, run_id, [answer](std::optional<std::string> json) {
      if (!json) return answer->send(not_there("There is no such trace."));
      answer->send(std::move(*json));
    });
  });
}

void set_breakpoint(const CommandCall& call, CommandReply reply) {
  std::string node;
  auto named = read_run(call, &node);
  if (!named) return reply.send(std::unexpected(named.error()));
  ask_automations(call, std::move(reply), [named = *named, node](Automations& all, const SharedReply& answer) {
    const auto set = all.set_breakpoint({named.item, named.run, node});
    if (!set) return answer->send(std::unexpected(set.error()));
    answer->send("true");
  });
}

void clear_breakpoint(const CommandCall& call, CommandReply reply) {
  std::string node;
  auto named = read_run(call, &node);
  if (!named) return reply.send(std::unexpected(named.error()));
  ask_automations(call, std::move(reply), [named = *named, node](Automations& all, const SharedReply& answer) {
    answer->send(all.clear_breakpoint({named.item, named.run, node}) ? "true" : "false");
  });
}

void list_breakpoints(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  ask_automations(call, std::move(reply), [](Automations& all, const SharedReply& answer) {
    answer->send(base::to_json(json::value(all.breakpoints())));
  });
}

void subscribe_breakpoints(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (!call.parts.automations) return reply.send(no_automations());
  if (auto room = call.connection.may_subscribe(0); !room) return reply.send(std::unexpected(room.error()));
  BusFeed::begin(call, std::move(reply), 0,
                 [automations = call.parts.automations](BusFeed::Put put) -> base::Result<std::shared_ptr<void>> {
                   return automations->watch_breakpoints(
                       [put = std::move(put)](json::object stopped) { put(base::to_json(stopped)); });
                 });
}

// Fails with not_found.
void continue_run(const CommandCall& call, CommandReply reply) {
  debug(call, std::move(reply), Automations::Debug::go_on);
}

// Fails with not_found.
void step_run(const CommandCall& call, CommandReply reply) {
  debug(call, std::move(reply), Automations::Debug::step);
}

// Fails with not_found.
void stop_run(const CommandCall& call, CommandReply reply) {
  debug(call, std::move(reply), Automations::Debug::end);
}

}  // namespace

constexpr Command kTraceCommandRows[] = {
    {"trace/contexts", Access::admin, trace_contexts, Durable::no},
    {"trace/list", Access::admin, list_traces, Durable::no},
    {"trace/get", Access::admin, get_trace, Durable::no},
    {"trace/debug/breakpoint/set", Access::admin, set_breakpoint, Durable::no},
    {"trace/debug/breakpoint/clear", Access::admin, clear_breakpoint, Durable::no},
    {"trace/debug/breakpoint/list", Access::admin, list_breakpoints, Durable::no},
    {"trace/debug/breakpoint/subscribe", Access::admin, subscribe_breakpoints, Durable::no},
    {"trace/debug/continue", Access::admin, continue_run, Durable::no},
    {"trace/debug/step", Access::admin, step_run, Durable::no},
    {"trace/debug/stop", Access::admin, stop_run, Durable::no},
};
constexpr Commands kTraceCommands = kTraceCommandRows;

}  // namespace hearth::api
