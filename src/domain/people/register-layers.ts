/**
 * What a contact shows of each field, where more than events have a say: the greatest stamp among what events wrote,
 * what people pinned, and what the contacts that were merged into it show.
 *
 * Promises: pure, and a function of those parts alone: whatever was merged, taken apart, pinned and unpinned before
 * makes no difference. What events wrote is never lost: where it is not shown, it lies beneath.
 */
import type { ContactRecord, Register, Registers } from './contact.ts';

type Layers = Pick<ContactRecord, 'registers' | 'beneath' | 'pins'>;

const isPinStamp = (stamp: string): boolean => stamp.startsWith('2|');

/** What events wrote of one field, shown or not. */
export const writtenRegister = (
  { registers, beneath }: Layers,
  key: string,
): Register | undefined =>
  beneath && Object.hasOwn(beneath, key) ? (beneath[key] ?? undefined) : registers[key];

export function writtenRegisters(layers: Layers): Registers {
  const keys = [...Object.keys(layers.registers), ...Object.keys(layers.beneath ?? {})];
  const written = [...new Set(keys)].map((key) => [key, writtenRegister(layers, key)]);
  return Object.fromEntries(written.filter(([, register]) => register !== undefined));
}

type Parts = {
  readonly written: Registers;
  readonly pins: Registers;
  /** What each member shows. */
  readonly members: readonly Registers[];
};

/** The same parts always give the same; on a tie what the contact has itself is shown. */
export function resolveLayers({ written, pins, members }: Parts): Required<Layers> {
  const others = [pins, ...members];
  const keys = new Set([written, ...others].flatMap((part) => Object.keys(part)));
  const registers: Record<string, Register> = {};
  const beneath: Record<string, Register | null> = {};
  for (const key of keys) {
    const own = written[key];
    let shown = own;
    for (const part of others) {
      const other = part[key];
      if (other && (!shown || other.stamp > shown.stamp)) shown = other;
    }
    if (shown) registers[key] = shown;
    if (shown !== own) beneath[key] = own ?? null;
  }
  return { registers, beneath, pins };
}

/** Greater than the stamp of any event. */
export const pinStampOf = (now: Date, id: string): string => `2|${now.toISOString()}|${id}`;

/** As an event of this moment would have it, and in any case greater than what is shown. */
export function editStampOf(now: Date, id: string, shown: Register | undefined): string {
  const stamp = `1|${now.toISOString()}|p${id}`;
  return shown && shown.stamp >= stamp ? `${shown.stamp}~` : stamp;
}

/** Less than any event's: the value stays only until an event says something. */
export const lastResortStamp = '0|';

export type ContactEdit = {
  readonly set: Readonly<Record<string, string>>;
  /** All that is pinned from now on; what is left out keeps its pins. */
  readonly pinned?: readonly string[];
  readonly now: Date;
  readonly id: string;
};

/** What a person's edit makes of the parts. A field to be pinned that has no value is told by its key. */
export function applyEdit(
  contact: Layers,
  members: readonly Registers[],
  edit: ContactEdit,
): Required<Layers> | { readonly missing: string } {
  const { set, now, id } = edit;
  const pinned = new Set(edit.pinned ?? Object.keys(contact.pins ?? {}));
  const written: Record<string, Register> = { ...writtenRegisters(contact) };
  const pins: Record<string, Register> = {};
  for (const [key, pin] of Object.entries(contact.pins ?? {})) {
    if (pinned.has(key)) pins[key] = pin;
    else written[key] ??= { value: pin.value, stamp: lastResortStamp };
  }
  for (const [key, value] of Object.entries(set)) {
    const shown = resolveLayers({ written, pins, members }).registers[key];
    const isHidden = shown !== undefined && isPinStamp(shown.stamp);
    if (pinned.has(key) || isHidden) pins[key] = { value, stamp: pinStampOf(now, id) };
    else written[key] = { value, stamp: editStampOf(now, id, shown) };
  }
  for (const key of pinned) {
    if (pins[key]) continue;
    const shown = resolveLayers({ written, pins, members }).registers[key];
    if (!shown) return { missing: key };
    pins[key] = { value: shown.value, stamp: pinStampOf(now, id) };
  }
  return resolveLayers({ written, pins, members });
}

/** Of two values the one of the higher rank is shown; of the same rank, the later one. Lowest first. */
export const ranks = ['undated', 'dated', 'pinned'] as const;
export type Rank = (typeof ranks)[number];

type RegisterSource = {
  readonly by: 'event' | 'person';
  readonly rank: Rank;
  readonly at: string | null;
  readonly tie: string | null;
};

/** Where a shown value comes from, as its stamp tells. */
export function registerSourceOf({ stamp }: Register): RegisterSource {
  const [first, at = '', tie = ''] = stamp.split('|');
  const rank = ranks[Number(first)] ?? 'undated';
  if (rank === 'pinned') return { by: 'person', rank, at, tie: null };
  const isEdit = tie.startsWith('p') || stamp.endsWith('~') || at === '';
  return { by: isEdit ? 'person' : 'event', rank, at: at || null, tie: isEdit ? null : tie };
}
