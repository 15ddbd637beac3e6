// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText, isCommandError } from "../../../api/errors";
import type { Home } from "../../../api/home";
import type { MqttConfig, MqttSettings, MqttStatus, MqttTest } from "../../../api/mqtt";
import { confirm } from "../../../elements/confirm";
import { FieldProblems, FormController, formStyles, type Values } from "../../../elements/form";
import { attempt, notifyDone } from "../../../elements/notify";
import { formatNumber, t, type Key } from "../../../i18n/catalogue";
import { hubMessage } from "../../../i18n/hub_messages";
import { shared } from "../../../styles/shared";
import "../../../elements/loading";

// Where the authorities of the broker's certificate are: nowhere (no TLS), the system's, a file.
type Tls = "none" | "auto" | "file";

// The names of the fields in the commands, and here.
const fields = [
  "broker",
  "port",
  "username",
  "password",
  "client_id",
  "protocol",
  "keepalive",
  "certificate",
  "client_cert",
  "client_key",
  "discovery_prefix",
];

// The connection to the home's MQTT broker: how it is, and a form to change and to try it. Fires `changed`.
@customElement("hearth-mqtt-connection")
export class MqttConnection extends LitElement {
  @property({ attribute: false }) home!: Home;
  // Null: the home has no broker; undefined: not known yet.
  @property({ attribute: false }) status: MqttStatus | null | undefined;
  @state() private settings: MqttSettings | undefined;
  @state() private failure = "";
  @state() private tls: Tls = "none";
  @state() private tried: MqttTest | undefined;
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      form {
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr));
        align-items: start;
      }

      .whole,
      details {
        grid-column: 1 / -1;
      }

      summary {
        min-height: 2.75rem;
        padding: 0.5rem 0;
        font-weight: 550;
        cursor: pointer;
      }

      details > div {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr));
        gap: 1rem;
        align-items: start;
      }

      .good {
        border-inline-start: 4px solid var(--good);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    this.failure = "";
    try {
      this.take(await this.home.command<MqttSettings>("mqtt/config"));
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  private take(settings: MqttSettings): void {
    const certificate = settings.config?.certificate ?? null;
    this.tls = certificate === null ? "none" : certificate === "auto" ? "auto" : "file";
    this.settings = settings;
  }

  // The fields of the commands. A password that is not typed is left out: the stored one stays.
  private message(values: Values): Record<string, unknown> {
    const { broker = "", port, username = "", password, client_id = "", protocol, keepalive } = values;
    const { certificate = "", client_cert = "", client_key = "", discovery_prefix = "" } = values;
    const text = (value: string) => value.trim() || null;
    const file = (value: string) => (this.tls === "none" ? null : text(value));
    return {
      broker: broker.trim(),
      port: port ? Number(port) : null,
      username: text(username),
      ...(password && { password }),
      client_id: text(client_id),
      protocol,
      keepalive: keepalive ? Number(keepalive) : null,
      certificate: this.tls === "file" ? text(certificate) : this.tls === "auto" ? "auto" : null,
      client_cert: file(client_cert),
      client_key: file(client_key),
      tls_insecure: this.tls === "none" ? null : Boolean(values.tls_insecure),
      discovery: Boolean(values.discovery),
      discovery_prefix: text(discovery_prefix),
    };
  }

  // Sends a command; what the hub says of a field is shown there.
  private async send<T>(type: string, values: Values): Promise<T> {
    try {
      return await this.home.command<T>(type, this.message(values));
    } catch (error) {
      const said = isCommandError(error) ? /^(\w+): (.*)$/s.exec(error.message) : null;
      const [, field = "", problem = ""] = said ?? [];
      if (fields.includes(field)) throw new FieldProblems({ [field]: hubMessage(problem) });
      throw error;
    }
  }

  private async test(values: Values): Promise<void> {
    this.tried = undefined;
    this.tried = await this.send<MqttTest>("mqtt/test_connection", values);
  }

  private async save(values: Values): Promise<void> {
    this.tried = undefined;
    this.take(await this.send<MqttSettings>("mqtt/config/save", values));
    const password = this.renderRoot.querySelector<HTMLInputElement>("#password");
    if (password) password.value = ""; // it is stored now
    notifyDone(t("action.saved"));
    this.dispatchEvent(new CustomEvent("changed"));
  }

  private submit(event: SubmitEvent): void {
    const isTest = (event.submitter as HTMLButtonElement | null)?.value === "test";
    this.form.submit(event, (values) => (isTest ? this.test(values) : this.save(values)));
  }

  private async erase(): Promise<void> {
    const yes = await confirm({
      heading: t("mqtt.removeHeading"),
      text: t("mqtt.removeText"),
      action: t("mqtt.remove"),
      danger: true,
    });
    if (!yes || !(await attempt(async () => this.take(await this.home.command<MqttSettings>("mqtt/config/delete"))))) return;
    this.tried = undefined;
    this.dispatchEvent(new CustomEvent("changed"));
  }

  override render() {
    const { settings } = this;
    return html`<div class="stack">
      <h2>${t("mqtt.broker")}</h2>
      ${this.connection()}
      ${settings
        ? this.content(settings)
        : html`<hearth-loading .problem=${this.failure} @retry=${() => void this.load()}></hearth-loading>`}
    </div>`;
  }

  private connection(): TemplateResult | typeof nothing {
    const { status } = this;
    if (status === undefined) return nothing;
    if (status === null) return html`<p class="notice">${t("mqtt.none")}</p>`;
    const { connected, broker, protocol, error, received, published } = status;
    if (!connected)
      return html`<p class="problem" role="status">${t("developer.mqtt.away", { broker, error: hubMessage(error ?? "") })}</p>`;
    const figures = { broker, protocol: protocol ?? "", received: formatNumber(received), published: formatNumber(published) };
    return html`<p class="notice good" role="status">${t("developer.mqtt.connected", figures)}</p>`;
  }

  private content({ editable, place, config }: MqttSettings): TemplateResult {
    const { form } = this;
    const fixed = { disabled: !editable };
    const text = (name: string, label: Key, value: string | null | undefined, more: object = {}) =>
      form.text({ name, label: t(label), value: value ?? "", ...fixed, ...more });
    return html`
      ${editable ? nothing : html`<p class="notice">${t("mqtt.fixed", { place: place ?? "configuration.yaml" })}</p>`}
      <form novalidate @submit=${(event: SubmitEvent) => this.submit(event)}>
        ${text("broker", "mqtt.host", config?.broker, { required: true, mono: true, placeholder: "192.168.1.5", hint: t("mqtt.hostHint") })}
        ${text("port", "mqtt.port", config ? String(config.port) : "", {
          type: "number",
          min: 1,
          max: 65535,
          step: "1",
          placeholder: this.tls === "none" ? "1883" : "8883",
        })}
        ${text("username", "account.username", config?.username)}
        ${form.password({
          name: "password",
          label: t("account.password"),
          ...fixed,
          hint: config?.password_set ? t("mqtt.passwordKept") : undefined,
        })}
        ${form.select({
          name: "tls",
          label: t("mqtt.tls"),
          value: this.tls,
          options: [
            ["none", t("mqtt.tls.none")],
            ["auto", t("mqtt.tls.auto")],
            ["file", t("mqtt.tls.file")],
          ],
          changed: (value) => (this.tls = value as Tls),
          ...fixed,
        })}
        ${this.tls === "file"
          ? text("certificate", "mqtt.certificate", config?.certificate === "auto" ? "" : config?.certificate, {
              required: true,
              mono: true,
              placeholder: "ca.crt",
              hint: t("mqtt.fileHint"),
            })
          : nothing}
        ${this.more(config, text)} ${this.outcome()}
        <div class="whole">${form.failed()}</div>
        <div class="whole spread">
          ${editable && config
            ? html`<button type="button" class="danger" @click=${() => void this.erase()}>${t("mqtt.remove")}</button>`
            : html`<span></span>`}
          <div class="end-buttons">
            <button type="submit" value="test" ?disabled=${form.busy}>${t("mqtt.test")}</button>
            ${editable ? form.button(t("action.save")) : nothing}
          </div>
        </div>
      </form>
    `;
  }

  private more(
    config: MqttConfig | null,
    text: (name: string, label: Key, value: string | null | undefined, more?: object) => TemplateResult,
  ): TemplateResult {
    const { form } = this;
    const disabled = this.settings?.editable === false;
    return html`<details>
      <summary>${t("mqtt.more")}</summary>
      <div>
        ${this.tls === "none"
          ? nothing
          : html`${text("client_cert", "mqtt.clientCertificate", config?.client_cert, { mono: true, hint: t("mqtt.fileHint") })}
            ${text("client_key", "mqtt.clientKey", config?.client_key, { mono: true, hint: t("mqtt.fileHint") })}
            ${form.checkbox({
              name: "tls_insecure",
              label: t("mqtt.insecure"),
              checked: config?.tls_insecure ?? false,
              disabled,
              hint: t("mqtt.insecureHint"),
            })}`}
        ${form.select({
          name: "protocol",
          label: t("mqtt.protocol"),
          value: config?.protocol ?? "automatic",
          options: [
            ["automatic", t("mqtt.protocol.automatic")],
            ["5", "MQTT 5"],
            ["3.1.1", "MQTT 3.1.1"],
            ["3.1", "MQTT 3.1"],
          ],
          disabled,
        })}
        ${text("client_id", "mqtt.clientId", config?.client_id, { mono: true, hint: t("mqtt.clientIdHint") })}
        ${text("keepalive", "mqtt.keepalive", config ? String(config.keepalive) : "", {
          type: "number",
          min: 5,
          max: 65535,
          step: "1",
          unit: "s",
          placeholder: "60",
          hint: t("mqtt.keepaliveHint"),
        })}
        ${text("discovery_prefix", "mqtt.prefix", config?.discovery_prefix, {
          mono: true,
          placeholder: "homeassistant",
          hint: t("mqtt.prefixHint"),
        })}
        ${form.checkbox({
          name: "discovery",
          label: t("mqtt.discovery"),
          checked: config?.discovery ?? true,
          disabled,
          hint: t("mqtt.discoveryHint"),
        })}
      </div>
    </details>`;
  }

  private outcome(): TemplateResult | typeof nothing {
    const { tried } = this;
    if (!tried) return nothing;
    return tried.success
      ? html`<p class="notice good whole" role="status">${t("mqtt.testGood", { protocol: tried.protocol ?? "" })}</p>`
      : html`<p class="problem whole" role="alert">${t("mqtt.testBad", { error: hubMessage(tried.error ?? "") })}</p>`;
  }
}
