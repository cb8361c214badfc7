/** The steps of an erasure, one for each phase. Each may be cut short anywhere and done again. */
import type { ProcessContext } from '../context/process-context.ts';
import type { EventRecord, EventState } from '../domain/events/event.ts';
import {
  maxSought,
  rescannedStates,
  scannedStates,
  type ErasureRecord,
  type ErasureSubject,
} from '../domain/people/erasure.ts';
import { redactAuditRows } from '../store/audit/audit.ts';
import { nextWebhookOfChannels } from '../store/webhooks/webhooks.ts';
import {
  isNamedInEvent,
  isNamedInRequest,
  matchEvents,
  redactEvents,
  type KeptRequest,
} from './person-matcher.ts';
import { personOf, type Person } from './person.ts';

/** Resolves to whether the step went on; false when another process has the erasure. */
type Step = (
  ctx: ProcessContext,
  record: ErasureRecord,
  sought: ErasureSubject,
) => Promise<boolean>;

export const steps: Readonly<Record<Exclude<ErasureRecord['phase'], 'done'>, Step>> = {
  events: scanEvents,
  samples: eraseSamples,
  people: erasePeople,
  rescan,
};

/** Bodies in memory at once. */
const maxBodies = 20;

type Scan = { readonly state: EventState; readonly isAgain: boolean };

/**
 * Scans the events that are not done; those that are done are found by their messages and contacts. A state without events is
 * read again after a crash, and not recorded.
 */
async function scanEvents(ctx: ProcessContext, record: ErasureRecord, sought: ErasureSubject) {
  const { erasures } = ctx;
  const { state = scannedStates[0], isAgain = false } = record.cursor ?? {};
  const scanned = await eraseNext(ctx, record, { sought, from: { state, isAgain } });
  return scanned ?? erasures.move(record, { phase: 'samples', cursor: null });
}

type Scanning = { readonly sought: ErasureSubject; readonly from: Scan };

/** Erases the next events that name the person. Null: no state has further events. */
async function eraseNext(ctx: ProcessContext, record: ErasureRecord, { sought, from }: Scanning) {
  const { erasures } = ctx;
  let { cursor } = record;
  for (let scan: Scan | null = from; scan; scan = scanAfter(scan)) {
    const { found, last } = await erasures.nextEvents({ ...record, cursor }, scan.state);
    cursor = null;
    if (!last) continue;
    const matched = await matchEvents(ctx, personOf(sought.identities), found);
    return erasures.events(record, matched, { cursor: { ...scan, id: last._id } });
  }
  return null;
}

/** The state to scan next. Open states are scanned twice, because events change state during the scan. */
function scanAfter({ state, isAgain }: Scan): Scan | null {
  const states: readonly EventState[] = isAgain ? rescannedStates : scannedStates;
  const next = states[states.indexOf(state) + 1];
  if (next) return { state: next, isAgain };
  return isAgain ? null : { state: rescannedStates[0], isAgain: true };
}

/** Of one webhook. What names the person is deleted as a whole: another sample shows the same shape. */
async function eraseSamples(ctx: ProcessContext, record: ErasureRecord, sought: ErasureSubject) {
  const { erasures } = ctx;
  const webhook = await nextWebhookOfChannels(ctx, sought.channelIds, record.cursor?.id ?? '');
  if (!webhook) return nextGroup(ctx, record, sought);
  const person = personOf(sought.identities);
  const naming = async (
    kept: AsyncIterable<KeptRequest> | readonly KeptRequest[],
  ): Promise<string[]> => {
    const ids: string[] = [];
    for await (const request of kept)
      if (await isNamedInRequest(ctx, person, { request, webhook })) ids.push(request._id);
    return ids;
  };
  const found = {
    samples: await naming(ctx.samples.each(webhook._id)),
    rejections: await naming(await ctx.rejections.all(webhook._id)),
    tests: await testEventsNaming(ctx, person, webhook._id),
  };
  return erasures.samples(record, found, { cursor: { id: webhook._id } });
}

/** Searches for the identities that the record does not name, group by group. */
async function nextGroup(ctx: ProcessContext, record: ErasureRecord, searched: ErasureSubject) {
  const { erasures, people } = ctx;
  // When the audit log is redacted for the others, the rows of these do not exist any more.
  if (record.group) await redactAudit(ctx, record, { identities: searched.identities });
  const { contactIds = [], identities = [] } = record.sought ?? {};
  const known = identities.map(({ _id }) => _id);
  const next =
    known.length < maxSought
      ? null
      : await people.nextIdentityGroup(contactIds, known, record.group);
  return erasures.move(record, {
    phase: next ? 'events' : 'people',
    cursor: null,
    group: next,
  });
}

