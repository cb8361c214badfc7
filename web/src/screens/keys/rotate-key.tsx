/** Rotates the key: chooses the overlap, then shows the new URL once. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiMutation } from '../../api/use-api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { CopyableText } from '../../ui/text/copyable-text.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Timestamp } from '../../ui/data/time.tsx';
import type { Key } from './key-state.ts';

export type RotatedKey = Answer<'rotateWebhookKeys'>;

const usualHours = 48;
const maxHours = 168;
const hourMs = 3_600_000;

type Props = {
  readonly webhookId: string;
  readonly valid: readonly Key[];
  readonly onClose: () => void;
  readonly onCreated: (rotated: RotatedKey) => void;
};

function hoursIn(text: string): number | null {
  const hours = Number(text.trim());
  return /^\d+$/.test(text.trim()) && hours <= maxHours ? hours : null;
}

export function RotateKey({ webhookId, valid, onClose, onCreated }: Props) {
  const { formatMessage } = useIntl();
  const [text, setText] = useState(String(usualHours));
  const [now] = useState(() => Date.now());
  const hours = hoursIn(text);
  const rotate = useApiMutation('rotateWebhookKeys', {
    invalidates: ['listWebhookKeys'],
    onDone: onCreated,
    onClose,
  });
  const isAtOnce = hours === 0 && valid.length > 0;
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'keys.rotate.title' })}
      action={formatMessage({ id: isAtOnce ? 'keys.rotate.atOnce' : 'keys.rotate.action' })}
      isOpen
      isDanger={isAtOnce}
      isBusy={rotate.isPending || hours === null}
      error={rotate.error}
      onClose={onClose}
      onConfirm={() =>
        rotate.mutate({ params: { id: webhookId }, body: { overlapHours: hours ?? usualHours } })
      }
    >
      <p>{formatMessage({ id: 'keys.rotate.what' })}</p>
      {valid.length > 0 && (
        <>
          <TextField
            label={formatMessage({ id: 'keys.overlap' })}
            hint={formatMessage({ id: 'keys.overlap.hint' })}
            problem={hours === null ? formatMessage({ id: 'keys.overlap.wrong' }) : undefined}
            inputMode="numeric"
            value={text}
            onChange={setText}
          />
          {hours !== null && (
            <Note tone={isAtOnce ? 'warn' : 'info'} isLive>
              {isAtOnce ? (
                <p>{formatMessage({ id: 'keys.overlap.none' })}</p>
              ) : (
                <p>
                  {formatMessage({ id: 'keys.overlap.until' })}{' '}
                  <Timestamp at={new Date(now + hours * hourMs).toISOString()} />.
                </p>
              )}
            </Note>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}

export function NewUrl({
  rotated,
  onDone,
}: {
  readonly rotated: RotatedKey;
  readonly onDone: () => void;
}) {
  const { formatMessage } = useIntl();
  return (
    <div role="status">
      <Card title={formatMessage({ id: 'keys.made' })}>
        <CopyableText text={rotated.url} label={formatMessage({ id: 'keys.made.copy' })} />
        <Note tone="warn">
          <p>{formatMessage({ id: 'keys.made.once' })}</p>
        </Note>
        <p>
          {rotated.previousExpiresAt === null ? (
            formatMessage({ id: 'keys.made.alone' })
          ) : (
            <>
              {formatMessage({ id: 'keys.overlap.until' })}{' '}
              <Timestamp at={rotated.previousExpiresAt} />.
            </>
          )}
        </p>
        <div>
          <Button onPress={onDone}>{formatMessage({ id: 'keys.made.done' })}</Button>
        </div>
      </Card>
    </div>
  );
}
