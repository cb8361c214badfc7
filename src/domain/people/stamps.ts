/**
 * Stamps order the writers of a contact's fields and the openers of a chat: by the event's date, or its time of receipt if it has
 * none; then by receipt, which is the order of event ids; then by generation. Stamps are ASCII text, so that MongoDB and
 * JavaScript order them alike. A contact has one with each value, so dates and ids are written short.
 *
 * Promises: the same receipts rank alike in any order of processing. A later generation of an event replaces what an earlier one
 * wrote, also when its date is earlier.
 */
import { idOfShort, shortIdOf } from '../../base/ids.ts';
import type { EventRecord } from '../events/event.ts';

type StampSource = Pick<EventRecord, '_id' | 'eventDate' | 'receivedAt' | 'generation'>;

/** Separates the parts of a stamp; in none of them. */
const separator = '|';

/** The places of the event id and the generation in the stamp of an event. No other stamp has four parts. */
const stampParts = { eventId: 2, generation: 3, count: 4 } as const;

/** The class of events and edits. Pins have a greater one. */
const ordinary = '1';
const pinned = '2';

/** The year 0, the smallest time of a stamp. */
const firstMs = Date.parse('0000-01-01T00:00:00Z');
/** Until the year 9999. */
const timeCharacters = 10;
const base = 36;

const timeText = (date: Date): string =>
  Math.max(0, +date - firstMs)
    .toString(base)
    .padStart(timeCharacters, '0');

const timeOfText = (text: string): string =>
  new Date(Number.parseInt(text, base) + firstMs).toISOString();

/** Returns the stamp of an event in its generation. */
export const stampOf = ({ _id, eventDate, receivedAt, generation }: StampSource): string =>
  [
    ordinary,
    timeText(eventDate ?? receivedAt),
    shortIdOf(_id),
    String(generation).padStart(6, '0'),
  ].join(separator);

/** Greater than the stamp of any event of this moment or earlier. */
export const latestStampOf = (date: Date): string =>
  [ordinary, timeText(date), '~'].join(separator);

/** Stamp of a pin. It is greater than the stamp of any event. */
export const pinStampOf = (now: Date, id: string): string =>
  [pinned, timeText(now), id].join(separator);

export const isPinStamp = (stamp: string): boolean => stamp.startsWith(`${pinned}${separator}`);

/** Greater than the first character of an event id, so that an edit ranks after the events of its moment. */
const editMark = 'p';

/** Stamp of a person's edit. It has the time of the edit, or that of the effective value if this is later, and is greater. */
export function editStampOf(now: Date, id: string, shown: string | undefined): string {
  const at = (time: string) => [ordinary, time, `${editMark}${id}`].join(separator);
  const stamp = at(timeText(now));
  if (shown === undefined || stamp > shown) return stamp;
  const later = at(shown.split(separator)[1] ?? '');
  return later > shown ? later : `${shown}~`;
}

/** Smaller than the stamp of any event: the next event replaces the value. */
export const lastResortStamp = `0${separator}`;

/** The event of a stamp and its generation as text; null for the stamp of a person. */
function writerOf(stamp: string): { eventId: string; generation: string } | null {
  const parts = stamp.split(separator);
  const { eventId, generation, count } = stampParts;
  if (parts.length !== count) return null;
  return { eventId: parts[eventId] ?? '', generation: parts[generation] ?? '' };
}

/** Whether a generation after the first wrote it. Only such a stamp may replace a greater one. */
const isOfReplay = (stamp: string): boolean => Number(writerOf(stamp)?.generation) > 0;

/** Whether the value of `stamp` replaces that of `current`. */
export function replaces(stamp: string, current: string): boolean {
  const generations = generationsOfOne(stamp, current);
  return generations ? generations.isLater : stamp > current;
}

/** Whether the opening of `stamp` replaces that of `current`: the earliest event opens a chat. */
export function opensBefore(stamp: string, current: string): boolean {
  const generations = generationsOfOne(stamp, current);
  return generations ? generations.isLater : stamp < current;
}

/** Compares the generations of two stamps of one event; null for other stamps. */
function generationsOfOne(stamp: string, current: string): { isLater: boolean } | null {
  if (!isOfReplay(stamp) && !isOfReplay(current)) return null;
  const [one, other] = [writerOf(stamp), writerOf(current)];
  if (!one || one.eventId !== other?.eventId) return null;
  return { isLater: one.generation > other.generation };
}

/** Ranks, lowest first. The higher rank wins; within a rank the later value wins. */
export const ranks = ['fallback', 'written', 'pinned'] as const;

/** Returns the source of a value, decoded from its stamp. */
export function sourceOf(stamp: string) {
  const [first, time = '', tie = ''] = stamp.split(separator);
  const at = time && timeOfText(time);
  const rank = ranks[Number(first)] ?? 'fallback';
  if (rank === 'pinned') return { by: 'person', rank, at, eventId: null } as const;
  const isEdit = tie.startsWith(editMark) || stamp.endsWith('~') || at === '';
  const by = isEdit ? 'person' : 'event';
  return { by, rank, at: at || null, eventId: isEdit ? null : idOfShort(tie) } as const;
}
