/** The two compared versions, from the URL. */
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { VersionDiff } from './version-diff.tsx';

type Webhook = Answer<'getWebhook'>;

export const parseVersion = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;

/** Returns the query of a comparison. The page of the list stays. */
export function withComparison(
  query: URLSearchParams,
  version: number,
  against?: number | null,
): string {
  const page = query.get('page');
  const next = new URLSearchParams(page === null ? {} : { page });
  next.set('compare', String(version));
  if (against !== undefined && against !== null) next.set('with', String(against));
  return next.toString();
}

type ComparisonProps = {
  readonly webhook: Webhook;
  readonly version: number;
  /** The versions of the current page. */
  readonly listed: readonly number[];
  readonly actions: ReactNode;
};

/** By default the active version; for the active version the one before it. */
export function ComparedVersions({ webhook, version, listed, actions }: ComparisonProps) {
  const { id, activeVersion, previousVersion } = webhook;
  const [query, setQuery] = useSearchParams();
  const others = [activeVersion, previousVersion, listed.find((one) => one < version), listed[0]];
  const defaultValue = others.find((one) => one !== version && typeof one === 'number') ?? null;
  const against = parseVersion(query.get('with')) ?? defaultValue;
  const known = [...listed, ...others, version, against].filter((one) => typeof one === 'number');
  return (
    <VersionDiff
      webhookId={id}
      pair={{ version, against }}
      activeVersion={activeVersion}
      versions={[...new Set(known)].toSorted((a, b) => b - a)}
      onChoose={(pair) => setQuery(withComparison(query, pair.version, pair.against))}
      actions={actions}
    />
  );
}
