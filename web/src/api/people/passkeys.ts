// SPDX-License-Identifier: Apache-2.0
// Passkeys in the browser: what the hub asks for, and what the authenticator answers, bytes in base64url. Browsers have them only where
// the page came by https, or from this machine.

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}

function toText(bytes: ArrayBuffer): string {
  const characters = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// As the hub writes them: of creation all fields, of a login the challenge and rpId.
export interface PasskeyOptions {
  challenge: string;
  rpId?: string;
  user?: { id: string; name: string; displayName: string };
  excludeCredentials?: { type: "public-key"; id: string }[];
}

export function browserHasPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" && isSecureContext;
}

// Throws NotAllowedError where the person ends it, or nothing happens for a minute.
export async function makePasskey(options: PasskeyOptions): Promise<{ client_data: string; authenticator_data: string }> {
  const made = (await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: toBytes(options.challenge),
      user: { ...options.user, id: toBytes(options.user?.id ?? "") },
      excludeCredentials: options.excludeCredentials?.map((each) => ({ ...each, id: toBytes(each.id) })),
    } as unknown as PublicKeyCredentialCreationOptions,
  })) as PublicKeyCredential;
  const response = made.response as AuthenticatorAttestationResponse;
  return { client_data: toText(response.clientDataJSON), authenticator_data: toText(response.getAuthenticatorData()) };
}

// Likewise.
export async function usePasskey(
  options: PasskeyOptions,
): Promise<{ id: string; client_data: string; authenticator_data: string; signature: string }> {
  const used = (await navigator.credentials.get({
    publicKey: { ...options, challenge: toBytes(options.challenge), allowCredentials: [], userVerification: "required" },
  })) as PublicKeyCredential;
  const response = used.response as AuthenticatorAssertionResponse;
  return {
    id: toText(used.rawId),
    client_data: toText(response.clientDataJSON),
    authenticator_data: toText(response.authenticatorData),
    signature: toText(response.signature),
  };
}
