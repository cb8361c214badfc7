/** Takes a merge back, and says before what goes back to whom. */
import { useIntl } from 'react-intl';
import { useDo } from '../../api/use-api.ts';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import { Facts, Waiting, type Fact } from '../../ui/feedback/parts.tsx';
import { tell } from '../../ui/overlays/toast.tsx';
import { inOrder, useFieldName, usePersonName } from '../contacts/contact-names.ts';
import { ofContacts, type Contact } from '../contacts/use-contact.ts';
import { Value } from '../contacts/contact-value.tsx';

type Props = {
  readonly contact: Contact;
  readonly merge: Contact['merges'][number];
  /** Undefined while it is read. */
  readonly merged: Contact | undefined;
  readonly onClose: () => void;
};

export function UnmergeDialog({ contact, merge, merged, onClose }: Props) {
  const { formatMessage } = useIntl();
  const nameOf = usePersonName();
  const name = merged ? nameOf(merged) : '…';
  const survivor = nameOf(contact);
  const unmerge = useDo('unmergeContact', {
    touches: ofContacts,
    onDone: () => {
      const words = formatMessage({ id: 'contacts.unmergedNow' }, { name, survivor });
      tell(words, undefined, `contact merge ${merge.id}`);
    },
    onClose,
  });
  return (
    <Confirm
      title={formatMessage({ id: 'contacts.unmergeTitle' }, { name, survivor })}
      action={formatMessage({ id: 'contacts.unmerge' }, { name })}
      isOpen
      isBusy={unmerge.isPending || !merged}
      error={unmerge.error}
      onClose={onClose}
      onConfirm={() => unmerge.mutate({ params: { id: contact.id }, body: { mergeId: merge.id } })}
    >
      <p>{formatMessage({ id: 'contacts.unmergeLead' }, { name, survivor })}</p>
      {merged ? <GivenBack merged={merged} name={name} /> : <Waiting />}
      <p className="small soft">{formatMessage({ id: 'contacts.unmergeStays' }, { survivor })}</p>
    </Confirm>
  );
}

type GivenBackProps = { readonly merged: Contact; readonly name: string };

function GivenBack({ merged, name }: GivenBackProps) {
  const { formatMessage } = useIntl();
  const fieldName = useFieldName();
  const registers = merged.registers.toSorted((a, b) => inOrder(a.field, b.field));
  const facts: Fact[] = registers.map(({ field, value }) => [
    fieldName(field),
    <Value key={field}>{value}</Value>,
  ]);
  return (
    <div className="stack tight">
      <h3>{formatMessage({ id: 'contacts.givenBack' }, { name })}</h3>
      <Facts
        facts={[
          ...facts,
          [
            formatMessage({ id: 'contacts.identities' }),
            merged.identities.length === 0
              ? '—'
              : merged.identities.map(({ value }) => value).join(' · '),
          ],
          [
            formatMessage({ id: 'contacts.chats' }),
            formatMessage({ id: 'contacts.chatCount' }, { count: merged.chats.length }),
          ],
        ]}
      />
    </div>
  );
}
