// SPDX-License-Identifier: Apache-2.0
// The shapes that the hub answers with; docs/api.md and docs/websocket.md describe them.

export type Attributes = Record<string, unknown>;

export interface Context {
  id: string;
  parent_id: string | null;
  user_id: string | null;
}

export interface Entity {
  readonly entity_id: string;
  readonly state: string;
  readonly attributes: Attributes;
  readonly context: Context;
  // Seconds since 1970.
  readonly last_changed: number;
  readonly last_updated: number;
}

export interface HomeConfiguration {
  location_name: string;
  version: string;
  state: string;
  time_zone: string;
  language: string;
  latitude: number;
  longitude: number;
  elevation: number;
  config_dir: string;
  components: string[];
  unit_system: Record<string, string>;
  currency: string;
  config_source?: "yaml" | "storage";
  internal_url?: string | null;
  external_url?: string | null;
  // Keys that configuration.yaml sets, and that cannot be changed here.
  yaml_keys?: string[];
}

export interface CurrentUser {
  id: string;
  name: string;
  is_owner: boolean;
  is_admin: boolean;
  is_read_only: boolean;
}

export interface Area {
  area_id: string;
  name: string;
  floor_id: string | null;
  icon: string | null;
  labels: string[];
  // The sensor that says how warm it is; null if nobody has chosen one.
  temperature_entity_id?: string | null;
  humidity_entity_id?: string | null;
}

export interface Floor {
  floor_id: string;
  name: string;
  level: number | null;
}

export interface Device {
  id: string;
  name: string | null;
  name_by_user: string | null;
  area_id: string | null;
  labels: string[];
  disabled_by: string | null;
  manufacturer: string | null;
  model: string | null;
  model_id: string | null;
  sw_version: string | null;
  hw_version: string | null;
  serial_number: string | null;
  // The device through which it is reached.
  via_device_id: string | null;
  configuration_url: string | null;
  // "service" for what is no device.
  entry_type: string | null;
  // The connection that brings it.
  primary_config_entry: string | null;
  // The integration's own names of it: [["mqtt", "zigbee2mqtt_0x…"]].
  identifiers?: [string, string][];
  // Seconds since 1970.
  created_at: number;
}

export interface RegisteredEntity {
  // In the registry, which files may name it by.
  id?: string;
  entity_id: string;
  // The integration's own name for it.
  unique_id: string;
  name: string | null;
  original_name: string | null;
  icon: string | null;
  area_id: string | null;
  device_id: string | null;
  // The connection that brings it.
  config_entry_id?: string | null;
  platform: string;
  disabled_by: string | null;
  hidden_by: string | null;
  entity_category: string | null;
  labels?: string[];
  // One in each scope, such as automation.
  categories?: Record<string, string>;
  // The user's wishes for it, by domain: {"sensor":{"display_precision":1}}.
  options: Record<string, Record<string, unknown>>;
  // There, and null, if it is reserved for what will bring it.
  hearth_provider?: null;
}

// The registry keeps it, with its name and room, for what will bring it.
export function isReserved(entity: RegisteredEntity | undefined): boolean {
  return entity?.hearth_provider === null;
}

// Further fields of the registry's page about one entity.
export interface EntityEntry extends RegisteredEntity {
  labels: string[];
  device_class: string | null;
  original_device_class: string | null;
}

export interface Label {
  label_id: string;
  name: string;
  // #rrggbb, or a name such as light-blue.
  color: string | null;
  icon: string | null;
  description: string | null;
}

export interface Notification {
  notification_id: string;
  title: string | null;
  message: string;
  created_at: string;
}

export interface Issue {
  domain: string;
  issue_id: string;
  severity: string;
  created: string;
  ignored: boolean;
  translation_key: string;
  translation_placeholders: Record<string, string>;
}

export interface Diagnosis {
  check: string;
  grade: "good" | "warning" | "bad";
  text: string;
  advice: string;
}

export interface DoctorReport {
  grade: Diagnosis["grade"];
  diagnoses: Diagnosis[];
}

export interface RefreshToken {
  id: string;
  type: "normal" | "long_lived_access_token";
  client_id: string | null;
  client_name: string | null;
  created_at: string;
  is_current: boolean;
  last_used_at: string | null;
  last_used_ip: string | null;
  // The name that a session's client gives itself.
  user_agent: string | null;
  expire_at: string | null;
  // A long-lived token's part of it; null: all that its user may.
  scopes: Scope[] | null;
  rights: Rights | null;
}

export type Scope = "read" | "control" | "fire_event" | "history" | "template" | "admin" | "metrics";

export interface Selection {
  all?: boolean;
  entities?: string[];
  domains?: string[];
  areas?: string[];
  labels?: string[];
}

export interface Rights {
  read: Selection;
  control: Selection;
}

export interface User {
  id: string;
  username: string;
  name: string;
  is_owner: boolean;
  is_active: boolean;
  group_ids: string[];
  has_second_factor: boolean;
  // Null where the role alone decides.
  rights: Rights | null;
  // Null: never.
  ends_at: string | null;
}

export interface Invitation {
  invitation_id: string;
  name: string;
  group_ids: string[];
  rights: Rights | null;
  // Of the account.
  ends_at: string | null;
  // Null: the command line.
  invited_by: string | null;
  created_at: string;
  expires_at: string;
  used_at: string | null;
  used_by: string | null;
}

