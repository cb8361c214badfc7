/** Builds the patch of a contact from the edited values. */
import { InletError, type Request } from '../../api/client.ts';
import { escapePointerKey } from '../../api/json-pointer.ts';
import type { Contact } from '../contacts/use-contact.ts';

/** By field; unedited fields are absent. */
export type Drafts = Readonly<Record<string, string>>;
type Body = NonNullable<Request<'updateContact'>['body']>;

const prefix = 'fields.';

export const currentValue = ({ registers }: Pick<Contact, 'registers'>, field: string): string =>
  registers.find((register) => register.field === field)?.value ?? '';

/** Null when nothing changes, or when a value would be removed, which an edit cannot do. */
export function contactPatch(
  contact: Contact,
  drafts: Drafts,
  pins: readonly string[],
): Body | null {
  const changed = Object.entries(drafts).filter(
    ([field, text]) => text !== currentValue(contact, field),
  );
  if (changed.some(([field, text]) => text.trim() === '' && currentValue(contact, field) !== ''))
    return null;
  const filled = changed.filter(([, text]) => text.trim() !== '');
  const own = filled.filter(([field]) => !field.startsWith(prefix));
  const fields = filled
    .filter(([field]) => field.startsWith(prefix))
    .map(([field, text]) => [field.slice(prefix.length), text] as const);
  const isPinned = (field: string) =>
    currentValue(contact, field) !== '' || filled.some(([one]) => one === field);
  const wanted = pins.filter(isPinned);
  const arePinsOther = wanted.toSorted().join('\n') !== contact.pins.toSorted().join('\n');
  if (filled.length === 0 && !arePinsOther) return null;
  return {
    ...Object.fromEntries(own),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
    ...(arePinsOther && { pins: [...wanted] }),
  };
}

/** Finds the server's error of a field by its JSON pointer. */
export function fieldProblem(error: unknown, field: string): string | undefined {
  if (!(error instanceof InletError)) return undefined;
  const pointer = field.startsWith(prefix)
    ? `/fields/${escapePointerKey(field.slice(prefix.length))}`
    : `/${field}`;
  return error.details.fields?.find(({ path }) => path === pointer)?.message;
}
