/** How a contact is shown: in a list, and in whole with its registers, identities, chats, merges and history. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { EventRecord } from '../../domain/events/event.ts';
import {
  fieldsOf,
  maxIdentities,
  type ContactRecord,
  type Register,
} from '../../domain/people/contact.ts';
import { isInternal } from '../../domain/people/internal-registers.ts';
import { writtenRegister } from '../../domain/people/register-layers.ts';
import { ranks, sourceOf } from '../../domain/people/stamps.ts';
import { createEtag, WithEtag } from '../../http/requests/etag.ts';
import {
  id,
  nullable,
  strictObject,
  stringMap,
  text,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';
import { viewsOf } from '../../http/routing/view.ts';
import { registerKeyToPin, type ContactDetails } from './contacts.ts';

const status = stringEnum(['active', 'merged', 'erased']);

const statusOf = ({ erased, mergedInto }: ContactRecord) => {
  if (erased) return 'erased';
  return mergedInto === undefined ? 'active' : 'merged';
};
const registerValue = (record: ContactRecord, key: string): string | null =>
  record.registers[key]?.value ?? null;

const { field, view } = viewsOf<ContactRecord>();
export const contact = view({
  id,
  channelId: id,
  status: field(status, statusOf),
  mergedInto: nullable({ ...id, description: 'The contact that it was merged into.' }),
  name: field(nullable(text), (record) => registerValue(record, 'name')),
  phone: field(nullable(text), (record) => registerValue(record, 'phone')),
  email: field(nullable(text), (record) => registerValue(record, 'email')),
  document: field(nullable(text), (record) => registerValue(record, 'document')),
  externalId: field(nullable(text), (record) => registerValue(record, 'externalId')),
  fields: field(stringMap, ({ registers }) => fieldsOf(registers)),
  pins: field(
    Type.Array(text, { description: 'Fields that events do not overwrite.' }),
    ({ pins = {} }) => Object.keys(pins).map(registerKeyToPin).toSorted(),
  ),
  createdAt: time,
  updatedAt: time,
});

/** The etag covers the fields of the list only, not the history and the chats. */
export const contactEtag = (record: ContactRecord) => createEtag(contact.present(record));

const register = strictObject({
  field: text,
  value: text,
  pinned: Type.Boolean(),
  by: stringEnum(['event', 'person']),
  rank: stringEnum(ranks, {
    description:
      'Precedence in a merge: pinned, then written, then fallback values; within a rank the later value.',
  }),
  at: nullable(text),
  eventId: nullable(id),
  contactId: nullable(id),
  beneath: nullable(
    Type.String({ description: 'The value from events, if a pinned value hides it.' }),
  ),
});

const history = strictObject({
  at: time,
  kind: stringEnum(['event', 'change']),
  what: nullable(text),
  eventId: nullable(id),
  by: nullable(text),
  contactId: nullable(id),
});

const chat = viewsOf<ContactDetails['chats'][number]>().view({
  id,
  status: text,
  startedAt: time,
  closedAt: nullable(time),
  lastMessageAt: nullable(time),
  contactId: id,
});

const merges = viewsOf<ContactDetails['merges'][number]>();
const merge = merges.view({
  id,
  survivorId: id,
  mergedId: id,
  at: merges.field(time, ({ createdAt }) => createdAt),
  by: merges.field(text, ({ createdBy }) => createdBy.name),
});

/** The id of the webhook that the external id is of, and the id. */
const scopedOf = (value: string): readonly [string, string] => {
  const [webhookId = '', ...rest] = value.split(':');
  return [webhookId, rest.join(':')];
};

const identities = viewsOf<ContactDetails['identities'][number]>();
export const identity = identities.view({
  kind: stringEnum(['externalId', 'phone', 'email', 'document']),
  value: identities.field(text, ({ kind, value }) =>
    kind === 'externalId' ? scopedOf(value)[1] : value,
  ),
  webhookId: identities.field(nullable(id), ({ kind, value }) =>
    kind === 'externalId' ? scopedOf(value)[0] : null,
  ),
  contactId: id,
});

