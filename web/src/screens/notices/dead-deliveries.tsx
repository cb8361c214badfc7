/** Deliveries of notices that failed for good: sent again one by one, or all of a target. Shows nothing without any. */
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { RelativeTime } from '../../ui/data/time.tsx';
import { errorMessage } from '../../ui/feedback/error-note.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Reason } from '../../ui/reasons/reasons.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import type { Target } from './target-values.ts';
import styles from './notices.module.css';

type Delivery = Answer<'listNoticesDeliveries'>['results'][number];

const shown = 25;

export function DeadDeliveries({ targets }: { readonly targets: readonly Target[] }) {
  const { formatMessage } = useIntl();
  const query = { state: ['dead' as const], per_page: shown };
  const dead = useApiQuery('listNoticesDeliveries', { query }).data;
  if (!dead || dead.results.length === 0) return null;
  const targetIds = new Set(dead.results.map(({ targetId }) => targetId));
  return (
    <Card title={formatMessage({ id: 'notices.dead' }, { count: dead.pagings.total })}>
      <p className="soft">{formatMessage({ id: 'notices.dead.what' })}</p>
      {[...targetIds].map((targetId) => (
        <OfTarget
          key={targetId}
          id={targetId}
          name={targets.find(({ id }) => id === targetId)?.name ?? targetId}
          deliveries={dead.results.filter((one) => one.targetId === targetId)}
        />
      ))}
    </Card>
  );
}

type OfTargetProps = {
  readonly id: string;
  readonly name: string;
  readonly deliveries: readonly Delivery[];
};

const invalidates = ['listNoticesDeliveries'] as const;

function OfTarget({ id, name, deliveries }: OfTargetProps) {
  const { formatMessage } = useIntl();
  const mayRetry = useHasScope('operator');
  const retryAll = useApiMutation('retryNoticesTarget', { invalidates });
  const press = () =>
    retryAll.mutate(
      { params: { id }, body: {} },
      {
        onSuccess: ({ retried }) =>
          showToast(formatMessage({ id: 'notices.dead.retried' }, { count: retried })),
        onError: (error) => showToast(errorMessage(error, formatMessage({ id: 'ui.noAnswer' }))),
      },
    );
  return (
    <section aria-label={name} className="stack tight">
      <div className="row spread">
        <strong className="break">{name}</strong>
        {mayRetry && (
          <Button isSmall isDisabled={retryAll.isPending} onPress={press}>
            {formatMessage({ id: 'notices.dead.retryAll' })}
          </Button>
        )}
      </div>
      <ul className={styles.targets}>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} mayRetry={mayRetry} />
        ))}
      </ul>
    </section>
  );
}

type RowProps = { readonly delivery: Delivery; readonly mayRetry: boolean };

function DeliveryRow({ delivery, mayRetry }: RowProps) {
  const { formatMessage } = useIntl();
  const { id, createdAt, notices, reason } = delivery;
  const retry = useApiMutation('retryNoticesDelivery', { invalidates });
  return (
    <li className="row spread">
      <span className="break">
        <RelativeTime at={createdAt} />
        {' · '}
        {formatMessage({ id: 'notices.dead.notices' }, { count: notices })}
        {reason !== null && (
          <>
            {' · '}
            <Reason reason={reason} />
          </>
        )}
      </span>
      {mayRetry && (
        <Button
          isSmall
          isDisabled={retry.isPending}
          onPress={() =>
            retry.mutate(
              { params: { id }, body: {} },
              {
                onError: (error) =>
                  showToast(errorMessage(error, formatMessage({ id: 'ui.noAnswer' }))),
              },
            )
          }
        >
          {formatMessage({ id: 'notices.dead.retry' })}
        </Button>
      )}
    </li>
  );
}
