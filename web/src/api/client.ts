/** The typed API client of this tab. The browser adds the cookie of the session. */
import { createClient, InletError } from '../../../client/client.ts';
import { consoleHeaders, currentSession, endRejectedSession } from '../session/session.ts';
import { currentLanguage, type Language } from '../i18n/language.ts';

export { InletError };
export type { Answer, Operation, Read, Request } from '../../../client/client.ts';

const clients = new Map<Language, ReturnType<typeof createClient>>();

function clientNow() {
  const language = currentLanguage();
  const options = { baseUrl: '', token: () => null, language, headers: consoleHeaders };
  const client = clients.get(language) ?? createClient(options);
  clients.set(language, client);
  return client;
}

/** A rejected credential ends the session, whichever request it was. */
async function watched<Result>(work: Promise<Result>): Promise<Result> {
  const session = currentSession();
  try {
    return await work;
  } catch (error) {
    if (error instanceof InletError && error.status === 401) endRejectedSession(session);
    throw error;
  }
}

type Client = ReturnType<typeof createClient>;

export const client: Client = {
  call: (name, request) => watched(clientNow().call(name, request)),
  open: (name, request) => watched(clientNow().open(name, request)),
  read: (name, request) => watched(clientNow().read(name, request)),
};
