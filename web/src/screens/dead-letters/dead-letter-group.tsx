/** The dead letters of one webhook with one reason. */
import { clsx } from 'clsx';
import { RotateCcw, Trash2, Wrench } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Button, LinkButton } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { reasonAdvice, reasonText } from '../../ui/reasons/reasons.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { WebhookName } from '../../ui/data/webhook-name.tsx';
import { ConfirmRun, type RunKind } from './confirm-run.tsx';
import type { DeadGroup } from './dry-run.tsx';
import styles from './dead-letters.module.css';

type Props = {
  readonly group: DeadGroup;
  /** A run includes this group. */
  readonly isBusy: boolean;
};

export function DeadLetterGroup({ group, isBusy }: Props) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const { webhookId, reason, action, count, firstFinishedAt, lastFinishedAt } = group;
  return (
    <Card>
      <div className={styles.deadGroup}>
        <div className="stack tight">
          <div className="row">
            <h2 className="break" title={reason}>
              {reasonText(intl, reason)}
            </h2>
            <Badge tone="bad">{formatMessage({ id: 'dead.count' }, { count })}</Badge>
          </div>
          <div className={clsx('row small soft', styles.deadFacts)}>
            <WebhookName id={webhookId} />
            <span>
              {formatMessage({ id: 'dead.versions' }, { count: group.mappingVersions.length })}{' '}
              {intl.formatList(group.mappingVersions.map(String))}
            </span>
            <span>
              {formatMessage({ id: 'dead.first' })} <RelativeTime at={firstFinishedAt} />
            </span>
            <span>
              {formatMessage({ id: 'dead.last' })} <RelativeTime at={lastFinishedAt} />
            </span>
          </div>
          <p>{reasonAdvice(intl, reason)}</p>
          <p className="soft">{action.text}</p>
        </div>
        <Helps group={group} isBusy={isBusy} />
      </div>
    </Card>
  );
}

/** The fix first, then the replay; viewers only get links. */
function Helps({ group, isBusy }: Props) {
  const { formatMessage } = useIntl();
  const [asked, setAsked] = useState<RunKind | null>(null);
  const mayChange = useHasScope('operator');
  const { webhookId, reason, action, count, exampleEventId } = group;
  const active = useApiQuery('getWebhook', { params: { id: webhookId } }).data?.activeVersion;
  // None of the events was tried with the active version.
  const isReady = typeof active === 'number' && !group.mappingVersions.includes(active);
  const isMapping = action.code === 'fix_mapping';
  const search = new URLSearchParams({ webhookId, reason, state: 'dead' }).toString();
  return (
    <div className={styles.deadHelps}>
      {isMapping && (
        <LinkButton
          variant={isReady ? 'plain' : 'primary'}
          href={`/webhooks/${webhookId}/mapping?event=${exampleEventId}`}
        >
          <Wrench aria-hidden />
          {formatMessage({ id: mayChange ? 'dead.fixMapping' : 'dead.seeMapping' })}
        </LinkButton>
      )}
      {action.code === 'fix_webhook' && (
        <LinkButton variant="primary" href={`/webhooks/${webhookId}`}>
          {formatMessage({ id: 'dead.openWebhook' })}
        </LinkButton>
      )}
      {mayChange && (
        <Button
          variant={isMapping && !isReady ? 'plain' : 'primary'}
          isDisabled={isBusy}
          onPress={() => setAsked('replay')}
        >
          <RotateCcw aria-hidden />
          {isReady
            ? formatMessage({ id: 'dead.replayWith' }, { count, version: active })
            : formatMessage({ id: 'dead.replay' }, { count })}
        </Button>
      )}
      <div className="row small">
        <Link href={`/events/${exampleEventId}`}>{formatMessage({ id: 'dead.example' })}</Link>
        <Link href={`/events?${search}`}>{formatMessage({ id: 'dead.all' }, { count })}</Link>
      </div>
      {mayChange && (
        <Button isSmall variant="quiet" isDisabled={isBusy} onPress={() => setAsked('discard')}>
          <Trash2 aria-hidden />
          {formatMessage({ id: 'dead.discard' }, { count })}
        </Button>
      )}
      {asked && <ConfirmRun group={group} kind={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}
