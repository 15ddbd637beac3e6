// SPDX-License-Identifier: Apache-2.0
#include "api/routes.h"

#include "api/handlers.h"

namespace hearth::api {
namespace {

using enum http::Verb;

constexpr Answer kMessage[] = {{200, "A confirmation.", "Message"}};
constexpr Answer kConfiguration[] = {{200, "What the hub is called, where it stands, what it runs.", "Configuration"}};
constexpr Answer kStates[] = {{200, "The state of every entity, all at one moment.", "States"}};
constexpr Answer kState[] = {{200, "The state with its context.", "State"}};
constexpr Answer kWrittenState[] = {{200, "The entity was known; its state as it is now.", "State"},
                                    {201, "The entity is new; Location names it.", "State"},
                                    {507, "The home has no room for more; the message names the limit.", "Message"}};
constexpr Answer kListeners[] = {{200, "Each event type that somebody listens for.", "Listeners"}};
constexpr Answer kServices[] = {{200, "Every service with its fields.", "Services"}};
constexpr Answer kChangedStates[] = {
    {200, "The states that the call changed; with return_response an object of these and the response.", "CallResult"}};
constexpr Answer kHistory[] = {{200, "For each entity that has any its states, oldest first.", "History"}};
constexpr Answer kLogbook[] = {{200, "What happened, in order, and who or what caused it.", "Logbook"}};
constexpr Answer kBackups[] = {{200, "The backups that the hub keeps, newest first.", "Backups"}};
constexpr Answer kUploaded[] = {{201, "The backup is one of those that the hub keeps.", "Backup"},
                                {503, "Another one is being uploaded, or the disk is too full.", "Message"}};
constexpr Answer kFirstBackup[] = {
    {200, "The backup is there, and can be restored.", "Backup"},
    {403, "This home has its first user already, the code is missing or wrong, or a page of another site asks.",
     "Message"},
    {503, "Another one is being uploaded, or the disk is too full.", "Message"}};
constexpr Answer kFirstRestore[] = {
    {200, "The hub restarts as the home of the backup.", "FirstRestore"},
    {403, "This home has its first user already, the code is missing or wrong, or a page of another site asks.",
     "Message"}};
constexpr Answer kBackup[] = {{200, "The file.", "File", "application/octet-stream"}};
constexpr Answer kPicture[] = {{200, "The newest picture.", "File", "image/*"}};
constexpr Answer kCalendars[] = {{200, "Each calendar, in the order of the entity ids.", "Calendars"}};
constexpr Answer kCalendarEvents[] = {{200, "In the order of their starts.", "CalendarEvents"},
                                      {503, "The calendar does not answer now.", "Message"}};
constexpr Answer kStream[] = {
    {200, "Events as they happen, each a frame of `event: message` and `data: …`.", "Frames", "text/event-stream"}};
constexpr Answer kWebSocket[] = {{101, "The connection is a WebSocket from here on (RFC 6455).", ""},
                                 {403, "A page of another site asks.", "Message"},
                                 {426, "No WebSocket was asked for, or another version of it.", "Message"}};
constexpr Answer kRendered[] = {
    {200, "The text, without white space at its ends.", "Text", "text/plain"},
    {400, "The template is wrong, or fails; kind and line say how and where.", "TemplateError"}};
constexpr Answer kNames[] = {{200, "The names of integrations and domains that run.", "Names"}};
constexpr Answer kKinds[] = {{200, "Each domain's kind, in the order of the domains.", "Kinds"},
                             {304, "As If-None-Match says that the client has them.", ""}};
constexpr Answer kRegistry[] = {{200, "As far as the caller may read it.", "Registry"},
                                {304, "As If-None-Match says that the client has it.", ""}};
constexpr Answer kIntegrations[] = {
    {200, "How each integration does, in the order of configuration.yaml.", "Integrations"}};
constexpr Answer kMqttDiscovery[] = {{200, "A row for each component that a message describes.", "MqttDiscovery"}};
constexpr Answer kConfigEntries[] = {
    {200, "One for each integration of configuration.yaml, in its order.", "ConfigEntries"}};
constexpr Answer kCoreState[] = {{200, "Whether the hub runs.", "CoreState"}};
constexpr Answer kConfigCheck[] = {{200, "Whether it is valid, and what is wrong with it.", "ConfigCheck"}};
constexpr Answer kItem[] = {
    {200, "With the present names of its keys, secrets as ********; as application/yaml its own text in the file.",
     "AutomationItem"},
    {200, "", "Text", "application/yaml"}};
constexpr Answer kItemChanged[] = {{200, "It is in its file, and in force.", "ItemChanged"},
                                   {412, "It is not what If-Match says.", "Message"}};
constexpr Answer kWebhook[] = {{200, "Received, or unknown: nobody can tell which ids there are.", ""}};
constexpr Answer kLog[] = {{200, "The last lines of the log, oldest first.", "Text", "text/plain"}};
constexpr Answer kDocument[] = {{200, "This document.", "Document"}};

constexpr Answer kOnboarding[] = {{200, "The steps of a home's first start, done or not.", "Onboarding"}};
constexpr Answer kAuthCode[] = {
    {200, "The user is there; the code is good for tokens.", "AuthCode"},
    {403, "This home has its first user already, the code is missing or wrong, or a page of another site asks.",
     "Message"}};
constexpr Answer kProviders[] = {{200, "How one can log in.", "Providers"}};
constexpr Answer kLoginForm[] = {{200, "What to ask the user for.", "LoginStep"}};
constexpr Answer kLoginStep[] = {{200, "The code, or the form again with what was wrong.", "LoginStep"}};
constexpr Answer kLoginPage[] = {{200, "The page on which the user logs in.", "Page", "text/html"}};
constexpr Answer kLoggedIn[] = {
    {200, "The page again, with what was wrong.", "Page", "text/html"},
    {303, "Logged in: Location leads to redirect_uri, with the code.", "Message"},
    {400, "A parameter is wrong; or the form is too old, and the page comes again.", "Message"},
    {400, "A parameter is wrong; or the form is too old, and the page comes again.", "Page", "text/html"}};
constexpr Answer kTokens[] = {{200, "Tokens; of action=revoke an empty object.", "Tokens"},
                              {400, "The grant is not valid; log in again.", "TokenError"},
                              {403, "The user is not active.", "TokenError"}};
constexpr Answer kRevoked[] = {{200, "The session has ended, if there was one.", "Empty"}};

constexpr Parameter kAuthorization[] = {
    {"response_type", "Always code.", R"({"type": "string", "enum": ["code"]})"},
    {"client_id", "The address of the client's web page.", R"({"$ref": "#/components/schemas/ClientId"})", false, true},
    {"redirect_uri", "Where the user goes then.", R"({"$ref": "#/components/schemas/RedirectUri"})", false, true},
    {"state", "Comes back with the code, as it is.", R"({"$ref": "#/components/schemas/Line"})"},
    {"code_challenge", "PKCE: the SHA-256 of the code_verifier, as base64url; with its method.",
     R"({"$ref": "#/components/schemas/CodeChallenge"})"},
    {"code_challenge_method", "Always S256.", R"({"type": "string", "enum": ["S256"]})"}};
constexpr Parameter kRestrict[] = {
    {"restrict", "Only events of these types, separated by commas; pings always come.",
     R"({"type": "string", "pattern": "^[^\\x00-\\x1f\\x7f]*$", "example": "state_changed,call_service"})", true}};
constexpr Parameter kServiceCall[] = {
    {"return_response", "By its presence: answer with what the service has to say, too.",
     R"({"$ref": "#/components/schemas/Line"})"},
    {"wait", "Seconds to wait, at most, for the devices to report.",
     R"({"type": "number", "minimum": 0, "maximum": 10, "default": 2})"}};

constexpr Parameter kHistoryQuery[] = {
    {"filter_entity_id", "The entities, separated by commas.", R"({"$ref": "#/components/schemas/EntityIds"})", false,
     true},
    {"end_time", "By default a day after the start.", R"({"type": "string", "format": "date-time"})"},
    {"minimal_response", "By its presence: only state and last_changed between an entity's first state and its last.",
     R"({"$ref": "#/components/schemas/Line"})"},
    {"no_attributes", "By its presence: attributes are empty.", R"({"$ref": "#/components/schemas/Line"})"},
    {"skip_initial_state", "By its presence: without the state at the start.",
     R"({"$ref": "#/components/schemas/Line"})"},
    {"significant_changes_only", "Without changes of attributes alone, except those of a few domains; 0: with them.",
     R"({"allOf": [{"$ref": "#/components/schemas/Line"}], "default": "1"})"}};
constexpr Parameter kLogbookQuery[] = {
    {"entity", "Only these entities, separated by commas; all if it is empty.",
     R"({"anyOf": [{"$ref": "#/components/schemas/EntityIds"}, {"type": "string", "maxLength": 0}]})"},
    {"end_time", "By default a day after the start.", R"({"type": "string", "format": "date-time"})"},
    {"period", "Instead of end_time: so many days.", R"({"type": "integer", "minimum": 1, "maximum": 3660})"},
    {"context_id", "Only what has this context, or descends from it.", R"({"$ref": "#/components/schemas/Line"})"}};

constexpr Parameter kFlowHandlers[] = {
    {"type", "Only integrations of this type.", R"({"$ref": "#/components/schemas/Line"})", true}};
constexpr Parameter kSpan[] = {
    {"start", "Events that end after this; without an offset by the home's clocks.",
     R"({"type": "string", "format": "date-time"})", false, true},
    {"end", "And begin before this.", R"({"type": "string", "format": "date-time"})", false, true}};
constexpr Parameter kPictureToken[] = {
    {"token", "The picture's own token, its entity's attribute access_token, instead of a user's in the header.",
     R"({"$ref": "#/components/schemas/Line"})"}};

constexpr Parameter kBackupName[] = {
    {"name", "What to call it: letters, digits, _ and -. By default the time at which it was made.",
     R"({"type": "string", "maxLength": 64})"}};

constexpr Body kBackupFile{"File", true, false, true};
constexpr Body kFirstRestoreOrder{"FirstRestoreOrder", true};
constexpr Body kNewState{"NewState", true};
constexpr Body kEventData{"EventData"};
constexpr Body kServiceData{"ServiceData"};
constexpr Body kAnything{.schema = "Anything", .content_type = "*/*"};
constexpr Body kItemBody{.schema = "AutomationItem", .required = true, .text_type = "application/yaml"};
constexpr Body kTemplate{"Template", true};
constexpr Body kFirstUser{"FirstUser", true};
constexpr Body kLoginStart{"LoginStart", true};
constexpr Body kLoginInput{"LoginInput", true};
constexpr Body kAuthorizeForm{"AuthorizeForm", true, true};
constexpr Body kTokenForm{"TokenForm", true, true};
constexpr Body kRevokeForm{"RevokeForm", false, true};

// Of an item that stands in a file.
constexpr Endpoint item_text(http::Verb method, std::string_view path, AsyncHandler handler, std::string_view summary,
                             std::span<const Answer> answers) {
  const bool writes = method == post;
  return {method, path, Access::admin, handler, Durable::no, summary, answers, {}, writes ? &kItemBody : nullptr,
          !writes};
}

// In the specification's order; then how one comes to a token.
constexpr Endpoint kEndpoints[] = {
    {get, "/api/", Access::open, status::get, Durable::no, "Whether the API is running", kMessage},
    {get, "/api/config", Access::admin, config::get, Durable::no, "The configuration", kConfiguration},
    {get, "/api/states", Access::user, states::list, Durable::no, "All states", kStates},
    {get, "/api/states/{entity_id}", Access::user, states::get, Durable::no, "One state", kState, {}, nullptr, true},
    {post,
     "/api/states/{entity_id}",
     Access::control,
     states::post,
     Durable::recorder,
     "Set a state",
     kWrittenState,
     {},
     &kNewState},
    {delete_,
     "/api/states/{entity_id}",
     Access::control,
     states::remove,
     Durable::recorder,
     "Remove a state",
     kMessage,
     {},
     nullptr,
     true},
    {get, "/api/events", Access::user, events::list, Durable::no, "Event types with listeners", kListeners},
    {post,
     "/api/events/{event_type}",
     Access::control,
     events::post,
     Durable::no,
     "Fire an event",
     kMessage,
     {},
     &kEventData},
    {get, "/api/services", Access::user, services::list, Durable::no, "All services", kServices},
    {post, "/api/services/{domain}/{service}", Access::call, services::post, Durable::registry, "Call a service",
     kChangedStates, kServiceCall, &kServiceData, true},
    {get, "/api/history/period", Access::user, history::period, Durable::no, "The last day of some entities", kHistory,
     kHistoryQuery},
    {get, "/api/history/period/{start}", Access::user, history::period, Durable::no, "States since a time", kHistory,
     kHistoryQuery},
    {get, "/api/logbook", Access::user, logbook::get, Durable::no, "What happened in the last day", kLogbook,
     kLogbookQuery},
    {get, "/api/logbook/{start}", Access::user, logbook::get, Durable::no, "What happened since a time", kLogbook,
     kLogbookQuery},
    {get, "/api/backups", Access::admin, backups::list, Durable::no, "The backups that the hub keeps", kBackups},
    {post, "/api/backups", Access::admin, backups::upload, Durable::no, "Upload a backup", kUploaded, kBackupName,
     &kBackupFile, false, backups::receive},
    {get,
     "/api/backups/{name}",
     Access::admin,
     backups::get,
     Durable::no,
     "Download a backup",
     kBackup,
     {},
     nullptr,
     true},
    {delete_,
     "/api/backups/{name}",
     Access::admin,
     backups::remove,
     Durable::no,
     "Remove a backup",
     kMessage,
     {},
     nullptr,
     true},
    {get, "/api/stream", Access::admin, stream::get, Durable::no, "Live events", kStream, kRestrict},
    {get, "/api/websocket", Access::open, websocket::get, Durable::no,
     "The WebSocket API; the token comes in its first message", kWebSocket},
    {get, "/api/camera_proxy/{entity_id}", Access::picture, pictures::get, Durable::no, "The picture of a camera",
     kPicture, kPictureToken, nullptr, true},
    {get, "/api/image_proxy/{entity_id}", Access::picture, pictures::get, Durable::no, "The picture of an image",
     kPicture, kPictureToken, nullptr, true},
    {get, "/api/calendars", Access::user, calendars::list, Durable::no, "All calendars", kCalendars},
    {get, "/api/calendars/{entity_id}", Access::user, calendars::get, Durable::no, "The events between two times",
     kCalendarEvents, kSpan, nullptr, true},
    {post,
     "/api/template",
     Access::admin,
     templates::post,
     Durable::no,
     "Render a template",
     kRendered,
     {},
     &kTemplate},
    {get, "/api/components", Access::user, components::list, Durable::no, "Running components", kNames},
    {get, "/api/kinds", Access::open, kinds::list, Durable::no, "What entities can be and do, by domain", kKinds},
    {get, "/api/registry", Access::user, registry::list, Durable::no, "Areas, floors, devices and entities", kRegistry},
    {get, "/api/mqtt/discovery", Access::admin, mqtt::discovery, Durable::no,
     "What became of the messages of MQTT discovery", kMqttDiscovery},
    {get, "/api/integrations", Access::user, integrations::list, Durable::no, "How the integrations do", kIntegrations},
    {get, "/api/config/config_entries/entry", Access::user, config_entries::list, Durable::no,
     "The integrations, as config entries", kConfigEntries},
    {get, "/api/config/config_entries/flow_handlers", Access::user, config_entries::flow_handlers, Durable::no,
     "The integrations that pages can set up", kNames, kFlowHandlers},
    {get, "/api/core/state", Access::user, core_state::get, Durable::no, "State of the hub itself", kCoreState},
    item_text(get, "/api/config/automation/config/{id}", automation_config::get, "An automation as it is written",
              kItem),
    item_text(post, "/api/config/automation/config/{id}", automation_config::post, "Make or replace an automation",
              kItemChanged),
    item_text(delete_, "/api/config/automation/config/{id}", automation_config::remove, "Remove an automation",
              kItemChanged),
    item_text(get, "/api/config/script/config/{id}", automation_config::get, "A script as it is written", kItem),
    item_text(post, "/api/config/script/config/{id}", automation_config::post, "Make or replace a script",
              kItemChanged),
    item_text(delete_, "/api/config/script/config/{id}", automation_config::remove, "Remove a script", kItemChanged),
    item_text(get, "/api/config/scene/config/{id}", automation_config::get, "A scene as it is written", kItem),
    item_text(post, "/api/config/scene/config/{id}", automation_config::post, "Make or replace a scene", kItemChanged),
    item_text(delete_, "/api/config/scene/config/{id}", automation_config::remove, "Remove a scene", kItemChanged),
    {post, "/api/config/core/check_config", Access::admin, check_config::post, Durable::no,
     "Whether configuration.yaml is valid", kConfigCheck},
    {get, "/api/error_log", Access::admin, error_log::get, Durable::no, "The last lines of the log", kLog},
    {get, "/api/webhook/{webhook_id}", Access::webhook, webhook::receive, Durable::no, "Call a webhook", kWebhook},
    {post,
     "/api/webhook/{webhook_id}",
     Access::webhook,
     webhook::receive,
     Durable::no,
     "Call a webhook with data",
     kWebhook,
     {},
     &kAnything},
    {put,
     "/api/webhook/{webhook_id}",
     Access::webhook,
     webhook::receive,
     Durable::no,
     "Call a webhook with data",
     kWebhook,
     {},
     &kAnything},
    {get, "/api/openapi.json", Access::open, openapi::get, Durable::no, "This API, described", kDocument},
    {get, "/api/onboarding", Access::open, onboarding::get, Durable::no, "Whether the home has its first user",
     kOnboarding},
    {post,
     "/api/onboarding/users",
     Access::open,
     onboarding::post_user,
     Durable::no,
     "Make the first administrator",
     kAuthCode,
     {},
     &kFirstUser},
    {post,
     "/api/onboarding/backup",
     Access::open,
     onboarding::post_backup,
     Durable::no,
     "Upload the backup that a new home starts from",
     kFirstBackup,
     {},
     &kBackupFile,
     false,
     onboarding::receive_backup},
    {post,
     "/api/onboarding/restore",
     Access::open,
     onboarding::restore,
     Durable::no,
     "Start a new home from the uploaded backup",
     kFirstRestore,
     {},
     &kFirstRestoreOrder},
    {get, "/auth/providers", Access::open, login_flow::providers, Durable::no, "Ways to log in", kProviders},
    {post,
     "/auth/login_flow",
     Access::open,
     login_flow::begin,
     Durable::no,
     "Begin a login",
     kLoginForm,
     {},
     &kLoginStart},
    {post,
     "/auth/login_flow/{flow_id}",
     Access::open,
     login_flow::step,
     Durable::no,
     "Log in",
     kLoginStep,
     {},
     &kLoginInput,
     true},
    {delete_,
     "/auth/login_flow/{flow_id}",
     Access::open,
     login_flow::remove,
     Durable::no,
     "Abort a login",
     kMessage,
     {},
     nullptr,
     true},
    {get, "/auth/authorize", Access::open, authorize::get, Durable::no, "The page to log in on", kLoginPage,
     kAuthorization},
    {post,
     "/auth/authorize",
     Access::open,
     authorize::post,
     Durable::no,
     "The form of that page",
     kLoggedIn,
     {},
     &kAuthorizeForm},
    {post,
     "/auth/token",
     Access::open,
     token::post,
     Durable::no,
     "Trade a code or a refresh token for an access token",
     kTokens,
     {},
     &kTokenForm},
    {post, "/auth/revoke", Access::open, token::revoke, Durable::no, "End a session", kRevoked, {}, &kRevokeForm},
};

}  // namespace

std::span<const Endpoint> endpoints() {
  return kEndpoints;
}

}  // namespace hearth::api
