/** Notices of a webhook, most urgent first; nothing when there are none. */
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { useDeadLetterCounts } from '../../api/dead-letter-counts.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Actor } from '../../ui/data/actor.tsx';
import { LinkButton } from '../../ui/forms/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import type { Tone } from '../../ui/tone.ts';
import { Timestamp } from '../../ui/data/time.tsx';
import { useDriftLines } from '../../ui/drift/use-drift.ts';
import type { Webhook } from './webhook-actions.tsx';
import styles from './summary.module.css';

const pollIntervalMs = 30_000;

export function Notices({ webhook }: { readonly webhook: Webhook }) {
  const { id, status, setup } = webhook;
  return (
    <>
      {status === 'archived' && <Archived />}
      {status === 'paused' && <Paused id={id} />}
      {setup.next !== null && <Unfinished webhook={webhook} />}
      {setup.active && <Dead id={id} />}
      {setup.active && <Drift id={id} />}
      <Planned webhook={webhook} />
    </>
  );
}

type NoticeProps = {
  readonly tone: Tone;
  readonly children: ReactNode;
  /** The link of the notice and its text. */
  readonly way?: { readonly href: string; readonly label: string } | undefined;
};

const Notice = ({ tone, children, way }: NoticeProps) => (
  <Note tone={tone}>
    <div className={styles.notice}>
      <div className="stack tight">{children}</div>
      {way && (
        <LinkButton isSmall href={way.href}>
          {way.label}
        </LinkButton>
      )}
    </div>
  </Note>
);

function Archived() {
  const { formatMessage } = useIntl();
  return <Notice tone="warn">{formatMessage({ id: 'webhook.notice.archived' })}</Notice>;
}

function Paused({ id }: { readonly id: string }) {
  const { formatMessage } = useIntl();
  const held = useApiQuery(
    'listEvents',
    { query: { webhookId: [id], state: ['held'], per_page: 1 } },
    { refetchInterval: pollIntervalMs },
  );
  const count = held.data?.pagings.total ?? 0;
  return <Notice tone="warn">{formatMessage({ id: 'webhook.notice.paused' }, { count })}</Notice>;
}

function Unfinished({ webhook: { id, setup } }: { readonly webhook: Webhook }) {
  const { formatMessage } = useIntl();
  const may = useHasScope('operator');
  return (
    <Notice
      tone="info"
      way={
        may
          ? { href: `/webhooks/${id}/setup`, label: formatMessage({ id: 'webhook.notice.goOn' }) }
          : undefined
      }
    >
      {formatMessage({ id: `webhook.notice.next.${setup.next}` })}
    </Notice>
  );
}

function Dead({ id }: { readonly id: string }) {
  const { formatMessage } = useIntl();
  const { count = 0, groups = [] } = useDeadLetterCounts([id]) ?? {};
  if (count === 0) return null;
  return (
    <Notice
      tone="bad"
      way={{
        href: `/dead-letters?webhookId=${id}`,
        label: formatMessage({ id: 'webhook.notice.toDead' }),
      }}
    >
      <p>{formatMessage({ id: 'webhook.notice.dead' }, { count, kinds: groups.length })}</p>
      {groups[0] && <p className="soft small">{groups[0].action.text}</p>}
    </Notice>
  );
}

const shownChanges = 2;

function Drift({ id }: { readonly id: string }) {
  const { formatMessage } = useIntl();
  const drift = useApiQuery(
    'getWebhookDrift',
    { params: { id } },
    { refetchInterval: pollIntervalMs },
  );
  const lines = useDriftLines(drift.data?.warnings ?? []);
  if (lines.length === 0) return null;
  const more = lines.length - shownChanges;
  return (
    <Notice
      tone="warn"
      way={{
        href: `/webhooks/${id}/drift`,
        label: formatMessage({ id: 'webhook.notice.toDrift' }),
      }}
    >
      <p>{formatMessage({ id: 'webhook.notice.drift' })}</p>
      <ul className="small">
        {lines.slice(0, shownChanges).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {more > 0 && <li>{formatMessage({ id: 'webhook.notice.moreDrift' }, { more })}</li>}
      </ul>
    </Notice>
  );
}

function Planned({ webhook: { id, schedule } }: { readonly webhook: Webhook }) {
  const { formatMessage } = useIntl();
  if (schedule === null) return null;
  const { at, version, by } = schedule;
  return (
    <Notice
      tone="info"
      way={{
        href: `/webhooks/${id}/versions`,
        label: formatMessage({ id: 'webhook.notice.toVersions' }),
      }}
    >
      {formatMessage(
        { id: 'webhook.notice.planned' },
        { version, by: <Actor key="by" name={by} />, when: <Timestamp key="at" at={at} /> },
      )}
    </Notice>
  );
}
