/** Two contacts side by side with the value that a merge would show. */
import { Check } from 'lucide-react';
import { useIntl } from 'react-intl';
import { BreakableText } from '../../ui/text/breakable-text.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { compareFields, useFieldName, usePersonName } from '../contacts/contact-names.ts';
import type { Contact } from '../contacts/use-contact.ts';
import { ContactValue } from '../contacts/contact-value.tsx';
import styles from '../contacts/contacts.module.css';

type Register = Contact['registers'][number];
type Side = 'stays' | 'joins';

const ranks = ['fallback', 'written', 'pinned'] as const;
const weight = ({ rank, at }: Register): string => `${ranks.indexOf(rank)} ${at ?? ''}`;

/** The server's rule: the higher rank wins, then the later value; on a tie the survivor's. */
function sideShownAfter(stays: Register | undefined, joins: Register | undefined): Side {
  if (!stays) return 'joins';
  if (!joins) return 'stays';
  return weight(joins) > weight(stays) ? 'joins' : 'stays';
}

export type MergePair = { readonly stays: Contact; readonly joins: Contact };

export function MergePreview({ stays, joins }: MergePair) {
  const { formatMessage } = useIntl();
  const fieldName = useFieldName();
  const nameOf = usePersonName();
  const of = (contact: Contact) => new Map(contact.registers.map((one) => [one.field, one]));
  const [left, right] = [of(stays), of(joins)];
  const fields = [...new Set([...left.keys(), ...right.keys()])].toSorted(compareFields);
  const label = formatMessage({ id: 'contacts.sideBySide' });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <div className={styles.compare} tabIndex={0} role="region" aria-label={label}>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{formatMessage({ id: 'contacts.column.field' })}</th>
            <th scope="col">
              {nameOf(stays)} <Badge tone="good">{formatMessage({ id: 'contacts.stays' })}</Badge>
            </th>
            <th scope="col">
              {nameOf(joins)} <Badge>{formatMessage({ id: 'contacts.joins' })}</Badge>
            </th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => {
            const [a, b] = [left.get(field), right.get(field)];
            const isSame = a?.value === b?.value;
            const after = sideShownAfter(a, b);
            return (
              <tr key={field}>
                <th scope="row">
                  <BreakableText>{fieldName(field)}</BreakableText>
                </th>
                <ValueCell register={a} isShown={isSame || after === 'stays'} />
                <ValueCell register={b} isShown={!isSame && after === 'joins'} isSame={isSame} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

type CellProps = {
  readonly register: Register | undefined;
  readonly isShown: boolean;
  readonly isSame?: boolean;
};

function ValueCell({ register, isShown, isSame = false }: CellProps) {
  const { formatMessage } = useIntl();
  if (!register) return <td className="soft">—</td>;
  return (
    <td className={isShown || isSame ? styles.shown : styles.hiddenAfter}>
      <span className={styles.compareValue}>
        {isShown && <Check aria-hidden />}
        <ContactValue>{register.value}</ContactValue>
        {register.pinned && <Badge tone="info">{formatMessage({ id: 'contacts.pinned' })}</Badge>}
      </span>
      {!isSame && (
        <span className="hidden-visually">
          {formatMessage({ id: isShown ? 'contacts.shownAfter' : 'contacts.hiddenAfter' })}
        </span>
      )}
    </td>
  );
}
