// SPDX-License-Identifier: Apache-2.0
// MQTT as the hub tells of it; docs/websocket.md and docs/api.md describe it.

// How the connection to the broker is, as hearth/mqtt answers; null if the home has no broker.
export interface MqttStatus {
  connected: boolean;
  broker: string;
  protocol: string | null;
  error: string | null;
  received: number;
  published: number;
}

// The connection as it is set, without the password; docs/websocket.md describes the fields.
export interface MqttConfig {
  broker: string;
  port: number;
  username: string | null;
  password_set: boolean;
  client_id: string | null;
  protocol: string;
  keepalive: number;
  // Null: no TLS; "auto": the system's authorities; otherwise a file.
  certificate: string | null;
  client_cert: string | null;
  client_key: string | null;
  tls_insecure: boolean;
  discovery: boolean;
  discovery_prefix: string;
}

export interface MqttSettings {
  // True if it can be changed here; otherwise `place` says where.
  editable: boolean;
  place: string | null;
  // Null: the home has no broker.
  config: MqttConfig | null;
}

// How a test of a connection went.
export interface MqttTest {
  success: boolean;
  protocol: string | null;
  error: string | null;
}

export const verdicts = ["made", "dropped", "refused", "trigger"] as const;
export type Verdict = (typeof verdicts)[number];

// The result for a component that a message of discovery describes.
export interface DiscoveryRow {
  // Or, if `manual`, the place in configuration.yaml.
  topic: string;
  manual?: true;
  // Its key in the message of a whole device.
  component?: string;
  verdict: Verdict;
  // The keys that were left out.
  dropped: string[];
  reason: string | null;
  entity_id: string | null;
}

export interface SeenMessage {
  topic: string;
  payload: string;
  qos: number;
  retain: boolean;
  time: string;
}

interface TopicMessages {
  topic: string;
  messages: SeenMessage[];
}

interface DiscoveryData {
  topic: string;
  payload: unknown;
  // It stands in configuration.yaml, and the topic says where.
  manual?: true;
}

// The answer of mqtt/device/debug_info.
export interface DeviceMessages {
  entities: { entity_id: string; subscriptions: TopicMessages[]; discovery_data: DiscoveryData; transmitted: TopicMessages[] }[];
  triggers: { discovery_data: DiscoveryData; trigger_key: { type?: string; subtype?: string } }[];
}

// Where a device is described: topics on which it has done so itself, and places in configuration.yaml.
export function descriptionPlaces({ entities, triggers }: DeviceMessages): string[] {
  return [...new Set([...entities, ...triggers].map(({ discovery_data }) => discovery_data.topic))];
}

// The topics on which a device has described itself.
export function discoveryTopics({ entities, triggers }: DeviceMessages): string[] {
  const own = [...entities, ...triggers].filter(({ discovery_data }) => !discovery_data.manual);
  return [...new Set(own.map(({ discovery_data }) => discovery_data.topic))];
}