const wholeAnswer = strictObject({
  ...contact.answer.properties,
  registers: Type.Array(register),
  identities: Type.Array(identity.answer),
  identitiesTotal: Type.Integer({
    description: `Also of those that are not shown. At most ${maxIdentities} are shown; 10,000 stands for 10,000 or more.`,
  }),
  chats: Type.Array(chat.answer),
  merges: Type.Array(merge.answer),
  history: Type.Array(history),
});

/** The source of each effective value, and the value that it overrides. */
function presentRegisters({ contact, members }: ContactDetails) {
  const from = (key: string, { stamp }: Register) =>
    members.find(({ registers }) => registers[key]?.stamp === stamp)?._id ?? null;
  const shown = Object.entries(contact.registers).filter(([key]) => !isInternal(key));
  const entries = shown.map(([key, register]) => {
    const { by, rank, at, eventId } = sourceOf(register.stamp);
    const written = writtenRegister(contact, key);
    const isOwn = written?.stamp === register.stamp;
    const isPinned = contact.pins?.[key]?.stamp === register.stamp;
    return {
      field: registerKeyToPin(key),
      value: register.value,
      pinned: isPinned,
      by,
      rank,
      at,
      eventId,
      contactId: isOwn || isPinned ? null : from(key, register),
      beneath: isOwn ? null : (written?.value ?? null),
    };
  });
  return entries.toSorted((a, b) => (a.field < b.field ? -1 : 1));
}

const eventEntry = (event: EventRecord) => ({
  at: event.receivedAt,
  kind: 'event' as const,
  eventId: event._id,
  what: event.eventType,
  by: null,
  contactId: event.effects?.contactId ?? null,
});

/** History entries of merges into other contacts: the audit row of a merge belongs to the survivor. */
function presentMerges({ merges: all, treeIds }: ContactDetails) {
  const foreign = all.filter(({ survivorId }) => !treeIds.includes(survivorId));
  return foreign.flatMap(({ mergedId: contactId, createdAt, createdBy, undoneAt, undoneBy }) => [
    changeEntry({ at: createdAt, what: 'contact.merge', by: createdBy.name, contactId }),
    ...(undoneAt && undoneBy
      ? [changeEntry({ at: undoneAt, what: 'contact.unmerge', by: undoneBy.name, contactId })]
      : []),
  ]);
}

type Change = { at: Date; what: string; by: string; contactId: string };
const changeEntry = (change: Change) => ({ kind: 'change' as const, eventId: null, ...change });

function presentHistory(found: ContactDetails) {
  const { events, changes } = found;
  const changed = changes.map(({ at, action, actor, target }) =>
    changeEntry({ at, what: action, by: actor.name, contactId: target.id }),
  );
  const all = [...events.map(eventEntry), ...changed, ...presentMerges(found)];
  return all.toSorted((a, b) => (a.at > b.at ? -1 : 1));
}

const isInEffect =
  ({ treeIds }: ContactDetails) =>
  ({ survivorId, undoneAt }: ContactDetails['merges'][number]): boolean =>
    undoneAt === null && treeIds.includes(survivorId);

const presentWhole = (found: ContactDetails): Static<typeof wholeAnswer> => ({
  ...contact.present(found.contact),
  registers: presentRegisters(found),
  identities: found.identities.map((one) => identity.present(one)),
  identitiesTotal: found.identitiesTotal,
  chats: found.chats.map((one) => chat.present(one)),
  merges: found.merges.filter(isInEffect(found)).map((one) => merge.present(one)),
  history: presentHistory(found),
});

export const wholeContact = {
  answer: wholeAnswer,
  /** Returns the contact with its etag, and with the ids of a merge before its fields. */
  show: <Ids extends object>(found: ContactDetails, ids: Ids) =>
    new WithEtag({ ...ids, ...presentWhole(found) }, contactEtag(found.contact), {
      isWhole: false,
    }),
};
