/**
 * The addresses of WhatsApp in the gateways that are built on its web client: `5511…@s.whatsapp.net` and `5511…@c.us` have the number
 * of a person, `…@lid` is the id of a person whose number is not shown. Those of groups, broadcasts, channels and the status are of nobody.
 */
import { isText } from '../../base/json/json-values.ts';

// A device of the person is no part of the address.
const person = /^(\d{5,20})(?::\d+|_\d+)*@(s\.whatsapp\.net|c\.us|lid|hosted(?:\.lid)?)$/i;

type Jid = { readonly id: string; readonly isNumber: boolean };

/** Returns the address of a person; null for any other. */
function readJid(value: unknown): Jid | null {
  const [, user, server = ''] = (isText(value) && person.exec(value.trim())) || [];
  if (user === undefined) return null;
  return { id: `${user}@${server.toLowerCase()}`, isNumber: !/lid$/i.test(server) };
}

type Person = { readonly personId: string; readonly phone: string | null };

/**
 * Returns the person in a chat with these addresses, the chat's own first; null when the chat is not with a person. The id stays when
 * the number is hidden or shown, so it is preferred to the number.
 */
export function personIn([chat, ...others]: readonly unknown[]): Person | null {
  const first = readJid(chat);
  if (first === null) return null;
  const all = [first, ...others.flatMap((each) => readJid(each) ?? [])];
  const number = all.find(({ isNumber }) => isNumber);
  const id = all.find(({ isNumber }) => !isNumber) ?? first;
  return { personId: id.id, phone: number?.id ?? null };
}
