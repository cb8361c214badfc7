/**
 * Addresses of messengers in a payload: `5511…@s.whatsapp.net` and `5511…@c.us` have the number of a person, `…@lid` is the id of a
 * person whose number is not shown. The receiver's own number is beside them.
 */
import { nameWords, textOf, type Leaf } from './leaves/leaf.ts';

const personAddress = /^(\d{5,20})(?::\d+)?@(?:c\.us|s\.whatsapp\.net|lid)$/i;

/** Whether the text is the address of a person; those of groups, broadcasts and channels are not. */
export const isPersonAddress = (text: string): boolean => personAddress.test(text);
/** Whether the text is the id of a person whose number is not shown. */
export const isHiddenAddress = (text: string): boolean => /^\d{5,20}@lid$/i.test(text);

/** Returns a filter that leaves out chats with more than one person, by the path of the address of the sender. */
export function privateChatFilter({ path, text, outside }: Leaf): string | undefined {
  if (text !== null || outside || /[|@]/.test(path)) return undefined;
  const servers = ['@g.us', '@broadcast', '@newsletter'];
  const tests = servers.map((server) => `ends_with(not_null(${path}, ''), '${server}')`);
  return `!(${tests.join(' || ')})`;
}

const senderName =
  /^(?:from|sender|phone|source|author|participant|remote|sender phone|sender (?:id|lid|jid)|chat ?(?:id|lid|jid)|remote jid|jid|lid)$/;

/** Whether the leaf is named as the address of who writes. The second address of a person is not. */
export const isNamedAsSender = (leaf: Leaf): boolean => senderName.test(nameWords(leaf));

const ownName =
  /^(?:to|me|owner|wid|self|recipient|receiver|destination|bot|instance|connected phone|display phone number|business phone|(?:my|own|instance|session|bot) (?:number|phone|jid|id|wid|lid))$/;
const ownContainer = /^(?:me|instance|instance data|session|bot|metadata)$/;

/**
 * Returns the leaves that hold an address of the receiver, in a payload that names a person by one. `sender` beside the body of an event
 * whose message has the `remoteJid` of the chat is the instance that received it.
 */
export function findOwnAddresses(leaves: readonly Leaf[]): ReadonlySet<Leaf> {
  const addresses = leaves.filter((leaf) => isAddress(textOf(leaf)));
  if (!addresses.some((leaf) => personAddress.test(textOf(leaf)))) return none;
  const hasChat = leaves.some((leaf) => leaf.depth > 0 && nameWords(leaf) === 'remote jid');
  const isOwn = (leaf: Leaf): boolean =>
    ownName.test(nameWords(leaf)) ||
    leaf.trail.some(({ words }) => ownContainer.test(words.join(' '))) ||
    (hasChat && leaf.depth === 0 && nameWords(leaf) === 'sender');
  const numbers = new Set(addresses.filter(isOwn).map(numberOf));
  return new Set(addresses.filter((leaf) => numbers.has(numberOf(leaf))));
}

const none: ReadonlySet<Leaf> = new Set();

const isAddress = (text: string): boolean => personAddress.test(text) || /^\+?\d{8,15}$/.test(text);

/** A device of the person is no part of the number. */
const numberOf = (leaf: Leaf): string =>
  textOf(leaf)
    .replace(/[:@].*$/, '')
    .replace(/^\+/, '');
