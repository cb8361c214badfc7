// HTTPS clients that do what they should and what they should not.
import { request } from 'node:https';
import { connect } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';

type HttpsAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
};

type Terms = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The address that the client has. */
  readonly from?: string;
};

type TlsTarget = {
  readonly url: string;
  readonly port: number;
  readonly certificate: Buffer;
};

export function createHttpsClient({ url, port, certificate }: TlsTarget) {
  const open = () => connect({ port, host: '127.0.0.1', ca: certificate });
  return {
    send(path: string, { method = 'GET', headers = {}, body, from }: Terms = {}) {
      return new Promise<HttpsAnswer>((resolve, reject) => {
        const options = { method, headers, ca: certificate, agent: false, localAddress: from };
        const sent = request(new URL(path, url), options, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          );
        });
        sent.on('error', reject);
        sent.end(body);
      });
    },

    /** Sends the bytes, and resolves to what comes until the server closes. */
    async raw(bytes: string): Promise<string> {
      const socket = open();
      let text = '';
      socket.on('data', (chunk) => (text += String(chunk)));
      socket.on('error', () => {});
      socket.write(bytes);
      await new Promise((resolve) => socket.once('close', resolve));
      return text;
    },

    /** Sends the bytes, and leaves after a moment. */
    async abort(bytes: string): Promise<void> {
      const socket = open();
      socket.on('error', () => {});
      await new Promise((resolve) => socket.write(bytes, resolve));
      // No condition shows that nginx has read them: after too short a time there is only less to log.
      await pause(200);
      socket.destroy();
    },

    /** The answer's lines while it comes. */
    stream(path: string, headers: Readonly<Record<string, string>>) {
      let text = '';
      const sent = request(new URL(path, url), { headers, ca: certificate, agent: false });
      sent.on('error', () => {});
      sent.on('response', (response) => {
        response.on('error', () => {});
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      });
      sent.end();
      return { text: () => text, close: () => sent.destroy() };
    },
  };
}
