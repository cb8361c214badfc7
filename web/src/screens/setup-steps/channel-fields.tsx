/** Chooses an existing channel or creates one. */
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useHasScope } from '../../session/session.ts';
import { Select, TextField } from '../../ui/forms/field.tsx';

export type ChannelDraft = {
  readonly name: string;
  readonly kind: 'inbox' | 'http';
  /** For kind `http`. */
  readonly url: string;
};
export const emptyChannelDraft: ChannelDraft = { name: '', kind: 'inbox', url: '' };

type Props = {
  /** Undefined while loading. */
  readonly channels: Answer<'listChannels'>['results'] | undefined;
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
  /** Null while an existing channel is chosen. */
  readonly fresh: ChannelDraft | null;
  readonly onFresh: (fresh: ChannelDraft) => void;
  /** True after the first attempt to submit. */
  readonly isAsked: boolean;
};

export function ChannelFields({ channels, chosen, onChoose, fresh, onFresh, isAsked }: Props) {
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
      {fresh && (
        <fieldset className="setup-channel stack">
          <legend>{formatMessage({ id: 'setup.newChannel' })}</legend>
          <p className="soft small">{formatMessage({ id: 'setup.newChannelHint' })}</p>
          <NewChannelFields fresh={fresh} onFresh={onFresh} isAsked={isAsked} />
        </fieldset>
      )}
    </>
  );
}

type NewProps = {
  readonly fresh: ChannelDraft;
  readonly onFresh: (fresh: ChannelDraft) => void;
  readonly isAsked: boolean;
};

function NewChannelFields({ fresh, onFresh, isAsked }: NewProps) {
  const { formatMessage } = useIntl();
  const isNameMissing = isAsked && fresh.name.trim() === '';
  return (
    <>
      <TextField
        label={formatMessage({ id: 'setup.channelName' })}
        problem={isNameMissing ? formatMessage({ id: 'setup.nameMissing' }) : undefined}
        value={fresh.name}
        onChange={(name) => onFresh({ ...fresh, name })}
        maxLength={100}
      />
      <Select
        label={formatMessage({ id: 'setup.channelKind' })}
        choices={(['inbox', 'http'] as const).map((kind) => ({
          id: kind,
          label: formatMessage({ id: `setup.kind.${kind}` }),
          hint: formatMessage({ id: `setup.kindHint.${kind}` }),
        }))}
        value={fresh.kind}
        onChange={(kind) => onFresh({ ...fresh, kind: kind === 'http' ? 'http' : 'inbox' })}
      />
      {fresh.kind === 'http' && (
        <TextField
          type="url"
          label={formatMessage({ id: 'setup.channelUrl' })}
          hint={formatMessage({ id: 'setup.channelUrlHint' })}
          value={fresh.url}
          onChange={(url) => onFresh({ ...fresh, url })}
        />
      )}
    </>
  );
}
