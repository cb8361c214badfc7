/**
 * Compares one version with another one, by default the active version: mapping differences and their effect on
 * events.
 */
import type { ReactNode } from 'react';
import { FormattedMessage, useIntl, type IntlShape } from 'react-intl';
import { useApiQuery } from '../../api/use-api.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { Select } from '../../ui/forms/field.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { targetText } from '../../ui/reasons/reasons.tsx';
import { differencesOf, type Difference } from './mapping-diff.ts';
import { EventDiff } from './event-diff.tsx';
import { sourceText } from './source-text.ts';
import type { Version } from './mapping-version.ts';
import styles from './version-comparison.module.css';

type CompareProps = {
  readonly webhookId: string;
  readonly pair: VersionPair;
  readonly activeVersion: number | null;
  /** The versions to choose from. */
  readonly versions: readonly number[];
  readonly onChoose: (pair: VersionPair) => void;
  /** Actions on the version. */
  readonly actions: ReactNode;
};

type VersionPair = {
  readonly version: number;
  /** The other version; null when there is none. */
  readonly against: number | null;
};

export function VersionDiff({ webhookId, pair, activeVersion, actions, ...rest }: CompareProps) {
  const { formatMessage } = useIntl();
  const { version, against } = pair;
  const params = { id: webhookId };
  const isPair = against !== null && against !== version;
  const wanted = useApiQuery('getWebhookMapping', {
    params: { ...params, version: String(version) },
  });
  const other = useApiQuery(
    'getWebhookMapping',
    { params: { ...params, version: String(against ?? 0) } },
    { enabled: isPair },
  );
  const close = (
    <LinkButton isSmall variant="quiet" href={`/webhooks/${webhookId}/versions`}>
      {formatMessage({ id: 'versions.compareClose' })}
    </LinkButton>
  );
  const failed = [wanted, other].filter(({ isError }) => isError);
  const again = () => failed.forEach(({ refetch }) => void refetch());
  return (
    <Card title={titleOf(formatMessage, pair, activeVersion)} actions={close}>
      {against === null ? (
        <Note>
          {formatMessage({
            id: activeVersion === null ? 'versions.compareNoActive' : 'versions.compareOnly',
          })}
        </Note>
      ) : (
        <Chooser pair={pair} activeVersion={activeVersion} {...rest} />
      )}
      {against === version && <Note>{formatMessage({ id: 'versions.compareItself' })}</Note>}
      {failed[0]?.error && <ErrorNote error={failed[0].error} onRetry={again} />}
      {failed.length === 0 && (wanted.isPending || (isPair && other.isPending)) && <Loading />}
      {isPair && wanted.data && other.data && (
        <>
          <Differences before={other.data} after={wanted.data} />
          {against === activeVersion ? (
            <EventDiff webhookId={webhookId} version={version} mapping={wanted.data.mapping} />
          ) : (
            <p className="small soft">{formatMessage({ id: 'versions.effectOfActive' })}</p>
          )}
        </>
      )}
      <div className="row">{actions}</div>
    </Card>
  );
}

function titleOf(
  formatMessage: IntlShape['formatMessage'],
  { version, against }: VersionPair,
  activeVersion: number | null,
): string {
  if (against === null || against === version) {
    return formatMessage({ id: 'versions.compareAlone' }, { version });
  }
  return against === activeVersion
    ? formatMessage({ id: 'versions.compareTitle' }, { version, active: against })
    : formatMessage({ id: 'versions.comparePair' }, { version, against });
}

type ChooserProps = Pick<CompareProps, 'pair' | 'activeVersion' | 'versions' | 'onChoose'>;

function Chooser({ pair, activeVersion, versions, onChoose }: ChooserProps) {
  const { formatMessage } = useIntl();
  const choices = versions.map((version) => {
    const label = formatMessage({ id: 'versions.named' }, { version });
    const active = formatMessage({ id: 'versions.status.active' });
    return {
      id: String(version),
      label: version === activeVersion ? `${label} · ${active}` : label,
    };
  });
  return (
    <div className={styles.versionsPair}>
      <Select
        label={formatMessage({ id: 'versions.version' })}
        choices={choices}
        value={String(pair.version)}
        onChange={(id) => onChoose({ ...pair, version: Number(id) })}
      />
      <Select
        label={formatMessage({ id: 'versions.against' })}
        choices={choices}
        value={String(pair.against)}
        onChange={(id) => onChoose({ ...pair, against: Number(id) })}
      />
    </div>
  );
}

function Differences({ before, after }: { readonly before: Version; readonly after: Version }) {
  const { formatMessage } = useIntl();
  const differences = differencesOf(before.mapping, after.mapping);
  return (
    <div className="stack tight">
      <h3>{formatMessage({ id: 'versions.readsOtherwise' })}</h3>
      {differences.length === 0 ? (
        <p className="soft">{formatMessage({ id: 'versions.readsTheSame' })}</p>
      ) : (
        <ul className={styles.versionsDifferences}>
          {differences.map((difference) => (
            <li key={difference.target} className="break">
              <DifferenceText difference={difference} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function DifferenceText({ difference }: { readonly difference: Difference }) {
  const intl = useIntl();
  const { target, before, after } = difference;
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  const code = (reading: Difference['after']) =>
    reading === undefined ? '' : <code>{sourceText(intl, reading)}</code>;
  return (
    <FormattedMessage
      id={`versions.difference.${kind}`}
      values={{
        target: <strong>{targetText(intl, target)}</strong>,
        what: isFixed(after ?? before) ? 'rule' : 'source',
        before: code(before),
        after: code(after),
      }}
    />
  );
}

/** Not a payload location: a condition, or a fixed value. */
const isFixed = (reading: Difference['after']): boolean =>
  typeof reading === 'string' || reading?.const !== undefined;
