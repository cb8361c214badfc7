/** Conflicts: events that identified two contacts, with the decision to merge or dismiss. */
import { clsx } from 'clsx';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useSearchParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Select } from '../../ui/forms/field.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Pagination } from '../../ui/data/table.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { ContactComparison } from './contact-comparison.tsx';
import { MergeDialog } from '../contact/merge-dialog.tsx';
import { usePersonName } from '../contacts/contact-names.ts';
import { contactOperations } from '../contacts/use-contact.ts';
import styles from '../contacts/contacts.module.css';

type Conflict = Answer<'listContactConflicts'>['results'][number];
type Person = Conflict['contacts'][number];
const states = ['open', 'resolved'] as const;

export function Conflicts() {
  const { formatMessage } = useIntl();
  const [params, setParams] = useSearchParams();
  const state = states.find((one) => one === params.get('state')) ?? 'open';
  const contact = params.get('contact');
  const page = Math.max(1, Number(params.get('page')) || 1);
  const query = {
    state,
    ...(contact !== null && { contactId: [contact] }),
    current_page: page,
    per_page: 10,
  };
  const conflicts = useApiQuery('listContactConflicts', { query }, { keepPrevious: true });

  function change(next: Readonly<Record<string, string | null>>) {
    const after = new URLSearchParams(params);
    for (const [name, value] of Object.entries({ page: null, ...next })) {
      if (value === null) after.delete(name);
      else after.set(name, value);
    }
    setParams(after);
  }

  return (
    <div className="stack">
      <PageHeader
        title={formatMessage({ id: 'contacts.conflicts' })}
        breadcrumbs={[{ label: formatMessage({ id: 'shell.contacts' }), href: '/contacts' }]}
        lead={formatMessage({ id: 'contacts.conflictsLead' })}
      />
      <div className={clsx('row', styles.conflictFilters)}>
        <Select
          label={formatMessage({ id: 'contacts.show' })}
          choices={states.map((id) => ({
            id,
            label: formatMessage({ id: `contacts.show.${id}` }),
          }))}
          value={state}
          onChange={(id) => change({ state: id === 'open' ? null : id })}
        />
        {contact !== null && (
          <Button onPress={() => change({ contact: null })}>
            {formatMessage({ id: 'contacts.ofEverybody' })}
          </Button>
        )}
      </div>
      {conflicts.isPending && <Loading lines={6} />}
      {conflicts.isError && (
        <ErrorNote error={conflicts.error} onRetry={() => void conflicts.refetch()} />
      )}
      {conflicts.data?.results.length === 0 && (
        <EmptyState title={formatMessage({ id: `contacts.noConflicts.${state}` })}>
          {formatMessage({ id: 'contacts.noConflictsHint' })}
        </EmptyState>
      )}
      {conflicts.data?.results.map((conflict) => (
        <ConflictCard key={conflict.id} conflict={conflict} />
      ))}
      {conflicts.data !== undefined && conflicts.data.results.length > 0 && (
        <Pagination
          pagings={conflicts.data.pagings}
          onPage={(next) => change({ page: String(next) })}
        />
      )}
    </div>
  );
}

function ConflictCard({ conflict }: { readonly conflict: Conflict }) {
  const { formatMessage } = useIntl();
  const { contacts, createdAt, eventId, resolution, resolvedAt } = conflict;
  const mayChange = useHasScope('operator') && conflict.state === 'open';
  return (
    <article className="card stack">
      <div className="stack tight">
        <div className="row spread">
          <h2>
            <Between contacts={contacts} />
          </h2>
          {resolution !== null && (
            <Badge tone={resolution === 'merged' ? 'good' : 'plain'}>
              {formatMessage({ id: `contacts.resolution.${resolution}` })}
            </Badge>
          )}
        </div>
        <p>
          <Why conflict={conflict} />
        </p>
        <p className="small soft">
          <Link href={`/events/${eventId}`}>{formatMessage({ id: 'contacts.conflictEvent' })}</Link>
          {' · '}
          <RelativeTime at={createdAt} />
          {resolvedAt !== null && (
            <>
              {' · '}
              {formatMessage(
                { id: 'contacts.resolvedAt' },
                { at: <RelativeTime at={resolvedAt} /> },
              )}
            </>
          )}
        </p>
      </div>
      <ContactComparison contacts={contacts} named={conflict.named} />
      {mayChange && <Decision conflict={conflict} />}
    </article>
  );
}

