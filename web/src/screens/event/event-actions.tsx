/** The actions on one event that its state allows, each with a confirmation. */
import { Ellipsis, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiMutation } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { useEventName } from '../../ui/data/event-name.ts';
import { Menu, type Item } from '../../ui/overlays/menu.tsx';
import { errorMessage } from '../../ui/feedback/error-note.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

type Event = Answer<'getEvent'>;
type Deed = 'replay' | 'remap' | 'discard';

/** The server's rule: the states in which each action is allowed. */
const startsFrom: Readonly<Record<Deed, readonly string[]>> = {
  replay: ['dead', 'ignored', 'discarded'],
  remap: ['done'],
  discard: ['received', 'held', 'processing', 'waiting', 'dead'],
};

const touched = ['getEvent', 'listEvents', 'listDeadLetters'] as const;

export function EventActions({ event }: { readonly event: Event }) {
  const { formatMessage } = useIntl();
  const [deed, setDeed] = useState<Deed | null>(null);
  const mayChange = useHasScope('operator');
  const { id, state, webhookId } = event;
  const may = (one: Deed) => startsFrom[one].includes(state);
  const words = (one: string) => formatMessage({ id: `event.${one}` });
  const sample = useApiMutation('createWebhookSample', {
    touches: ['listWebhookSamples'],
    onDone: () => showToast(words('sampleKept')),
  });
  if (!mayChange) return null;
  const items: Item[] = [
    ...(may('remap') ? [{ id: 'remap', label: words('remap'), hint: words('remapHint') }] : []),
    ...(event.payload !== null
      ? [{ id: 'sample', label: words('keepSample'), hint: words('keepSampleHint') }]
      : []),
    ...(may('discard') ? [{ id: 'discard', label: words('discard'), isDanger: true }] : []),
  ].map((item) => ({ ...item, onAction: () => act(item.id) }));
  function act(one: string) {
    if (one !== 'sample') return setDeed(one as Deed);
    return sample.mutate(
      { params: { id: webhookId }, body: { eventId: id } },
      { onError: (error) => showToast(errorMessage(error, formatMessage({ id: 'ui.noAnswer' }))) },
    );
  }
  return (
    <>
      {may('replay') && (
        <Button look="primary" onPress={() => setDeed('replay')}>
          <RotateCcw aria-hidden />
          {words('replay')}
        </Button>
      )}
      {items.length > 0 && (
        <Menu label={words('more')} items={items}>
          <Button>
            <Ellipsis aria-hidden />
            {words('more')}
          </Button>
        </Menu>
      )}
      {deed !== null && <Ask event={event} deed={deed} onClose={() => setDeed(null)} />}
    </>
  );
}

type AskProps = { readonly event: Event; readonly deed: Deed; readonly onClose: () => void };

function Ask({ event, deed, onClose }: AskProps) {
  const { formatMessage } = useIntl();
  const nameOf = useEventName();
  const name = event.externalId ?? nameOf(event);
  const done = {
    touches: touched,
    onDone: () => showToast(formatMessage({ id: `event.${deed}.done` })),
    onClose,
  };
  const [replay, discard] = [
    useApiMutation('replayEvent', done),
    useApiMutation('discardEvent', done),
  ];
  const params = { id: event.id };
  const act = () => {
    if (deed === 'discard') discard.mutate({ params, body: {} });
    else replay.mutate({ params, body: deed === 'remap' ? { remap: true } : {} });
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={formatMessage({ id: `event.${deed}.title` }, { name })}
      action={formatMessage({ id: `event.${deed}` })}
      isDanger={deed === 'discard'}
      isBusy={replay.isPending || discard.isPending}
      error={replay.error ?? discard.error}
      onConfirm={act}
    >
      <p>{formatMessage({ id: `event.${deed}.text` })}</p>
    </ConfirmDialog>
  );
}
