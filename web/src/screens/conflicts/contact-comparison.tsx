/** Several contacts side by side, one column each. Values that the event had are marked, and equal ones are soft. */
import type { CSSProperties } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { Badge } from '../../ui/data/badge.tsx';
import { BreakableText } from '../../ui/text/breakable-text.tsx';
import {
  compareFields,
  ownFields,
  useFieldName,
  usePersonName,
} from '../contacts/contact-names.ts';
import { ContactValue } from '../contacts/contact-value.tsx';
import styles from '../contacts/contacts.module.css';

type Conflict = Answer<'listContactConflicts'>['results'][number];
type Person = Conflict['contacts'][number];

function valuesOf(person: Person): ReadonlyMap<string, string> {
  const own = ownFields.flatMap((field) => {
    const value = person[field];
    return value === null ? [] : [[field, value] as const];
  });
  const others = Object.entries(person.fields as Record<string, string>);
  return new Map([...own, ...others.map(([name, value]) => [`fields.${name}`, value] as const)]);
}

export function ContactComparison({ contacts, named }: Pick<Conflict, 'contacts' | 'named'>) {
  const { formatMessage, formatList } = useIntl();
  const fieldName = useFieldName();
  const nameOf = usePersonName();
  const columns = contacts.map((person) => ({ person, values: valuesOf(person) }));
  const fields = [...new Set(columns.flatMap(({ values }) => [...values.keys()]))];
  const label = formatMessage(
    { id: 'contacts.sideBySideOf' },
    { names: formatList(contacts.map(nameOf)) },
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <div className={styles.compare} tabIndex={0} role="region" aria-label={label}>
      <table aria-label={label} style={{ '--people': contacts.length } as CSSProperties}>
        <thead>
          <tr>
            <th scope="col">{formatMessage({ id: 'contacts.column.field' })}</th>
            {columns.map(({ person }) => (
              <th key={person.id} scope="col">
                <Link href={`/contacts/${person.id}`}>{nameOf(person)}</Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fields.toSorted(compareFields).map((field) => {
            const values = columns.map((column) => column.values.get(field));
            const areSame = values.every((value) => value === values[0]);
            return (
              <tr key={field}>
                <th scope="row">
                  <BreakableText>{fieldName(field)}</BreakableText>
                </th>
                {columns.map(({ person, values: all }) => {
                  const value = all.get(field);
                  const isNamed = named.some(
                    (one) => one.contactId === person.id && one.kind === field,
                  );
                  return (
                    <td key={person.id} className={areSame && !isNamed ? 'soft' : ''}>
                      {value === undefined ? '—' : <ContactValue>{value}</ContactValue>}
                      {isNamed && (
                        <>
                          {' '}
                          <Badge tone="warn">{formatMessage({ id: 'contacts.matched' })}</Badge>
                        </>
                      )}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