function Between({ contacts }: Pick<Conflict, 'contacts'>) {
  const { formatList } = useIntl();
  const nameOf = usePersonName();
  return formatList(contacts.map(nameOf));
}

/** Which identities of the event belong to which contact, when stored. */
function Why({ conflict: { contacts, named } }: { readonly conflict: Conflict }) {
  const { formatMessage, formatList } = useIntl();
  const nameOf = usePersonName();
  const parts = contacts.flatMap((contact) => {
    const kinds = named
      .filter(({ contactId }) => contactId === contact.id)
      .map(({ kind }) => formatMessage({ id: `contacts.the.${kind}` }));
    if (kinds.length === 0) return [];
    const text = { kinds: formatList(kinds), name: nameOf(contact) };
    return [formatMessage({ id: 'contacts.kindsOf' }, text)];
  });
  const [first] = contacts;
  const given = first ? nameOf(first) : '';
  return parts.length < 2
    ? formatMessage({ id: 'contacts.whyUnknown' }, { given })
    : formatMessage({ id: 'contacts.why' }, { parts: formatList(parts), given });
}

/** A contact that was merged since is replaced by its survivor. */
const activeContact = (person: Person): Person => ({
  ...person,
  id: person.mergedInto ?? person.id,
});

function Decision({ conflict }: { readonly conflict: Conflict }) {
  const { formatMessage } = useIntl();
  const nameOf = usePersonName();
  const [other, setOther] = useState<Person | null>(null);
  const [isDismissing, setDismissing] = useState(false);
  const [first, ...others] = conflict.contacts;
  if (!first) return null;
  return (
    <div className="row">
      {others.map((one) => (
        <Button key={one.id} onPress={() => setOther(one)}>
          {formatMessage({ id: 'contacts.mergeTwo' }, { stays: nameOf(first), joins: nameOf(one) })}
        </Button>
      ))}
      <Button onPress={() => setDismissing(true)}>
        {formatMessage({ id: 'contacts.areTwo' })}
      </Button>
      {other && (
        <MergeDialog
          contact={activeContact(first)}
          otherId={activeContact(other).id}
          isAtHome={false}
          onClose={() => setOther(null)}
        />
      )}
      {isDismissing && <Dismiss conflict={conflict} onClose={() => setDismissing(false)} />}
    </div>
  );
}

type DismissProps = { readonly conflict: Conflict; readonly onClose: () => void };

function Dismiss({ conflict, onClose }: DismissProps) {
  const { formatMessage, formatList } = useIntl();
  const nameOf = usePersonName();
  const names = formatList(conflict.contacts.map(nameOf));
  const dismiss = useApiMutation('dismissContactConflict', {
    invalidates: contactOperations,
    onDone: () => {
      const text = formatMessage({ id: 'contacts.dismissed' }, { names });
      showToast(text, undefined, `contact conflict ${conflict.id}`);
    },
    onClose,
  });
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'contacts.dismissTitle' }, { names })}
      action={formatMessage({ id: 'contacts.areTwo' })}
      isOpen
      isBusy={dismiss.isPending}
      error={dismiss.error}
      onClose={onClose}
      onConfirm={() => dismiss.mutate({ params: { id: conflict.id } })}
    >
      <p>{formatMessage({ id: 'contacts.dismissLead' })}</p>
    </ConfirmDialog>
  );
}
