/** Merges two contacts: chooses the other contact, previews the values, and chooses the survivor. */
import { clsx } from 'clsx';
import { ArrowLeftRight } from 'lucide-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useNavigate } from 'react-router';
import { client } from '../../api/client.ts';
import { useApiMutation, useApiQuery, useInvalidate } from '../../api/use-api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { ErrorNote, errorMessage } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { ContactErrorNote } from './contact-error-note.tsx';
import { MergePreview, type MergePair } from './merge-preview.tsx';
import { usePersonName } from '../contacts/contact-names.ts';
import { queryOf } from '../contacts/contact-search.tsx';
import { contactOperations, useContact, type Contact } from '../contacts/use-contact.ts';
import styles from '../contacts/contacts.module.css';

type Props = {
  readonly contact: Pick<Contact, 'id' | 'channelId' | 'name' | 'phone' | 'email'>;
  /** Set when the other contact is already known. */
  readonly otherId?: string;
  readonly onClose: () => void;
  /** Called with the survivor when it is not the shown contact. */
  readonly isAtHome?: boolean;
};

export function MergeDialog({ contact, otherId, onClose, isAtHome = true }: Props) {
  const { formatMessage } = useIntl();
  const nameOf = usePersonName();
  const [other, setOther] = useState(otherId ?? null);
  return (
    <Dialog
      title={formatMessage(
        { id: otherId === undefined ? 'contacts.mergeTitle' : 'contacts.areOne' },
        { name: nameOf(contact) },
      )}
      isOpen
      isWide
      part={other ?? 'choice'}
      onClose={onClose}
    >
      {other === null ? (
        <Choose contact={contact} onChoose={setOther} onClose={onClose} />
      ) : (
        <Weigh
          contactId={contact.id}
          otherId={other}
          isAtHome={isAtHome}
          onClose={onClose}
          {...(otherId === undefined && { onBack: () => setOther(null) })}
        />
      )}
    </Dialog>
  );
}

type ChooseProps = Pick<Props, 'contact' | 'onClose'> & {
  readonly onChoose: (id: string) => void;
};

