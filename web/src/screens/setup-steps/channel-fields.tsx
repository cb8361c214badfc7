/** Chooses an existing channel or creates one. */
import { clsx } from 'clsx';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useHasScope } from '../../session/session.ts';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { CountryField } from '../../ui/places/country-field.tsx';
import styles from './setup-steps.module.css';

export type ChannelDraft = {
  readonly name: string;
  readonly kind: 'inbox' | 'http';
  /** For kind `http`. */
  readonly url: string;
  /** The country of phone numbers without a country code; empty: not chosen. */
  readonly region: string;
};
export const emptyChannelDraft: ChannelDraft = { name: '', kind: 'inbox', url: '', region: '' };

type Props = {
  /** Undefined while loading. */
  readonly channels: Answer<'listChannels'>['results'] | undefined;
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
  /** Null while an existing channel is chosen. */
  readonly draft: ChannelDraft | null;
  readonly onDraft: (draft: ChannelDraft) => void;
  /** True after the first attempt to submit. */
  readonly isAsked: boolean;
};

export function ChannelFields({ channels, chosen, onChoose, draft, onDraft, isAsked }: Props) {
  const { formatMessage } = useIntl();
  const mayMake = useHasScope('admin');
  const choices = (channels ?? []).map(({ id, name, kind }) => ({
    id,
    label: name,
    hint: formatMessage({ id: `setup.kind.${kind}` }),
  }));
  const another = { id: 'new', label: formatMessage({ id: 'setup.anotherChannel' }) };
  return (
    <>
      {channels?.length !== 0 && (
        <Select
          label={formatMessage({ id: 'setup.channel' })}
          hint={formatMessage({ id: 'setup.channelHint' })}
          problem={
            isAsked && chosen === null ? formatMessage({ id: 'setup.channelNeeded' }) : undefined
          }
          placeholder={formatMessage({ id: 'setup.channelChoose' })}
          choices={mayMake ? [...choices, another] : choices}
          value={chosen}
          onChange={onChoose}
        />
      )}
      {draft && (
        <fieldset className={clsx('stack', styles.setupChannel)}>
          <legend>{formatMessage({ id: 'setup.newChannel' })}</legend>
          <p className="soft small">{formatMessage({ id: 'setup.newChannelHint' })}</p>
          <NewChannelFields draft={draft} onDraft={onDraft} isAsked={isAsked} />
        </fieldset>
      )}
    </>
  );
}

type NewProps = {
  readonly draft: ChannelDraft;
  readonly onDraft: (draft: ChannelDraft) => void;
  readonly isAsked: boolean;
};

function NewChannelFields({ draft, onDraft, isAsked }: NewProps) {
  const { formatMessage } = useIntl();
  const isNameMissing = isAsked && draft.name.trim() === '';
  return (
    <>
      <TextField
        label={formatMessage({ id: 'setup.channelName' })}
        problem={isNameMissing ? formatMessage({ id: 'setup.nameMissing' }) : undefined}
        value={draft.name}
        onChange={(name) => onDraft({ ...draft, name })}
        maxLength={100}
      />
      <Select
        label={formatMessage({ id: 'setup.channelKind' })}
        choices={(['inbox', 'http'] as const).map((kind) => ({
          id: kind,
          label: formatMessage({ id: `setup.kind.${kind}` }),
          hint: formatMessage({ id: `setup.kindHint.${kind}` }),
        }))}
        value={draft.kind}
        onChange={(kind) => onDraft({ ...draft, kind: kind === 'http' ? 'http' : 'inbox' })}
      />
      <CountryField
        label={formatMessage({ id: 'setup.country' })}
        hint={formatMessage({ id: 'setup.countryHint' })}
        problem={
          isAsked && draft.region === '' ? formatMessage({ id: 'setup.countryMissing' }) : undefined
        }
        value={draft.region}
        onChange={(region) => onDraft({ ...draft, region })}
      />
      {draft.kind === 'http' && (
        <TextField
          type="url"
          label={formatMessage({ id: 'setup.channelUrl' })}
          hint={formatMessage({ id: 'setup.channelUrlHint' })}
          value={draft.url}
          onChange={(url) => onDraft({ ...draft, url })}
        />
      )}
    </>
  );
}
