/** Undoes a merge; shows first which values return to whom. */
import { useIntl } from 'react-intl';
import { useApiMutation } from '../../api/use-api.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { DescriptionList, type Description } from '../../ui/data/description-list.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { compareFields, useFieldName, usePersonName } from '../contacts/contact-names.ts';
import { contactOperations, type Contact } from '../contacts/use-contact.ts';
import { ContactValue } from '../contacts/contact-value.tsx';

type Props = {
  readonly contact: Contact;
  readonly merge: Contact['merges'][number];
  /** Undefined while loading. */
  readonly merged: Contact | undefined;
  readonly onClose: () => void;
};

export function UnmergeDialog({ contact, merge, merged, onClose }: Props) {
  const { formatMessage } = useIntl();
  const nameOf = usePersonName();
  const name = merged ? nameOf(merged) : '…';
  const survivor = nameOf(contact);
  const unmerge = useApiMutation('unmergeContact', {
    invalidates: contactOperations,
    onDone: () => {
      const text = formatMessage({ id: 'contacts.unmergedNow' }, { name, survivor });
      showToast(text, undefined, `contact merge ${merge.id}`);
    },
    onClose,
  });
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'contacts.unmergeTitle' }, { name, survivor })}
      action={formatMessage({ id: 'contacts.unmerge' }, { name })}
      isOpen
      isBusy={unmerge.isPending || !merged}
      error={unmerge.error}
      onClose={onClose}
      onConfirm={() => unmerge.mutate({ params: { id: contact.id }, body: { mergeId: merge.id } })}
    >
      <p>{formatMessage({ id: 'contacts.unmergeLead' }, { name, survivor })}</p>
      {merged ? <GivenBack merged={merged} name={name} /> : <Loading />}
      <p className="small soft">{formatMessage({ id: 'contacts.unmergeStays' }, { survivor })}</p>
    </ConfirmDialog>
  );
}

type GivenBackProps = { readonly merged: Contact; readonly name: string };

function GivenBack({ merged, name }: GivenBackProps) {
  const { formatMessage } = useIntl();
  const fieldName = useFieldName();
  const registers = merged.registers.toSorted((a, b) => compareFields(a.field, b.field));
  const facts: Description[] = registers.map(({ field, value }) => [
    fieldName(field),
    <ContactValue key={field}>{value}</ContactValue>,
  ]);
  return (
    <div className="stack tight">
      <h3>{formatMessage({ id: 'contacts.givenBack' }, { name })}</h3>
      <DescriptionList
        items={[
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
