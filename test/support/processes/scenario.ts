// The deployment of the administrator scenarios: one server and one worker as separate processes, called over HTTP like
// curl does, and senders that post to the webhook URLs.
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import { createDeployment, adminToken } from './roles.ts';
import { waitForValue, type ReceiveAnswerData, type Webhook } from './client.ts';

// Scenarios read answers without types; their assertions check what they read.
// oxlint-disable-next-line no-explicit-any
export type Any = any;
type ApiAnswer = { readonly status: number; readonly headers: Headers; readonly data: Any };
type ApiRequest = {
  readonly body?: unknown;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
};

type Listed = { readonly pagings: { readonly total: number }; readonly results: Any[] };

export type Scenario = Awaited<ReturnType<typeof startScenario>>;

type Opening = {
  /** False: nothing is processed before `startWorker`. */
  readonly hasWorker?: boolean;
  /** Further settings of its processes. */
  readonly env?: Readonly<Record<string, string>>;
};

export async function startScenario(name: string, { hasWorker = true, env }: Opening = {}) {
  // Scenarios last minutes, in which each sweep costs queries; few of them wait for one. No process dies in them, and a short
  // lease would end on a busy machine.
  const deployment = await createDeployment(name, {
    env: { INLET_SWEEP_INTERVAL_MS: '3000', INLET_LEASE_MS: '60000', ...env },
  });
  const startWorker = () => deployment.start('worker');
  const starting = Promise.all([deployment.start('server'), hasWorker && startWorker()]);
  const [server] = await starting.catch(async (error: unknown) => {
    await deployment.close();
    throw error;
  });
  const url = server.url ?? '';
  const { call, activate } = deployment.client;

  /** Returns any answer. Accepts a path or a full URL. */
  async function ask(method: string, path: string, request: ApiRequest = {}): Promise<ApiAnswer> {
    const { body, token = adminToken, headers = {} } = request;
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        ...(token !== null && { keyapi: token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { data } = (await response.json()) as { data: Any };
    return { status: response.status, headers: response.headers, data };
  }

  async function succeed(method: string, path: string, request?: ApiRequest): Promise<Any> {
    const { status, data } = await ask(method, path, request);
    if (status < 300) return data;
    throw new Error(`${method} ${path} was answered ${status}: ${JSON.stringify(data)}`);
  }

  const get = (path: string): Promise<Any> => succeed('GET', path);
  const post = (path: string, body: unknown = {}): Promise<Any> => succeed('POST', path, { body });

  /** Posts like a sender, with the URL only. */
  const deliver = (to: string, payload: unknown) =>
    ask('POST', to, { body: payload, token: null }) as Promise<
      ApiAnswer & { data: ReceiveAnswerData }
    >;

  const settled = (eventId: string, states = ['done', 'ignored', 'dead', 'discarded']) =>
    waitForValue(`event ${eventId} is ${states.join(' or ')}`, async () => {
      const event = await get(`/v1/admin/events/${eventId}`);
      return states.includes(event.state) ? event : undefined;
    });

  /** Posts bodies that must be accepted, all at once, and waits until their events have ended. */
  async function leads(to: string, payloads: readonly unknown[]): Promise<Any[]> {
    const answers = await Promise.all(payloads.map((payload) => deliver(to, payload)));
    const ended: Any[] = [];
    for (const { status, data } of answers) {
      if (status !== 200 || data.eventId === undefined) {
        throw new Error(`The lead was answered ${status}: ${JSON.stringify(data)}`);
      }
      ended.push(await settled(data.eventId));
    }
    return ended;
  }

  const lead = async (to: string, payload: unknown): Promise<Any> =>
    (await leads(to, [payload]))[0];

  /** With a separate channel, so that scenarios share no contacts. */
  async function addWebhook(title: string, mapping?: MappingDocument): Promise<Webhook> {
    const channel = await call('createChannel', { body: { name: title, kind: 'inbox' } });
    const webhook = await call('createWebhook', { body: { name: title, channelId: channel.id } });
    if (mapping) {
      await deliver(webhook.url, { hello: 'a sample' });
      await activate(webhook.id, mapping);
    }
    return webhook;
  }

  /** Removes all records except tokens and the audit log. */
  async function empty(): Promise<void> {
    const all = await deployment.db.listCollections({}, { nameOnly: true }).toArray();
    const kept = ['tokens', 'sessions', 'audit', 'processes'];
    const names = all
      .map((one) => one.name)
      .filter((one) => !kept.some((name) => one.startsWith(name)));
    await Promise.all(names.map((one) => deployment.db.collection(one).deleteMany({})));
  }

  return {
    url,
    empty,
    db: deployment.db,
    mongoUrl: deployment.mongoUrl,
    startWorker,
    /** By the names of the API document. */
    client: deployment.client,
    ask,
    get,
    list: (path: string) => get(path) as Promise<Listed>,
    post,
    patch: (path: string, body: unknown, headers = {}) => ask('PATCH', path, { body, headers }),
    remove: (path: string): Promise<Any> => succeed('DELETE', path),
    deliver,
    settled,
    lead,
    leads,
    addWebhook,
    output: deployment.output,
    close: () => deployment.close(),
  };
}
