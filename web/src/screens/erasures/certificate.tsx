/** An erasure: its progress while it runs, then the certificate. */
import { Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useIntl } from 'react-intl';
import { Link } from 'react-aria-components';
import type { Answer } from '../../api/client.ts';
import { useApiQuery, useInvalidate } from '../../api/use-api.ts';
import { Actor } from '../../ui/data/actor.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { CopyableText } from '../../ui/text/copyable-text.tsx';
import { DescriptionList, type Description } from '../../ui/data/description-list.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Timestamp } from '../../ui/data/time.tsx';
import { contactOperations } from '../contacts/use-contact.ts';

type Erasure = Answer<'getErasure'>;

/** While the erasure runs. */
export const pollIntervalMs = 2_000;

const erasureCounts = [
  'contacts',
  'identities',
  'chats',
  'messages',
  'events',
  'bodies',
  'resends',
  'samples',
  'rejections',
  'conflicts',
  'auditRows',
] as const satisfies readonly (keyof Erasure['counts'])[];

export function ErasureStateBadge({ state }: Pick<Erasure, 'state'>) {
  const { formatMessage } = useIntl();
  return (
    <Badge tone={state === 'done' ? 'good' : 'info'}>
      {formatMessage({ id: `contacts.erasure.${state}` })}
    </Badge>
  );
}

type Props = { readonly id: string; readonly onClose: () => void };

export function CertificateDialog({ id, onClose }: Props) {
  const { formatMessage } = useIntl();
  const request = { params: { id } };
  const first = useApiQuery('getErasure', request);
  const refresh = useInvalidate();
  const isRunning = first.data?.state === 'running';
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !isRunning)
      refresh('listErasures', 'listBlocks', ...contactOperations);
    wasRunning.current = isRunning;
  });
  useApiQuery('getErasure', request, {
    enabled: isRunning,
    refetchInterval: isRunning && pollIntervalMs,
  });
  return (
    <Dialog title={formatMessage({ id: 'contacts.certificate' })} isOpen isWide onClose={onClose}>
      {first.isPending && <Loading />}
      {first.isError && <ErrorNote error={first.error} onRetry={() => void first.refetch()} />}
      {first.data && <Certificate erasure={first.data} />}
      <div className="actions">
        {first.data?.state === 'done' && <DownloadButton erasure={first.data} />}
        <Button onPress={onClose}>{formatMessage({ id: 'ui.close' })}</Button>
      </div>
    </Dialog>
  );
}

function DownloadButton({ erasure }: { readonly erasure: Erasure }) {
  const { formatMessage } = useIntl();
  return (
    <Button variant="primary" onPress={() => save(erasure)}>
      <Download aria-hidden /> {formatMessage({ id: 'contacts.download' })}
    </Button>
  );
}

/** The certificate as the API returns it: ids and hashes, no personal data. */
function save(erasure: Erasure): void {
  const file = new Blob([`${JSON.stringify(erasure, null, 2)}\n`], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `erasure-${erasure.id}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

function Certificate({ erasure }: { readonly erasure: Erasure }) {
  const { formatMessage, formatNumber } = useIntl();
  const label = (word: string) => formatMessage({ id: `contacts.erasure.${word}` });
  const facts: Description[] = [
    [label('state'), <ErasureStateBadge key="state" state={erasure.state} />],
    [label('begun'), <Timestamp key="begun" at={erasure.createdAt} />],
    [
      label('finished'),
      erasure.finishedAt === null ? '—' : <Timestamp key="end" at={erasure.finishedAt} />,
    ],
    [label('by'), <Actor key="by" name={erasure.createdBy} />],
    [label('reason'), erasure.reason ?? '—'],
    [label('block'), formatMessage({ id: erasure.block ? 'ui.yes' : 'ui.no' })],
    ...erasureCounts.map((name): Description => [
      label(`count.${name}`),
      formatNumber(erasure.counts[name]),
    ]),
    ...(erasure.audit === null
      ? []
      : [
          [
            label('audit'),
            <Link key="audit" href={`/audit?action=erasure.finish&id=${erasure.id}`}>
              {formatMessage({ id: 'contacts.auditRow' })}
            </Link>,
          ] as const,
        ]),
  ];
  return (
    <>
      <p className="soft" role="status">
        {label(erasure.state === 'running' ? 'runningHint' : 'doneHint')}
      </p>
      <DescriptionList items={facts} />
      {erasure.state === 'done' && (
        <details>
          <summary>{label('hashes')}</summary>
          <div className="stack tight">
            <p className="small soft">{label('hashesHint')}</p>
            {erasure.identifiers.length === 0 && <Note>{label('noHashes')}</Note>}
            {erasure.identifiers.map(({ kind, hash }) => (
              <CopyableText key={hash} text={`${kind} ${hash}`} />
            ))}
          </div>
        </details>
      )}
    </>
  );
}
