// The requests of the n8n community node of the platform family (n8n-nodes-underchat 0.1.13), operation by operation, sent by
// axios with the options that n8n passes to it: lists as `name[]`, forms from objects. Only what the node reads is asserted.
import axios, { type AxiosRequestConfig } from 'axios';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { aChannel } from '../../support/context/builders.ts';

let api: TestApi;
let token: string;
let executor: string;
let other: string;
let workerId: string;
let sectorId: string;

beforeAll(async () => {
  api = await createTestApi('platform_client', { requestsPerMinute: 100_000 });
  token = await api.addToken(['inbox']);
  const agents = ['Bia', 'Caio'].map((name) => ({ body: { name, lastName: 'Lima' } }));
  const made = await Promise.all(agents.map((one) => api.ask('POST', '/v1/admin/agents', one)));
  [executor = '', other = ''] = made.map(({ body }) => body.data.id as string);
  workerId = await aChannel(api, { name: 'Vendas' });
  const sector = { name: 'Comercial', color: '#222222' };
  sectorId = (await request('POST', '/sector', { data: sector })).sector_id;
});
afterAll(() => api.close());

type Options = Pick<AxiosRequestConfig, 'params' | 'data'> & {
  readonly isForm?: boolean;
  /** Null: the list of executors is asked without one. */
  readonly as?: string | null;
};
type Failed = { readonly status: number };

/** Returns `data` of the answer, as the node reads it. Throws the axios error. */
// oxlint-disable-next-line no-explicit-any -- the node reads answers without types
async function request(method: string, endpoint: string, options: Options = {}): Promise<any> {
  const { isForm = false, as = executor, params, data } = options;
  const { data: answer } = await axios.request({
    method,
    url: `${api.url}/v1${endpoint}`,
    headers: {
      keyapi: token,
      ...(as !== null && as !== '' && { 'x-underchat-user-id': as }),
      ...(isForm && { 'content-type': 'multipart/form-data' }),
    },
    ...(params !== undefined && { params: params as object }),
    ...(data !== undefined && { data: data as object }),
  });
  return answer.data ?? answer;
}

const statusOf = (asked: Promise<unknown>): Promise<Failed> =>
  asked.then(
    () => ({ status: 200 }),
    (error: { response?: Failed }) => ({ status: error.response?.status ?? 0 }),
  );

let numbers = 0;
const newPhone = () => `119${String(60_000_000 + (numbers += 1))}`;

async function findContact(phone: string, ddi = '55'): Promise<string | undefined> {
  const asked = request('GET', '/chat/contacts/by-phone', { params: { phone_ddi: ddi, phone } });
  const { status } = await statusOf(asked);
  if (status === 404) return undefined;
  return (await asked).contact_id as string;
}

const createContact = (phone: string, extra: object = {}) =>
  request('POST', '/chat/contacts', {
    isForm: true,
    data: { ...extra, name: 'Ana', phone_ddi: '55', phone, channel_ids: [workerId] },
  });

/** Starts a chat as the node does: prerequisites, contact, open chat of the channel, start. */
async function startChatByPhone(phone: string, sector = sectorId) {
  const [workers, sectors] = await Promise.all([
    request('GET', '/chat/workers'),
    request('GET', '/chat/sectors'),
  ]);
  const worker = workers.find((one: { worker_id: string }) => one.worker_id === workerId);
  expect(worker).toMatchObject({ name: 'Vendas', is_official: false });
  expect(sectors.map((one: { sector_id: string }) => one.sector_id)).toContain(sector);
  let contactId = await findContact(phone);
  if (contactId === undefined) {
    await createContact(phone, { origem: 'n8n' });
    contactId = await findContact(phone);
  }
  const status = ['ura', 'queue', 'in_chat', 'ura_output', 'ura_schedule', 'ura_webhook'];
  const { results } = await request('GET', '/chat', {
    params: {
      status,
      filter_phone: phone,
      filter_worker_id: workerId,
      current_page: 1,
      per_page: 200,
    },
  });
  type Found = { contact: { id: string }; worker: { id: string }; sector: { id: string } | null };
  const existing = results.filter(
    ({ contact, worker: its }: Found) => contact.id === contactId && its.id === workerId,
  );
  expect(existing.length).toBeLessThanOrEqual(1);
  if (existing[0]) {
    if (existing[0].sector?.id !== sector) throw new Error('another sector');
    return { chat: existing[0], isCreated: false };
  }
  const data = { contact_id: contactId, worker_id: workerId, sector_id: sector };
  const chat = await request('POST', '/chat/start-with-contact', { data });
  return { chat, isCreated: true };
}