/** Contacts of different channels cannot be merged. */
function Choose({ contact, onChoose, onClose }: ChooseProps) {
  const { formatMessage } = useIntl();
  const nameOf = usePersonName();
  const [text, setText] = useState('');
  const query = { ...queryOf(text, 'any'), channelId: [contact.channelId], per_page: 6 };
  const found = useApiQuery('listContacts', { query }, { keepPrevious: true });
  const others = found.data?.results.filter(({ id }) => id !== contact.id) ?? [];
  return (
    <>
      <TextField
        label={formatMessage({ id: 'contacts.mergeSearch' })}
        hint={formatMessage({ id: 'contacts.mergeSearchHint' })}
        type="search"
        value={text}
        onChange={setText}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only thing to do in this dialog
        autoFocus
      />
      <div className={styles.chooseList}>
        {found.isPending && <Loading />}
        {found.isError && <ErrorNote error={found.error} onRetry={() => void found.refetch()} />}
        {found.data && others.length === 0 && (
          <p className="soft" role="status">
            {formatMessage({ id: 'contacts.noMatch' })}
          </p>
        )}
        <ul className={styles.lines}>
          {others.map((one) => (
            <li key={one.id} className={styles.choose}>
              <span className="stack tight">
                <strong>{nameOf(one)}</strong>
                <span className="small soft break">
                  {[one.phone, one.email, one.document].filter(Boolean).join(' · ')}
                </span>
              </span>
              <Button
                isSmall
                aria-label={formatMessage({ id: 'contacts.compareWith' }, { name: nameOf(one) })}
                onPress={() => onChoose(one.id)}
              >
                {formatMessage({ id: 'contacts.compare' })}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <div className="actions">
        <Button onPress={onClose}>{formatMessage({ id: 'ui.cancel' })}</Button>
      </div>
    </>
  );
}

type WeighProps = {
  readonly contactId: string;
  readonly otherId: string;
  readonly isAtHome: boolean;
  readonly onClose: () => void;
  readonly onBack?: () => void;
};

function Weigh({ contactId, otherId, ...rest }: WeighProps) {
  const [one, other] = [useContact(contactId), useContact(otherId)];
  const error = one.error ?? other.error;
  if (error) return <ErrorNote error={error} />;
  if (!one.data || !other.data) return <Loading lines={6} />;
  return <Decide pair={{ stays: one.data.data, joins: other.data.data }} {...rest} />;
}

type DecideProps = Omit<WeighProps, 'contactId' | 'otherId'> & { readonly pair: MergePair };

function Decide({ pair, isAtHome, onClose, onBack }: DecideProps) {
  const { formatMessage } = useIntl();
  const nameOf = usePersonName();
  const navigate = useNavigate();
  const [isTurned, setTurned] = useState(false);
  const { stays, joins } = isTurned ? { stays: pair.joins, joins: pair.stays } : pair;
  const names = { stays: nameOf(stays), joins: nameOf(joins) };
  const refresh = useInvalidate();

  const about = (mergeId: string) => `contact merge ${mergeId}`;
  /** Outlives this dialog. */
  async function undo(mergeId: string) {
    try {
      await client.call('unmergeContact', { params: { id: stays.id }, body: { mergeId } });
      const named = { name: names.joins, survivor: names.stays };
      showToast(formatMessage({ id: 'contacts.unmergedNow' }, named), undefined, about(mergeId));
    } catch (error) {
      showToast(errorMessage(error, formatMessage({ id: 'ui.noAnswer' })));
    }
    refresh(...contactOperations);
  }

  const merge = useApiMutation('mergeContact', {
    invalidates: contactOperations,
    onDone: ({ mergeId }) => {
      if (isAtHome && isTurned) void navigate(`/contacts/${stays.id}`);
      const formatted = formatMessage({ id: 'contacts.mergedNow' }, names);
      showToast(formatted, () => void undo(mergeId), about(mergeId));
    },
    onClose,
  });
  return (
    <>
      <p>{formatMessage({ id: 'contacts.mergeLead' })}</p>
      <MergePreview stays={stays} joins={joins} />
      <Consequences stays={stays} joins={joins} />
      {merge.error && <ContactErrorNote error={merge.error} />}
      <div className="actions">
        {onBack && (
          <Button variant="quiet" onPress={onBack}>
            {formatMessage({ id: 'contacts.chooseAgain' })}
          </Button>
        )}
        <Button onPress={() => setTurned(!isTurned)}>
          <ArrowLeftRight aria-hidden /> {formatMessage({ id: 'contacts.turn' }, names)}
        </Button>
        <Button onPress={onClose}>{formatMessage({ id: 'ui.cancel' })}</Button>
        <Button
          variant="primary"
          isDisabled={merge.isPending}
          onPress={() => merge.mutate({ params: { id: stays.id }, body: { contactId: joins.id } })}
        >
          {formatMessage({ id: 'contacts.doMerge' }, names)}
        </Button>
      </div>
    </>
  );
}

const openChat = ({ chats }: Contact) => chats.some(({ status }) => status !== 'closed');

function Consequences({ stays, joins }: MergePair) {
  const { formatMessage } = useIntl();
  const nameOf = usePersonName();
  const names = { stays: nameOf(stays), joins: nameOf(joins) };
  const chats = openChat(joins) ? (openChat(stays) ? 'both' : 'other') : 'none';
  return (
    <ul className={clsx('small', styles.consequences)}>
      <li>
        {formatMessage(
          { id: 'contacts.mergeIdentities' },
          { ...names, count: joins.identitiesTotal },
        )}
      </li>
      {chats !== 'none' && <li>{formatMessage({ id: `contacts.mergeChats.${chats}` }, names)}</li>}
      <li>{formatMessage({ id: 'contacts.mergeBack' })}</li>
    </ul>
  );
}
