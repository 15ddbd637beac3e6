// SPDX-License-Identifier: Apache-2.0
// The services of the hub, asked for once, when the first card wants to know.
import type { Home } from "../api/home";
import type { Service, Services } from "../api/types";

const loading = new WeakMap<Home, Promise<void>>();
const loaded = new WeakMap<Home, Services>();

// Resolves when it is known; also where the hub does not tell, and then there are none.
export function loadServices(home: Home): Promise<void> {
  let promise = loading.get(home);
  if (!promise) {
    promise = home.command<Services>("get_services").then(
      (services) => void loaded.set(home, services),
      () => void loading.delete(home),
    );
    loading.set(home, promise);
  }
  return promise;
}

export function hasService(home: Home, domain: string, service: string): boolean {
  const services = loaded.get(home);
  return services !== undefined && Object.hasOwn(services, domain) && Object.hasOwn(services[domain] ?? {}, service);
}

// The services of a domain that need nothing beyond its entities, by their names; empty until they are loaded.
export function plainServices(home: Home, domain: string): [service: string, name: string][] {
  return plainOnes(loaded.get(home)?.[domain] ?? {});
}

export function plainOnes(services: Record<string, Service>): [service: string, name: string][] {
  const plain = ({ target, fields, response }: Service) =>
    target?.entity !== undefined && response?.optional !== false && !Object.values(fields).some(({ required }) => required);
  return Object.entries(services)
    .filter(([, service]) => plain(service))
    .map(([service, { name }]) => [service, name || service]);
}
