/** The first step: name, channel and producer, created with one click. */
import { clsx } from 'clsx';
import { useState, type FormEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useIntl } from 'react-intl';
import type { Answer, Request } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { useChannels } from '../../api/usable-channels.ts';
import { useHasScope } from '../../session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { SearchSelect } from '../../ui/forms/search-select.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { browserRegion } from '../../ui/places/countries.ts';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { ChannelFields, emptyChannelDraft, type ChannelDraft } from './channel-fields.tsx';
import styles from './setup-steps.module.css';

type Profile = NonNullable<Request<'createWebhook'>['body']['producerProfile']>;
type CreatedWebhook = Answer<'createWebhook'>;
type Channels = Answer<'listChannels'>['results'];

export function CreateStep({
  onCreated,
}: {
  readonly onCreated: (created: CreatedWebhook) => void;
}) {
  const { formatMessage } = useIntl();
  const channels = useChannels();
  const mayMakeChannels = useHasScope('admin');
  const usable = channels.data?.results.filter(({ enabled }) => enabled);
  if (usable?.length === 0 && !mayMakeChannels) {
    return <Note tone="warn">{formatMessage({ id: 'setup.channelMissing' })}</Note>;
  }
  const failed = channels.isError && !channels.data && (
    <ErrorNote error={channels.error} onRetry={() => void channels.refetch()} />
  );
  return <CreateForm channels={usable} failed={failed} onCreated={onCreated} />;
}

type FormProps = {
  /** Undefined while loading; the form is shown at once, so that a name can be typed, but not submitted yet. */
  readonly channels: Channels | undefined;
  /** Shown instead when they could not be loaded. */
  readonly failed: ReactNode;
  readonly onCreated: (created: CreatedWebhook) => void;
};

/** Creates the channel first if it is new. When the next request fails, a retry does not create the channel again. */
function useCreating(onCreated: (created: CreatedWebhook) => void) {
  const createChannel = useApiMutation('createChannel', { invalidates: ['listChannels'] });
  const createWebhook = useApiMutation('createWebhook', {
    invalidates: ['listWebhooks', 'countWebhooks'],
    onDone: onCreated,
  });
  const [madeId, setMadeId] = useState<string | null>(null);

  async function channelIdOf({ name, kind, url, region }: ChannelDraft): Promise<string> {
    if (madeId !== null) return madeId;
    const settings = { region, ...(kind === 'http' && { url }) };
    const { id } = await createChannel.mutateAsync({
      body: { name: name.trim(), kind, settings },
    });
    setMadeId(id);
    return id;
  }

  async function create(name: string, channel: string | ChannelDraft, producerProfile: Profile) {
    try {
      const channelId = typeof channel === 'string' ? channel : await channelIdOf(channel);
      await createWebhook.mutateAsync({ body: { name, channelId, producerProfile } });
    } catch {
      // Shown as the error of the failed request.
    }
  }

  return {
    create,
    isBusy: createChannel.isPending || createWebhook.isPending,
    error: createChannel.error ?? createWebhook.error,
  };
}

function CreateForm({ channels, failed, onCreated }: FormProps) {
  const { formatMessage } = useIntl();
  const [name, setName] = useState('');
  const onlyChannel = channels?.length === 1 ? channels[0] : undefined;
  const [chosenId, setChosenId] = useState<string | null>(null);
  const channelId = chosenId ?? onlyChannel?.id ?? null;
  const [draft, setFresh] = useState<ChannelDraft>(() => ({
    ...emptyChannelDraft,
    name: formatMessage({ id: 'setup.newChannelName' }),
    region: browserRegion() ?? '',
  }));
  const own = useOwnProducers(channels?.find(({ id }) => id === channelId)?.kind);
  const [chosenProducer, setProducer] = useState<string | null>(null);
  const producer = chosenProducer ?? (own.length === 1 ? own[0] : null) ?? 'generic';
  const [isAsked, setAsked] = useState(false);
  const { create, isBusy, error } = useCreating(onCreated);

  const isNew = channels?.length === 0 || channelId === 'new';
  const isNameMissing = name.trim() === '';
  const isChannelMissing = isNew
    ? draft.name.trim() === '' || draft.region === ''
    : channelId === null;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    flushSync(() => setAsked(true));
    if (isNameMissing || isChannelMissing) {
      const missing = '[data-invalid] :is(input, button)';
      event.currentTarget.querySelector<HTMLElement>(missing)?.focus();
      return;
    }
    if (isBusy) return;
    // The choices come from the API.
    void create(name.trim(), isNew ? draft : (channelId ?? ''), producer as Profile);
  }

  return (
    <form className={clsx('stack', styles.setupForm)} onSubmit={submit} noValidate>
      <TextField
        label={formatMessage({ id: 'setup.name' })}
        hint={formatMessage({ id: 'setup.nameHint' })}
        problem={isAsked && isNameMissing ? formatMessage({ id: 'setup.nameMissing' }) : undefined}
        value={name}
        onChange={setName}
        maxLength={100}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of the form
        autoFocus
      />
      {failed || (
        <ChannelFields
          channels={channels}
          chosen={channelId}
          onChoose={setChosenId}
          draft={isNew ? draft : null}
          onDraft={setFresh}
          isAsked={isAsked}
        />
      )}
      <ProducerField value={producer} onChange={setProducer} first={own} />
      {error && <ErrorNote error={error} />}
      <div>
        <Button type="submit" variant="primary" isDisabled={isBusy || !channels}>
          {formatMessage({ id: isBusy ? 'setup.creating' : 'setup.create' })}
        </Button>
      </div>
    </form>
  );
}

/** The producers that the service of a channel of the kind has. */
function useOwnProducers(kind: Channels[number]['kind'] | undefined): readonly string[] {
  const { data } = useApiQuery('listChannelKinds', {});
  return data?.kinds.find((one) => one.kind === kind)?.inbound?.producers ?? [];
}

type ProducerProps = {
  readonly value: string;
  readonly onChange: (name: string) => void;
  /** The names of those that the list begins with. */
  readonly first: readonly string[];
};

function ProducerField({ value, onChange, first }: ProducerProps) {
  const { formatMessage } = useIntl();
  const { data } = useApiQuery('getProducers', {});
  const anySender = {
    id: 'generic',
    label: formatMessage({ id: 'setup.anySender' }),
    hint: formatMessage({ id: 'setup.anySenderHint' }),
  };
  const known = (data?.producers ?? [])
    .filter(({ name }) => name !== 'generic')
    .map(({ name, title, delivers }) => ({ id: name, label: title, hint: delivers }));
  const isFirst = ({ id }: { readonly id: string }) => first.includes(id);
  const choices = [
    ...known.filter(isFirst),
    anySender,
    ...known.filter((choice) => !isFirst(choice)),
  ];
  return (
    <SearchSelect
      // Its choices are read once.
      key={choices.map(({ id }) => id).join()}
      label={formatMessage({ id: 'setup.producer' })}
      hint={formatMessage({ id: 'setup.producerHint' })}
      none={formatMessage({ id: 'setup.producerNone' }, { any: anySender.label })}
      choices={choices}
      value={value}
      onChange={onChange}
    />
  );
}