// With its text, which is shown once.
export interface NewInvitation extends Invitation {
  invitation: string;
}

// An address that is counted now, and perhaps banned.
export interface CountedAttempts {
  kind: "address" | "account";
  subject: string;
  failures: number;
  banned_until: string | null;
  last_attempt: string;
}

type LoginPurpose = "login" | "password_change" | "api" | "websocket" | "first_user" | "second_factor" | "passkey" | "invitation";

// A failure that is kept for people to read: the same one, once or several times in a row.
export interface KeptAttempts {
  kind: "attempt";
  subject: string;
  failures: number;
  first_attempt: string;
  last_attempt: string;
  address: string;
  account: string | null;
  purpose: LoginPurpose;
}

export type LoginAttempts = CountedAttempts | KeptAttempts;

export type OwnAttempt = Pick<KeptAttempts, "failures" | "first_attempt" | "last_attempt" | "address" | "purpose">;

// Of the user's own account, since the login before the last one.
export interface OwnAttempts {
  since: string | null;
  attempts: OwnAttempt[];
}

// A row of the audit log.
export interface AuditRow {
  number: number;
  time: string;
  what: string;
  subject: string | null;
  user: string | null;
  address: string | null;
  count: number;
}

// The answer of `audit/list`: the latest rows first; `head` is the end of the chain of hashes.
export interface AuditPage {
  rows: AuditRow[];
  total: number;
  head: string;
}

// The answer of `system_health/info` about the hub.
export interface SystemInfo {
  // The operating system, the processor, and how the hub was installed.
  host: string;
  version: string;
  state: string;
  started_at: string;
  uptime: number;
  memory_resident: number;
  memory_peak: number;
  cpu_seconds: number;
  threads: number;
  http_connections: number;
  websocket_connections: number;
  event_streams: number;
  entities: number;
  devices: number;
  areas: number;
  users: number;
  config_dir: string;
  database_size: number;
  bus: { slow: SlowCallback[] };
}

// A place in the hub's sources that has held up all of the home for too long.
export interface SlowCallback {
  where: string;
  longest_ms: number;
  times: number;
  last: string;
  holds_now: boolean;
}

// The answer of `recorder/info`.
export interface RecorderInfo {
  recording: boolean;
  backlog: number;
  max_backlog: number;
  last_commit: string | null;
  last_error: string | null;
  changes_dropped: number;
  database_bytes: number;
}

export interface Backup {
  name: string;
  bytes: number;
  created: string;
  // Of the hub that made it; null where the file is damaged.
  version: string | null;
  encrypted: boolean;
}

// The backup that the home was last restored from.
export interface Restored {
  backup: string;
  // When it was made.
  created: string;
  version: string;
  home: string;
  asked_at: string;
  // Null if the home had no user then.
  asked_by: string | null;
  // The folder with what was there.
  before: string;
}

export interface IntegrationStatus {
  name: string;
  state: "starting" | "running" | "failed" | "stopped";
  since: string;
  // Why it failed, and when it is tried again.
  error: string | null;
  retry_at: string | null;
  // Starts in a row that failed.
  attempts: number;
  // Of its commands, timers and listeners, since the hub started.
  failures: number;
  last_failure: string | null;
}

export interface LogEntry {
  name: string;
  message: string[];
  level: string;
  source: [string, number] | null;
  // Seconds since 1970.
  timestamp: number;
  exception: string;
  count: number;
  first_occurred: number;
}

export interface ServiceField {
  name?: string;
  description: string;
  example: unknown;
  required?: boolean;
  default?: unknown;
  selector?: Record<string, Record<string, unknown> | null>;
}

export interface Service {
  name?: string;
  description: string;
  fields: Record<string, ServiceField>;
  target?: Record<string, unknown>;
  response?: { optional: boolean };
}

export type Services = Record<string, Record<string, Service>>;

// The answer of GET /api/kinds for a domain.
export interface Kind {
  domain: string;
  value: { selector: Selector; from?: Bounds; stamped?: "when_done" | "when_reported" };
  // The services that turn its entities on and off, and the values that count as on.
  on?: string;
  off?: string;
  active?: string[];
  features: { name: string; bit: number; always?: boolean }[];
  attributes: KindAttribute[];
  actions: KindAction[];
}

// By what it is: {"number":{"min":0,"max":100,"step":1}}.
export type Selector = Record<string, SelectorOptions>;

interface SelectorOptions {
  min?: number;
  max?: number;
  step?: number | "any";
  unit_of_measurement?: string;
  options?: string[];
  multiple?: boolean;
}

// The attributes of the entity that bound a value.
interface Bounds {
  options?: string;
  min?: string;
  max?: string;
  step?: string;
}

export interface KindAttribute {
  name: string;
  selector: Selector;
}

export interface KindAction {
  service: string;
  name: string;
  fields: Record<string, KindField>;
  // Features without which it is not there.
  needs?: string[];
  value?: string;
  toggles?: boolean;
  // It only answers with data: nothing for a button.
  answers?: boolean;
}

export interface KindField {
  description: string;
  required: boolean;
  selector: Selector;
  from?: Bounds;
  needs?: string[];
  // The attribute that the field becomes, if it is called otherwise; "state" is the value.
  sets?: string;
}

export interface HubEvent {
  event_type: string;
  data: Record<string, unknown>;
  origin: string;
  time_fired: string;
  context: Context;
}
