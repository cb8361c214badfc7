/** The targets of notices: create, change, test and delete. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Badge } from '../../ui/data/badge.tsx';
import { WebhookName } from '../../ui/data/webhook-name.tsx';
import { ErrorNote, errorMessage } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { DeadDeliveries } from './dead-deliveries.tsx';
import { TargetDialog } from './target-dialog.tsx';
import type { Target } from './target-values.ts';
import styles from './notices.module.css';

type Shown = 'none' | 'new' | { readonly edit: Target } | { readonly remove: Target };

export function Targets() {
  const { formatMessage } = useIntl();
  const mayChange = useHasScope('admin');
  const [shown, setShown] = useState<Shown>('none');
  const query = { per_page: 200, sort_by: 'name' as const };
  const targets = useApiQuery('listNoticesTargets', { query });
  const close = () => setShown('none');
  return (
    <>
      <Card
        title={formatMessage({ id: 'notices.targets' })}
        actions={
          mayChange && (
            <Button variant="primary" onPress={() => setShown('new')}>
              {formatMessage({ id: 'notices.target.new' })}
            </Button>
          )
        }
      >
        {targets.isPending && <Loading lines={2} />}
        {targets.isError && (
          <ErrorNote error={targets.error} onRetry={() => void targets.refetch()} />
        )}
        {targets.data?.results.length === 0 && (
          <p className="soft">{formatMessage({ id: 'notices.targets.none' })}</p>
        )}
        {targets.data && targets.data.results.length > 0 && (
          <ul className={styles.targets}>
            {targets.data.results.map((target) => (
              <TargetRow
                key={target.id}
                target={target}
                mayChange={mayChange}
                onEdit={() => setShown({ edit: target })}
                onRemove={() => setShown({ remove: target })}
              />
            ))}
          </ul>
        )}
        {shown === 'new' && <TargetDialog target={null} onClose={close} />}
        {typeof shown === 'object' && 'edit' in shown && (
          <TargetDialog target={shown.edit} onClose={close} />
        )}
        {typeof shown === 'object' && 'remove' in shown && (
          <RemoveTarget target={shown.remove} onClose={close} />
        )}
      </Card>
      {targets.data && <DeadDeliveries targets={targets.data.results} />}
    </>
  );
}

type RowProps = {
  readonly target: Target;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
};

function TargetRow({ target, mayChange, onEdit, onRemove }: RowProps) {
  const { formatMessage } = useIntl();
  const { id, name, kind, webhookId, enabled } = target;
  const test = useApiMutation('testNoticesTarget');
  const change = useApiMutation('updateNoticesTarget', { invalidates: ['listNoticesTargets'] });
  const turn = () =>
    change.mutate(
      { params: { id }, body: { enabled: !enabled } },
      {
        onError: (error) => showToast(errorMessage(error, formatMessage({ id: 'ui.noAnswer' }))),
      },
    );
  return (
    <li className="stack tight">
      <div className="row spread">
        <div className="row">
          <strong className="break">{name}</strong>
          <span className="soft">{formatMessage({ id: `notices.target.kind.${kind}` })}</span>
          {webhookId !== null && <WebhookName id={webhookId} />}
          {!enabled && <Badge tone="warn">{formatMessage({ id: 'notices.target.off' })}</Badge>}
        </div>
        {mayChange && (
          <div className="row" role="group" aria-label={name}>
            <Button
              isSmall
              isDisabled={test.isPending}
              onPress={() => test.mutate({ params: { id }, body: {} })}
            >
              {formatMessage({ id: 'notices.target.test' })}
            </Button>
            <Button isSmall onPress={onEdit}>
              {formatMessage({ id: 'notices.target.edit' })}
            </Button>
            <Button isSmall isDisabled={change.isPending} onPress={turn}>
              {formatMessage({ id: enabled ? 'notices.target.turnOff' : 'notices.target.turnOn' })}
            </Button>
            <Button isSmall variant="danger" onPress={onRemove}>
              {formatMessage({ id: 'notices.target.delete' })}
            </Button>
          </div>
        )}
      </div>
      <div role="status">
        {test.isError && <ErrorNote error={test.error} />}
        {test.isSuccess && !test.isPending && (
          <Note tone={test.data.outcome === 'delivered' ? 'good' : 'bad'}>
            {test.data.outcome === 'delivered'
              ? formatMessage({ id: 'notices.target.tested' })
              : formatMessage({ id: 'notices.target.failed' }, { reason: test.data.reason ?? '' })}
          </Note>
        )}
      </div>
    </li>
  );
}

function RemoveTarget({
  target: { id, name },
  onClose,
}: {
  readonly target: Target;
  readonly onClose: () => void;
}) {
  const { formatMessage } = useIntl();
  const remove = useApiMutation('deleteNoticesTarget', {
    invalidates: ['listNoticesTargets'],
    onClose,
  });
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'notices.target.delete.title' }, { name })}
      action={formatMessage({ id: 'notices.target.delete.action' })}
      isOpen
      isDanger
      isBusy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate({ params: { id } })}
    >
      <p>{formatMessage({ id: 'notices.target.delete.what' })}</p>
    </ConfirmDialog>
  );
}
