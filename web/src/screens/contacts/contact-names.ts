/** Display names of contacts, fields and identities. */
import { useIntl } from 'react-intl';

type Called = {
  readonly name: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly document?: string | null;
  readonly externalId?: string | null;
};

/** A name can be any text of a sender. */
const longestName = 80;

const shortened = (name: string): string =>
  name.length > longestName ? `${name.slice(0, longestName)}…` : name;

/** The name, else an identity. */
export function usePersonName(): (person: Called) => string {
  const { formatMessage } = useIntl();
  return ({ name, phone, email, document, externalId }) =>
    shortened(
      [name, phone, email, document, externalId].find((one) => one?.trim()) ??
        formatMessage({ id: 'contacts.nameless' }),
    );
}

const prefix = 'fields.';
export const ownFields = ['name', 'phone', 'email', 'document', 'externalId'] as const;

/** `fields.city` is a custom field and is shown as it is. */
export function useFieldName(): (field: string) => string {
  const { formatMessage } = useIntl();
  return (field) =>
    field.startsWith(prefix)
      ? shortened(field.slice(prefix.length))
      : formatMessage({ id: `contacts.field.${field}` });
}

/** Standard fields first, then custom fields by name. */
export function compareFields(a: string, b: string): number {
  const location = (field: string) => {
    const at = ownFields.findIndex((one) => one === field);
    return at < 0 ? ownFields.length : at;
  };
  return location(a) - location(b) || a.localeCompare(b);
}
