/** Edits the name and settings of a channel. Sends only changes, with the ETag of the last read. */
import type { Answer } from '../../api/client.ts';
import { useState, type FormEvent } from 'react';
import { useIntl } from 'react-intl';
import { InletError } from '../../api/client.ts';
import { mergePatchBetween } from '../../api/merge-patch.ts';
import { useApiMutation, useInvalidate } from '../../api/use-api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import {
  formOf,
  isComplete,
  problemsOf,
  settingsOf,
  type Form,
  type Kind,
} from './channel-kind.ts';
import { KindFields } from './kind-fields.tsx';

export type Channel = Answer<'getChannel'>;

type Props = {
  readonly channel: Channel;
  readonly tag: string | null;
  readonly kind: Kind;
  readonly isFixed: boolean;
};

/** The edited values, and the channel as it was when editing started. */
type Draft = {
  readonly name: string;
  readonly form: Form;
  readonly channel: Channel;
  readonly tag: string | null;
};

function changeOf({ channel, name, form }: Draft, kind: Kind) {
  const wanted = settingsOf(kind, form);
  const gone = Object.fromEntries(form.gone.map((secret) => [secret, null] as const));
  const plain = mergePatchBetween(channel.settings, wanted) as object | undefined;
  const settings = plain === undefined && form.gone.length === 0 ? null : { ...plain, ...gone };
  return {
    ...(name.trim() !== channel.name && { name: name.trim() }),
    ...(settings && { settings }),
  };
}

const shownOf = ({ name, settings, secretsSet }: Channel) => ({ name, settings, secretsSet });

export function ChannelForm(props: Props) {
  const { formatMessage } = useIntl();
  const { kind, isFixed } = props;
  const refresh = useInvalidate();
  const [written, setWritten] = useState<Draft | null>(null);
  const { name: saved, settings } = props.channel;
  const draft = written ?? {
    name: saved,
    form: formOf(settings),
    channel: props.channel,
    tag: props.tag,
  };
  const { name, form, channel } = draft;
  // Enabling or disabling the channel does not conflict with this form.
  const isAsThen = mergePatchBetween(shownOf(channel), shownOf(props.channel)) === undefined;
  const tag = isAsThen ? props.tag : draft.tag;
  const save = useApiMutation('updateChannel', {
    invalidates: ['getChannel', 'listChannels'],
    onDone: () => showToast(formatMessage({ id: 'channels.saved' })),
  });
  const change = changeOf(draft, kind);
  const canSave =
    Object.keys(change).length > 0 &&
    name.trim() !== '' &&
    isComplete(kind, form, channel.secretsSet) &&
    !save.isPending;
  const isLate = save.error instanceof InletError && save.error.status === 412;
  const problems = problemsOf(save.error);
  function readAgain() {
    setWritten(null);
    save.reset();
    refresh('getChannel');
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    const headers: Record<string, string> = tag === null ? {} : { 'if-match': tag };
    if (!canSave) return;
    const request = { params: { id: channel.id }, body: change, headers };
    save.mutate(request, { onSuccess: () => setWritten(null) });
  }
  return (
    <Card title={formatMessage({ id: 'channels.settings' })}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={formatMessage({ id: 'channels.name' })}
          value={name}
          onChange={(next) => setWritten({ ...draft, name: next })}
          maxLength={100}
          isDisabled={isFixed}
          problem={problems('/name')}
        />
        <KindFields
          kind={kind}
          form={form}
          onChange={(next) => setWritten({ ...draft, form: next })}
          secretsSet={channel.secretsSet}
          problemAt={(setting) => problems(`/settings/${setting}`)}
          isDisabled={isFixed}
        />
        {isLate && (
          <Note tone="warn" isLive>
            <p>{formatMessage({ id: 'channels.late' })}</p>
            <div>
              <Button isSmall onPress={readAgain}>
                {formatMessage({ id: 'channels.readAgain' })}
              </Button>
            </div>
          </Note>
        )}
        {save.isError && !isLate && <ErrorNote error={save.error} />}
        {!isFixed && (
          <div className="row">
            <Button type="submit" variant="primary" isDisabled={!canSave}>
              {formatMessage({ id: 'ui.save' })}
            </Button>
          </div>
        )}
      </form>
    </Card>
  );
}
