/** Parses the fields of a contact that a person writes, by the same rules as event data. */
import { AppError } from '../../base/errors.ts';
import { fieldRegisterKey, identitiesOf } from '../../domain/people/contact.ts';
import { compileMapping } from '../language/compile.ts';
import { applyItem } from './apply.ts';

export type ContactFields = {
  readonly name?: string | undefined;
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
  readonly document?: string | undefined;
};

const inputMapping = compileMapping({
  contact: {
    name: { path: 'name' },
    phone: { path: 'phone' },
    email: { path: 'email' },
    document: { path: 'document' },
  },
});

/**
 * Returns the parsed fields; null for a field that is absent. `region` (two letters) is the region of a number without a
 * country code. Throws `invalid_field` with the fields that cannot be parsed.
 */
export function parseContactFields(given: ContactFields, region: string) {
  if (!inputMapping.ok) throw new Error('The mapping of what people write does not compile.');
  const { name, phone, email, document } = given;
  const body = { name, phone, email, document };
  const payload = { body, headers: {}, query: {} };
  const { contact, problems } = applyItem(inputMapping.mapping, payload, { defaultRegion: region });
  const read = { name: contact.name, phone: contact.phone, email: contact.email };
  const all = { ...read, document: contact.document };
  const fields = problems.map(({ target, message }) => ({
    path: `/${target.replace('contact.', '')}`,
    message,
  }));
  for (const [key, value] of Object.entries(body)) {
    const isLost = value !== undefined && all[key as keyof typeof all] === null;
    if (isLost && !fields.some(({ path }) => path === `/${key}`))
      fields.push({ path: `/${key}`, message: 'field.empty' });
  }
  if (fields.length > 0) throw new AppError('invalid_field', { details: { fields } });
  return all;
}

type EditOptions = { readonly channelId: string; readonly region: string };

/** Returns the values by register key, and the identities that follow from them in the channel. Throws as `parseContactFields`. */
export function parseContactEdit(
  { fields = {}, ...given }: ContactFields & { readonly fields?: Readonly<Record<string, string>> },
  { channelId, region }: EditOptions,
) {
  const values = parseContactFields(given, region);
  const named = Object.entries(values).flatMap(([key, value]) =>
    value === null ? [] : [[key, value] as const],
  );
  const own = Object.entries(fields).map(([key, value]) => [fieldRegisterKey(key), value] as const);
  return {
    set: Object.fromEntries([...named, ...own]),
    identities: identitiesOf({ ...values, externalId: null }, { channelId, webhookId: '' }),
  };
}
