/** What was typed over a contact, as the change that it asks for. */
import { InletError, type Request } from '../../api/client.ts';
import { escapePointerKey } from '../../api/json-pointer.ts';
import type { Contact } from '../contacts/use-contact.ts';

/** By field; what is not there was not touched. */
export type Drafts = Readonly<Record<string, string>>;
type Body = NonNullable<Request<'updateContact'>['body']>;

const prefix = 'fields.';

export const currentValue = ({ registers }: Pick<Contact, 'registers'>, field: string): string =>
  registers.find((register) => register.field === field)?.value ?? '';

/** Null where nothing would change, or where a value would be taken away, which no edit can. */
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
  const said = changed.filter(([, text]) => text.trim() !== '');
  const own = said.filter(([field]) => !field.startsWith(prefix));
  const fields = said
    .filter(([field]) => field.startsWith(prefix))
    .map(([field, text]) => [field.slice(prefix.length), text] as const);
  const isPinned = (field: string) =>
    currentValue(contact, field) !== '' || said.some(([one]) => one === field);
  const wanted = pins.filter(isPinned);
  const arePinsOther = wanted.toSorted().join('\n') !== contact.pins.toSorted().join('\n');
  if (said.length === 0 && !arePinsOther) return null;
  return {
    ...Object.fromEntries(own),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
    ...(arePinsOther && { pins: [...wanted] }),
  };
}

/** What the server says of one field: it names it by a JSON pointer. */
export function fieldProblem(error: unknown, field: string): string | undefined {
  if (!(error instanceof InletError)) return undefined;
  const pointer = field.startsWith(prefix)
    ? `/fields/${escapePointerKey(field.slice(prefix.length))}`
    : `/${field}`;
  return error.details.fields?.find(({ path }) => path === pointer)?.message;
}
