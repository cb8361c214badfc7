/**
 * Effective values of a contact: per field the greatest stamp of the values that events wrote, that a person
 * pinned, and of merged contacts.
 *
 * Promises: the functions are pure; earlier merges, unmerges, pins and unpins make no difference. Values from
 * events are never lost: values that are not effective are kept in `beneath`.
 */
import type { ContactRecord, Register, Registers } from './contact.ts';
import { editStampOf, isPinStamp, lastResortStamp, pinStampOf, replaces } from './stamps.ts';

type Layers = Pick<ContactRecord, 'registers' | 'beneath' | 'pins'>;

/** Returns the value that events wrote, whether it is effective or not. */
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
  /** Effective values of each merged contact. */
  readonly members: readonly Registers[];
};

/** Returns the layers for these parts. On a tie the contact's own value wins. */
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
      if (other && (!shown || replaces(other.stamp, shown.stamp))) shown = other;
    }
    if (shown) registers[key] = shown;
    if (shown !== own) beneath[key] = own ?? null;
  }
  return { registers, beneath, pins };
}

type ContactEdit = {
  readonly set: Readonly<Record<string, string>>;
  /** The complete list of pinned fields; absent: pins do not change. */
  readonly pinned?: readonly string[];
  readonly now: Date;
  readonly id: string;
};

/**
 * Applies a person's edit and returns the new layers. Returns the key of a field that should be pinned but has
 * no value.
 */
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
    else written[key] = { value, stamp: editStampOf(now, id, shown?.stamp) };
  }
  for (const key of pinned) {
    if (pins[key]) continue;
    const shown = resolveLayers({ written, pins, members }).registers[key];
    if (!shown) return { missing: key };
    pins[key] = { value: shown.value, stamp: pinStampOf(now, id) };
  }
  return resolveLayers({ written, pins, members });
}

type Written = Pick<ContactRecord, 'registers' | 'beneath'>;

/**
 * Writes values of an event, each if it ranks later than the one that events wrote before. A value that a pin or a merged contact
 * overrides is kept beneath. Returns the same object when nothing changes.
 */
export function writeRegisters(contact: Written, values: Registers): Written {
  const registers: Record<string, Register> = { ...contact.registers };
  const beneath: Record<string, Register | null> = { ...contact.beneath };
  let hasChanged = false;
  for (const [key, value] of Object.entries(values)) {
    const [shown, hidden] = [
      registers[key],
      Object.hasOwn(beneath, key) ? beneath[key] : undefined,
    ];
    if (!shown || replaces(value.stamp, shown.stamp)) {
      registers[key] = value;
      delete beneath[key];
    } else if (hidden === null || (hidden && replaces(value.stamp, hidden.stamp))) {
      beneath[key] = value;
    } else continue;
    hasChanged = true;
  }
  if (!hasChanged) return contact;
  return { registers, ...(Object.keys(beneath).length > 0 && { beneath }) };
}
