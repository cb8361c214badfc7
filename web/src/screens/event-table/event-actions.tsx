/** The actions on one event that its state allows, each with a confirmation. */
import { EllipsisVertical, RotateCcw } from 'lucide-react';
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
type ActionKind = 'replay' | 'remap' | 'discard';

/** The server's rule: the states in which each action is allowed. */
const startsFrom: Readonly<Record<ActionKind, readonly string[]>> = {
  replay: ['dead', 'ignored', 'discarded'],
  remap: ['done'],
  discard: ['received', 'held', 'processing', 'waiting', 'dead'],
};

const touched = ['getEvent', 'listEvents', 'listDeadLetters'] as const;

export function EventActions({ event }: { readonly event: Event }) {
  const { formatMessage } = useIntl();
  const [kind, setKind] = useState<ActionKind | null>(null);
  const mayChange = useHasScope('operator');
  const { id, state, webhookId } = event;
  const may = (one: ActionKind) => startsFrom[one].includes(state);
  const text = (one: string) => formatMessage({ id: `event.${one}` });
  const sample = useApiMutation('createWebhookSample', {
    invalidates: ['listWebhookSamples'],
    onDone: () => showToast(text('sampleKept')),
  });
  if (!mayChange) return null;
  const items: Item[] = [
    ...(may('remap') ? [{ id: 'remap', label: text('remap'), hint: text('remapHint') }] : []),
    ...(event.payload !== null
      ? [{ id: 'sample', label: text('keepSample'), hint: text('keepSampleHint') }]
      : []),
    ...(may('discard') ? [{ id: 'discard', label: text('discard'), isDanger: true }] : []),
  ].map((item) => ({ ...item, onAction: () => act(item.id) }));
  function act(one: string) {
    if (one !== 'sample') return setKind(one as ActionKind);
    return sample.mutate(
      { params: { id: webhookId }, body: { eventId: id } },
      { onError: (error) => showToast(errorMessage(error, formatMessage({ id: 'ui.noAnswer' }))) },
    );
  }
  return (
    <>
      {may('replay') && (
        <Button variant="primary" onPress={() => setKind('replay')}>
          <RotateCcw aria-hidden />
          {text('replay')}
        </Button>
      )}
      {items.length > 0 && (
        <Menu label={text('more')} items={items}>
          <Button>
            <EllipsisVertical aria-hidden />
            {text('more')}
          </Button>
        </Menu>
      )}
      {kind !== null && <ConfirmAction event={event} kind={kind} onClose={() => setKind(null)} />}
    </>
  );
}

type ConfirmActionProps = {
  readonly event: Event;
  readonly kind: ActionKind;
  readonly onClose: () => void;
};

function ConfirmAction({ event, kind, onClose }: ConfirmActionProps) {
  const { formatMessage } = useIntl();
  const nameOf = useEventName();
  const name = event.externalId ?? nameOf(event);
  const done = {
    invalidates: touched,
    onDone: () => showToast(formatMessage({ id: `event.${kind}.done` })),
    onClose,
  };
  const [replay, discard] = [
    useApiMutation('replayEvent', done),
    useApiMutation('discardEvent', done),
  ];
  const params = { id: event.id };
  const act = () => {
    if (kind === 'discard') discard.mutate({ params, body: {} });
    else replay.mutate({ params, body: kind === 'remap' ? { remap: true } : {} });
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={formatMessage({ id: `event.${kind}.title` }, { name })}
      action={formatMessage({ id: `event.${kind}` })}
      isDanger={kind === 'discard'}
      isBusy={replay.isPending || discard.isPending}
      error={replay.error ?? discard.error}
      onConfirm={act}
    >
      <p>{formatMessage({ id: `event.${kind}.text` })}</p>
    </ConfirmDialog>
  );
}
