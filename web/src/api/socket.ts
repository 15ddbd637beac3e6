// SPDX-License-Identifier: Apache-2.0
// Opens the connection one trip sooner than the library by itself: what is asked for follows the token at once, instead of waiting
// for the hub to accept it. A hub that does not ends the connection; then nothing of what followed was answered.
import { ERR_CANNOT_CONNECT, ERR_INVALID_AUTH, type Auth, type ConnectionOptions } from "home-assistant-js-websocket";

// As the library's socket has it.
type Socket = Awaited<ReturnType<ConnectionOptions["createSocket"]>>;

// Milliseconds.
const patience = 10_000;
const pause = 1_000;
// The library asks with its first id for several messages in a frame.
const features = { id: 1, type: "supported_features", features: { coalesce_messages: 1 } };

const refused = new WeakSet<Auth>();

// True if the hub has refused the session's token on the last connection.
export function wasRefused(auth: Auth): boolean {
  return refused.has(auth);
}

// For the library, in the place of its own. Resolves when messages can be sent; on a connection that replaces a lost one, for which
// the library never tries twice by itself, when the hub has accepted the token: until then the page does not call itself connected.
// Rejects with ERR_INVALID_AUTH, also when the connection before was refused, and with ERR_CANNOT_CONNECT if it is not to be tried
// again.
export async function createSocket({ auth, setupRetry }: ConnectionOptions): Promise<Socket> {
  if (!auth || refused.has(auth)) throw ERR_INVALID_AUTH;
  for (let left = setupRetry; ; left -= 1) {
    try {
      return await open(auth, setupRetry === 0);
    } catch (error) {
      if (error === ERR_INVALID_AUTH || left === 0) throw error;
      await new Promise((resume) => setTimeout(resume, pause));
    }
  }
}

async function open(auth: Auth, isJudged: boolean): Promise<Socket> {
  const fresh = auth.expired ? auth.refreshAccessToken() : Promise.resolve();
  const socket = Object.assign(new WebSocket(auth.wsUrl), { haVersion: "" }) as Socket;
  const ended = new Promise<never>((_, reject) => {
    const end = () => reject(refused.has(auth) ? ERR_INVALID_AUTH : ERR_CANNOT_CONNECT);
    for (const event of ["close", "error"]) socket.addEventListener(event, end);
  });
  const opened = new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    setTimeout(() => reject(ERR_CANNOT_CONNECT), patience);
  });
  const accepted = new Promise<void>((resolve) => {
    const judge = ({ data }: MessageEvent<string>) => {
      const { type } = JSON.parse(data) as { type?: string };
      if (type === "auth_required") return;
      socket.removeEventListener("message", judge);
      if (type === "auth_ok") return resolve();
      refused.add(auth);
      socket.close();
    };
    socket.addEventListener("message", judge);
  });
  ended.catch(() => undefined); // after it was opened, the library hears of it
  try {
    await Promise.race([Promise.all([opened, fresh]), ended]);
    socket.send(JSON.stringify({ type: "auth", access_token: auth.accessToken }));
    socket.send(JSON.stringify(features));
    if (isJudged) await Promise.race([accepted, ended]);
    return socket;
  } catch (error) {
    socket.close();
    throw error;
  }
}
