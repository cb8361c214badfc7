/** Erases a person by phone, email or document, with or without a contact. The input is not put into the URL. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useNavigate } from 'react-router';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { closeToasts, showToast } from '../../ui/overlays/toast.tsx';
import {
  ErasureOptionFields,
  defaultOptions,
  optionsBody,
  type ErasureOptions,
} from './erasure-options.tsx';
import { erasureOperations } from '../contact/erase-contact.tsx';
import { usePersonName } from '../contacts/contact-names.ts';
import { useChannels } from '../contacts/resource-names.ts';

const kinds = ['phone', 'email', 'document'] as const;
type Kind = (typeof kinds)[number];
type Person = Readonly<Record<Kind, string>>;
const emptyPerson: Person = { phone: '', email: '', document: '' };

type Props = {
  /** What the form begins with. */
  readonly given?: Person;
  readonly onClose: () => void;
};

export function ErasePersonDialog({ given: begun = emptyPerson, onClose }: Props) {
  const { formatMessage } = useIntl();
  const navigate = useNavigate();
  const [person, setPerson] = useState(begun);
  const [channelId, setChannelId] = useState<string | null>(null);
  const [terms, setTerms] = useState<ErasureOptions>(defaultOptions);
  const given = kinds.filter((kind) => person[kind].trim() !== '');
  const who = given.map((kind) => person[kind].trim()).join(', ');
  const erase = useApiMutation('eraseContacts', {
    invalidates: erasureOperations,
    onDone: ({ id }) => {
      closeToasts('contact');
      showToast(formatMessage({ id: 'contacts.erasing' }));
      void navigate(`/contacts/erasures?certificate=${id}`);
    },
    onClose,
  });
  function confirm() {
    const named = Object.fromEntries(given.map((kind) => [kind, person[kind].trim()]));
    const body = { ...named, ...(channelId !== null && { channelId }), ...optionsBody(terms) };
    // The button requires one of the three.
    erase.mutate({ body: body as Parameters<typeof erase.mutate>[0]['body'] });
  }
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'contacts.erasePerson' })}
      action={formatMessage(
        { id: who === '' ? 'contacts.eraseUnnamed' : 'contacts.eraseAction' },
        { name: who.slice(0, 60) },
      )}
      isDanger
      isOpen
      isBusy={erase.isPending || who === ''}
      error={erase.error}
      onClose={onClose}
      onConfirm={confirm}
    >
      <p className="soft">{formatMessage({ id: 'contacts.erasePersonLead' })}</p>
      {kinds.map((kind) => (
        <TextField
          key={kind}
          label={formatMessage({ id: `contacts.field.${kind}` })}
          type={kind === 'email' ? 'email' : kind === 'phone' ? 'tel' : 'text'}
          autoComplete="off"
          value={person[kind]}
          onChange={(text) => setPerson({ ...person, [kind]: text })}
        />
      ))}
      <ChannelChoice channelId={channelId} onChange={setChannelId} />
      {given.map((kind) => (
        <KnownAs key={kind} kind={kind} text={person[kind].trim()} channelId={channelId} />
      ))}
      <ErasureOptionFields terms={terms} onChange={setTerms} />
      <Note tone="bad">{formatMessage({ id: 'contacts.noWayBack' })}</Note>
    </ConfirmDialog>
  );
}

type ChannelProps = {
  readonly channelId: string | null;
  readonly onChange: (id: string | null) => void;
};

function ChannelChoice({ channelId, onChange }: ChannelProps) {
  const { formatMessage } = useIntl();
  const { channels } = useChannels();
  if (channels.length < 2) return null;
  const all = { id: 'all', label: formatMessage({ id: 'contacts.allChannels' }) };
  return (
    <Select
      label={formatMessage({ id: 'contacts.channel' })}
      choices={[all, ...channels.map(({ id, name }) => ({ id, label: name }))]}
      value={channelId ?? all.id}
      onChange={(id) => onChange(id === all.id ? null : id)}
    />
  );
}

type KnownProps = {
  readonly kind: Kind;
  readonly text: string;
  readonly channelId: string | null;
};

/** Too short to identify a person. */
const shortest = 6;

/** Shows the matching contacts, so that a typing error is seen before the erasure. */
function KnownAs({ kind, text, channelId }: KnownProps) {
  const { formatMessage, formatList } = useIntl();
  const nameOf = usePersonName();
  const query = {
    [kind]: [text],
    ...(channelId !== null && { channelId: [channelId] }),
    per_page: 5,
  };
  const found = useApiQuery('listContacts', { query }, { enabled: text.length >= shortest });
  if (!found.data) return null;
  const { results, pagings } = found.data;
  const names = formatList(results.map(nameOf));
  return (
    <p className="small" role="status">
      {pagings.total === 0
        ? formatMessage({ id: 'contacts.knownNowhere' }, { value: text })
        : formatMessage({ id: 'contacts.knownAs' }, { value: text, names, count: pagings.total })}
    </p>
  );
}