async function testEventsNaming(ctx: ProcessContext, person: Person, webhookId: string) {
  const ids = await ctx.erasures.listTestEventIds(webhookId);
  const found: EventRecord[] = [];
  for (let from = 0; from < ids.length; from += maxBodies) {
    for (const test of await ctx.events.getMany(ids.slice(from, from + maxBodies)))
      if (await isNamedInEvent(ctx, person, test)) found.push({ ...test, delivery: null });
  }
  return found;
}

async function erasePeople(ctx: ProcessContext, record: ErasureRecord, sought: ErasureSubject) {
  const { erasures, people } = ctx;
  // A worker may have created a contact from these identities after the erasure was requested.
  const owners = await people.findOwners(sought.identities.map(({ _id }) => _id));
  const known = [...sought.contactIds, ...owners];
  const counterparts = await people.listCounterparts(known);
  const contactIds = await people.mergeTreeIds([...known, ...counterparts]);
  const whole = { ...sought, contactIds };
  const chatIds = await erasures.nextChats(contactIds);
  if (!(await eraseMessages(ctx, record, { sought: whole, chatIds }))) return false;
  const found = { ...record, sought: whole };
  const batch = await erasures.nextBatch(contactIds, chatIds);
  if (batch) return erasures.dropBatch(found, batch);
  return erasures.insertTombstones(found, { phase: 'rescan', cursor: null });
}

/**
 * Scans the open events once more, since some may have come in between. A person may have given a chat to a contact in another channel
 * before the tombstones: then the people are erased again, with that contact.
 */
async function rescan(ctx: ProcessContext, record: ErasureRecord, sought: ErasureSubject) {
  const { erasures, people } = ctx;
  const { state = rescannedStates[0] } = record.cursor ?? {};
  const scanned = await eraseNext(ctx, record, { sought, from: { state, isAgain: true } });
  if (scanned !== null) return scanned;
  const counterparts = await people.listCounterparts(sought.contactIds);
  if (counterparts.some((id) => !sought.contactIds.includes(id)))
    return erasures.move(record, { phase: 'people', cursor: null });
  await redactAudit(ctx, record, sought);
  const current = await erasures.get(record._id);
  return current ? erasures.finish(current) : false;
}

function redactAudit(
  ctx: ProcessContext,
  { _id: id, createdBy: actor }: ErasureRecord,
  { contactIds = [], identities }: Partial<ErasureSubject> & Pick<ErasureSubject, 'identities'>,
): Promise<unknown> {
  // A sender's own id is no mention of the person: 1234 may mean anything.
  const texts = identities.filter(({ kind }) => kind !== 'externalId');
  return redactAuditRows(ctx, {
    targets: contactIds.map((contactId) => ({ type: 'contact' as const, id: contactId })),
    mentions: texts.map(({ value }) => value),
    about: { type: 'erasure', id },
    actor,
  });
}

/**
 * Deletes all messages of these chats of the person, and what their events still store. Resolves to false when another process has the
 * erasure.
 */
async function eraseMessages(
  ctx: ProcessContext,
  record: ErasureRecord,
  { sought, chatIds }: { readonly sought: ErasureSubject; readonly chatIds: readonly string[] },
): Promise<boolean> {
  const { erasures } = ctx;
  const person = personOf(sought.identities);
  for (;;) {
    // A message has the id of its event, if it has one.
    const found = await erasures.nextMessages(chatIds);
    if (found.length === 0) return true;
    const { own, later } = splitByParents(await erasures.readUnerased(found));
    const ids = found.filter((id) => !later.has(id));
    const erased = await redactEvents(ctx, person, own);
    if (!(await erasures.messages(record, ids, erased))) return false;
  }
}

/** Returns the events whose parents fit into memory with their bodies, and the ids of the others. */
function splitByParents(events: readonly EventRecord[]) {
  const parents = new Set<string>();
  const own: EventRecord[] = [];
  const later = new Set<string>();
  for (const event of events) {
    const { parentId, _id } = event;
    if (parentId !== null && !parents.has(parentId) && parents.size >= maxBodies) later.add(_id);
    else own.push(event);
    if (parentId !== null && !later.has(_id)) parents.add(parentId);
  }
  return { own, later };
}