async function sendText(chatId: string, message: string) {
  const attendants = await request('GET', `/chat/${chatId}/attendants`);
  const entered = [attendants.primary_user, ...attendants.secondary_users];
  if (!entered.some((one) => one?.entered_at)) {
    await request('PATCH', `/chat/${chatId}/status`, { data: { status: 'in_chat' } });
  }
  return request('POST', `/chat/${chatId}`, { data: { type: 'text', message } });
}

test('the credentials are tested', async () => {
  const params = { status: 'my_chats', per_page: 1 };
  expect(await request('GET', '/chat', { params })).toHaveProperty('results');
});

test('executors, users and sectors are listed', async () => {
  const executors = await request('GET', '/user/all', { as: null });
  expect(executors).toContainEqual({ user_id: executor, name: 'Bia', last_name: 'Lima' });
  const paging = { current_page: 1, per_page: 50 };
  const users = await request('GET', '/user', { params: { ...paging, search: 'cai' } });
  expect(users.results).toMatchObject([{ user_id: other, name: 'Caio' }]);
  const sectors = await request('GET', '/sector', { params: { ...paging, name: 'comerc' } });
  expect(sectors.results).toMatchObject([{ sector_id: sectorId, name: 'Comercial' }]);
});

test('a contact is created by a form and found by its number', async () => {
  const phone = newPhone();
  expect(await findContact(phone)).toBeUndefined();
  await createContact(phone, { email: 'ana@example.com', cidade: 'Recife' });
  const id = await findContact(phone, '+55');
  expect(await request('GET', `/chat/contacts/${id}`)).toMatchObject({
    email: 'ana@example.com',
    fields: { cidade: 'Recife' },
  });
});

test('a chat is started by a number: new, then the open one, and not from another sector', async () => {
  const phone = newPhone();
  const first = await startChatByPhone(phone);
  expect(first).toMatchObject({
    isCreated: true,
    chat: { worker: { id: workerId }, sector: { id: sectorId }, status: 'in_chat' },
  });
  const again = await startChatByPhone(phone);
  expect([again.isCreated, again.chat.chat_id]).toEqual([false, first.chat.chat_id]);
  const sector = await request('POST', '/sector', { data: { name: 'Suporte', color: 'red' } });
  await expect(startChatByPhone(phone, sector.sector_id)).rejects.toThrow('another sector');
});

test('a text is sent to a chat and to a number', async () => {
  const phone = newPhone();
  await createContact(phone);
  const contactId = await findContact(phone);
  const data = { contact_id: contactId, worker_id: workerId };
  const chat = await request('POST', '/chat/start-with-contact', { data });
  const sent = await sendText(chat.chat_id, 'Olá, Ana!');
  expect(sent).toMatchObject({ content: { type: 'text', message: 'Olá, Ana!' } });
  const again = await request('POST', '/chat/start-with-contact', { data });
  expect(again.chat_id).toBe(chat.chat_id);
  await request('POST', `/chat/${chat.chat_id}`, { data: { type: 'text', message: 'Tudo bem?' } });
  const { results } = await request('GET', `/chat/${chat.chat_id}`);
  expect(results.map((one: { content: { message: string } }) => one.content.message)).toEqual([
    'Olá, Ana!',
    'Tudo bem?',
  ]);
});

test('an agent enters a chat, transfers it to a sector and to a user', async () => {
  const { chat } = await startChatByPhone(newPhone());
  const path = `/chat/${chat.chat_id}`;
  await request('PATCH', `${path}/status`, { data: { status: 'in_chat' } });
  const users = await request('GET', '/chat/transfer/users');
  const sectors = await request('GET', '/chat/transfer/sectors');
  expect(users).toContainEqual({ user_id: other, name: 'Caio', last_name: 'Lima' });
  expect(sectors.map((one: { sector_id: string }) => one.sector_id)).toContain(sectorId);
  const common = { annotation: 'Contexto', keep_in_chat: true, send_message_on_transfer: true };
  const moved = await request('POST', `${path}/transfer`, {
    data: { sector_id: sectorId, ...common },
  });
  expect(moved.sector.id).toBe(sectorId);
  const given = await request('POST', `${path}/transfer`, {
    data: { user_id: other, ...common, keep_in_chat: false },
  });
  expect(given.user.user_id).toBe(other);
});
