/** Creates a token: name, scopes, restriction and expiry. */
import { clsx } from 'clsx';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Checkbox, Select, TextField } from '../../ui/forms/field.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { expiryOf, scopes, terms, type Scope } from './token-state.ts';
import styles from './new-token.module.css';

export type CreatedToken = Answer<'createToken'>;
type Props = { readonly onClose: () => void; readonly onCreated: (created: CreatedToken) => void };

type Draft = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly isRestricted: boolean;
  readonly isMasked: boolean;
  readonly webhookIds: readonly string[];
  readonly channelIds: readonly string[];
  readonly term: string;
};

const blank: Draft = {
  name: '',
  scopes: ['viewer'],
  isRestricted: false,
  isMasked: false,
  webhookIds: [],
  channelIds: [],
  term: '90',
};

const toggled = <Id extends string>(ids: readonly Id[], id: Id): Id[] =>
  ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];

/** The other scopes show contacts as they are. */
const mayMask = (may: readonly Scope[]): boolean => may.length === 1 && may[0] === 'inbox';

function bodyOf({ name, scopes: may, isRestricted, webhookIds, channelIds, ...rest }: Draft) {
  const { isMasked, term } = rest;
  return {
    name: name.trim(),
    scopes: [...may],
    expiresAt: expiryOf(term),
    ...(isMasked && mayMask(may) && { maskContacts: true }),
    ...(isRestricted && webhookIds.length > 0 && { webhookIds: [...webhookIds] }),
    ...(isRestricted && channelIds.length > 0 && { channelIds: [...channelIds] }),
  };
}

export function NewToken({ onClose, onCreated }: Props) {
  const { formatMessage } = useIntl();
  const label = (id: string) => formatMessage({ id: `tokens.${id}` });
  const [draft, setDraft] = useState<Draft>(blank);
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const create = useApiMutation('createToken', {
    invalidates: ['listTokens'],
    onDone: onCreated,
    onClose,
  });
  const { isRestricted, webhookIds, channelIds } = draft;
  const isReady =
    draft.name.trim() !== '' &&
    draft.scopes.length > 0 &&
    (!isRestricted || webhookIds.length + channelIds.length > 0);
  return (
    <ConfirmDialog
      title={label('new')}
      action={label('create')}
      isOpen
      isBusy={create.isPending || !isReady}
      error={create.error}
      onClose={onClose}
      onConfirm={() => create.mutate({ body: bodyOf(draft) })}
    >
      <TextField
        label={label('name')}
        hint={label('name.hint')}
        value={draft.name}
        onChange={(name) => set({ name })}
        maxLength={100}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog's first field
        autoFocus
      />
      <fieldset className={clsx('stack tight', styles.choose)}>
        <legend>{label('may')}</legend>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            isSelected={draft.scopes.includes(scope)}
            onChange={() => set({ scopes: toggled(draft.scopes, scope) })}
            hint={label(`scope.${scope}.hint`)}
          >
            {label(`scope.${scope}`)}
          </Checkbox>
        ))}
      </fieldset>
      {mayMask(draft.scopes) && (
        <Checkbox
          isSelected={draft.isMasked}
          onChange={(isMasked) => set({ isMasked })}
          hint={label('mask.hint')}
        >
          {label('mask')}
        </Checkbox>
      )}
      <Checkbox
        isSelected={isRestricted}
        onChange={(next) => set({ isRestricted: next })}
        hint={label('restrict.hint')}
      >
        {label('restrict')}
      </Checkbox>
      {isRestricted && <Places draft={draft} set={set} />}
      <Select
        label={label('term')}
        choices={terms.map((id) => ({ id, label: label(`term.${id}`) }))}
        value={draft.term}
        onChange={(term) => set({ term })}
      />
      {draft.term === 'never' && <Note tone="warn">{label('term.warn')}</Note>}
    </ConfirmDialog>
  );
}

type PlacesProps = { readonly draft: Draft; readonly set: (change: Partial<Draft>) => void };

/** One page; more webhooks and channels can be set through the API. */
function Places({ draft, set }: PlacesProps) {
  const { formatMessage } = useIntl();
  const query = { per_page: 200, sort_by: 'name' as const };
  const webhooks = useApiQuery('listWebhooks', { query });
  const channels = useApiQuery('listChannels', { query });
  return (
    <>
      <Chooser
        legend={formatMessage({ id: 'shell.channels' })}
        things={channels.data?.results ?? []}
        chosen={draft.channelIds}
        onChange={(channelIds) => set({ channelIds })}
      />
      <Chooser
        legend={formatMessage({ id: 'shell.webhooks' })}
        things={webhooks.data?.results ?? []}
        chosen={draft.webhookIds}
        onChange={(webhookIds) => set({ webhookIds })}
      />
      <p className="small soft">{formatMessage({ id: 'tokens.restrict.places' })}</p>
    </>
  );
}

type Named = { readonly id: string; readonly name: string };

const Chooser = ({
  legend,
  things,
  chosen,
  onChange,
}: {
  readonly legend: string;
  readonly things: readonly Named[];
  readonly chosen: readonly string[];
  readonly onChange: (ids: string[]) => void;
}) => (
  <fieldset className={clsx('stack tight', styles.choose)}>
    <legend>{legend}</legend>
    <div className={clsx('stack tight', styles.things)}>
      {things.map(({ id, name }) => (
        <Checkbox
          key={id}
          isSelected={chosen.includes(id)}
          onChange={() => onChange(toggled(chosen, id))}
        >
          {name}
        </Checkbox>
      ))}
    </div>
  </fieldset>
);
