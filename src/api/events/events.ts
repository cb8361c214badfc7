/** Events: read with content, effects and resends; reveal, replay and discard. */
import { orNotFound } from '../../base/errors.ts';
import { mayAccess, type Caller } from '../../domain/access/token.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { asLive } from '../../domain/events/attempts.ts';
import { effectIdsOf, type EventRecord, type Resend } from '../../domain/events/event.ts';
import { changesBetween, valueAt, type ValueChange } from '../../domain/events/json-diff.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';
import { listSets } from '../../store/sets/sets.ts';
import { discardRecord, replayRecord } from '../../recovery/replay.ts';
import type { ApiContext } from '../context.ts';
import { maskContent, readContent, type EventContent } from '../samples/event-content.ts';
import { maskBody } from '../samples/mask-credentials.ts';
import { getEventMessages } from '../../store/chats/messages.ts';
import { getResendBodies } from '../../store/events/resend-bodies.ts';

/** An event with its content: masked, unless it was revealed. */
export type EventView = { readonly event: EventRecord; readonly content: EventContent };

async function getEvent({ connection, events }: ApiContext, id: string): Promise<EventRecord> {
  const event = orNotFound(await events.get(id));
  return event.open ? asLive(event, await listSets(connection)) : event;
}

const viewOf = async (ctx: ApiContext, event: EventRecord): Promise<EventView> => ({
  event,
  content: maskContent(await readContent(ctx, event)),
});

/** Throws `not_found`. */
export const readEvent = async (ctx: ApiContext, id: string): Promise<EventView> =>
  viewOf(ctx, await getEvent(ctx, id));

/** Returns the event with credentials unmasked. The audit log records the access first. */
export async function revealEvent(ctx: ApiContext, id: string, actor: Actor): Promise<EventView> {
  const event = await getEvent(ctx, id);
  const content = await readContent(ctx, event);
  await ctx.events.recordReveal(id, actor);
  return { event, content };
}

export const replayEvent = async (
  ctx: ApiContext,
  { id, change }: { readonly id: string; readonly change: 'replay' | 'remap' },
  actor: Actor,
): Promise<EventView> =>
  viewOf(ctx, await replayRecord(ctx, { id, change }, await expecting(ctx, id, actor)));

export const discardEvent = async (ctx: ApiContext, id: string, actor: Actor): Promise<EventView> =>
  viewOf(ctx, await discardRecord(ctx, id, await expecting(ctx, id, actor)));

/**
 * The precondition refers to the event with its content. The content is read before the transaction, because it
 * needs more than the record.
 */
async function expecting(ctx: ApiContext, id: string, actor: Actor): Promise<Actor> {
  const { checkPrecondition } = actor;
  if (!checkPrecondition) return actor;
  const { content } = await readEvent(ctx, id);
  return {
    ...actor,
    checkPrecondition: (record) => checkPrecondition({ event: record as EventRecord, content }),
  };
}

/** The contact of an event, and the text of its message. */
export type EffectSummary = {
  readonly eventId: string;
  /** The contact, or the survivor of a merged one. Null: erased, or outside the restriction of the caller. */
  readonly contact: ContactRecord | null;
  /** The first 200 characters. Null: erased, or without text. */
  readonly message: string | null;
};

const maxCharacters = 200;

/** Returns the summaries of those of the events that have effects, in three reads. Other and unknown events are absent. */
export async function summarizeEffects(
  ctx: ApiContext,
  ids: readonly string[],
  caller: Pick<Caller, 'restriction'>,
): Promise<EffectSummary[]> {
  const records = (await ctx.events.getRecords(ids)).filter((event) => mayAccess(caller, event));
  const effects = records.flatMap((event) => effectIdsOf(event) ?? []);
  const [contacts, texts] = await Promise.all([
    ctx.people.findSurvivors(effects.map(({ contactId }) => contactId)),
    getEventMessages(
      ctx,
      effects.map(({ messageId }) => messageId),
    ),
  ]);
  const textById = new Map(texts.map(({ _id, content }) => [_id, content.message]));
  return records.flatMap(({ _id, effects: made }) => {
    if (!made) return [];
    const contact = contacts.get(made.contactId);
    const text = textById.get(_id) ?? '';
    return {
      eventId: _id,
      contact: contact && mayAccess(caller, contact) ? contact : null,
      message: text === '' ? null : text.slice(0, maxCharacters),
    };
  });
}

/** The first inbound request, as far as the event stores it. */
const firstRequest = ({ receivedAt, bodySha256, firstSha256 }: EventRecord): Resend => ({
  n: 1,
  at: receivedAt,
  bodySha256: firstSha256 ?? bodySha256,
  revived: false,
});

/** Compares unmasked bodies and masks the values: that a secret changed is shown, the secret is not. */
function maskedChanges(own: unknown, other: unknown): ValueChange[] {
  const [before, after] = [maskBody(own), maskBody(other)];
  return changesBetween(own, other).map(({ path, kind }) => ({
    path,
    kind,
    before: valueAt(before, path) ?? null,
    after: valueAt(after, path) ?? null,
  }));
}

/**
 * Returns the last 50 resends and the first request, newest first, with the differences of their bodies from the event’s
 * current body. Credentials are masked on both sides, but a difference between them is reported. Throws `not_found`.
 */
export async function listResends(ctx: ApiContext, eventId: string) {
  const { events } = ctx;
  const event = orNotFound(await events.get(eventId));
  const all = [firstRequest(event), ...(event.resends ?? [])].toReversed();
  const kept = await getResendBodies(ctx, eventId, event.resentBodies ?? []);
  const own = kept.size > 0 ? (await readContent(ctx, event)).payload : null;
  const changes = new Map<string, ValueChange[]>();
  for (const [hash, body] of kept) {
    const { payload } = await readContent(ctx, body);
    changes.set(hash, maskedChanges(own, payload));
  }
  return all.map(({ n, at, bodySha256, revived }) => {
    const isSame = bodySha256 === event.bodySha256;
    return {
      number: n,
      at,
      bodySha256,
      sameBody: isSame,
      revived,
      changes: isSame ? null : (changes.get(bodySha256) ?? null),
    };
  });
}
