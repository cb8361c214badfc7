/** The mapping screen of one webhook. A link can name the field, the event and the base version. */
import { useEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import { useParams, useSearchParams } from 'react-router';
import { totalOf, useDeadLetterCounts } from '../../api/dead-letter-counts.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { ActivateVersion } from '../versions/activate-version.tsx';
import { MappingEditor } from './mapping-editor.tsx';

function expertHref(id: string, query: URLSearchParams, isOn: boolean): string {
  const next = new URLSearchParams(query);
  if (isOn) next.set('mode', 'expert');
  else next.delete('mode');
  const text = next.toString();
  return `/webhooks/${id}/mapping${text === '' ? '' : `?${text}`}`;
}

export function Mapping() {
  const { id = '' } = useParams();
  const [query] = useSearchParams();
  const [saved, setSaved] = useState<number | null>(null);
  const [activating, setActivating] = useState<number | null>(null);
  const webhook = useApiQuery('getWebhook', { params: { id } });
  const hasActive = typeof webhook.data?.activeVersion === 'number';
  const isExpert = query.get('mode') === 'expert';
  const from = Number(query.get('version') ?? 0);
  const event = query.get('event');
  return (
    <div className="stack">
      {saved !== null && saved !== webhook.data?.activeVersion && (
        <Saved id={id} version={saved} hasActive={hasActive} />
      )}
      {event === null && (
        <WaitingDead webhookId={id} active={webhook.data?.activeVersion ?? null} />
      )}
      <MappingEditor
        webhookId={id}
        onSaved={setSaved}
        onRepaired={(version) => {
          setSaved(version);
          setActivating(version);
        }}
        field={query.get('field')}
        event={event}
        from={from > 0 ? from : null}
        expert={{ isOn: isExpert, href: expertHref(id, query, !isExpert) }}
      />
      {activating !== null && webhook.data && (
        <ActivateVersion
          webhook={webhook.data}
          version={activating}
          onClose={() => setActivating(null)}
        />
      )}
    </div>
  );
}

type WaitingProps = { readonly webhookId: string; readonly active: number | null };

/** The dead letters that a new mapping version would fix, with a link to them. */
function WaitingDead({ webhookId, active }: WaitingProps) {
  const { formatMessage } = useIntl();
  const groups = useDeadLetterCounts([webhookId])?.groups ?? [];
  const isWaiting = ({ action, mappingVersions }: (typeof groups)[number]) =>
    action.code === 'fix_mapping' && mappingVersions.some((version) => version === active);
  const count = totalOf(groups.filter(isWaiting));
  if (count === 0) return null;
  return (
    <Note tone="info">
      <span className="row">
        {formatMessage({ id: 'mapping.dead' }, { count })}
        <LinkButton isSmall href={`/dead-letters?webhookId=${webhookId}`}>
          {formatMessage({ id: 'mapping.toDead' })}
        </LinkButton>
      </span>
    </Note>
  );
}

type SavedProps = { readonly id: string; readonly version: number; readonly hasActive: boolean };

function Saved({ id, version, hasActive }: SavedProps) {
  const { formatMessage } = useIntl();
  const note = useRef<HTMLDivElement>(null);
  // The save button may be far below.
  useEffect(() => {
    note.current?.scrollIntoView({ block: 'nearest' });
  }, [version]);
  return (
    <div ref={note}>
      <Note tone="good" isLive>
        <span className="row">
          {formatMessage({ id: 'mapping.savedHint' }, { version })}
          <LinkButton
            isSmall
            variant="primary"
            href={`/webhooks/${id}/versions?compare=${version}&do=activate`}
          >
            {formatMessage({ id: 'mapping.activate' })}
          </LinkButton>
          {hasActive && (
            <LinkButton isSmall href={`/webhooks/${id}/versions?compare=${version}`}>
              {formatMessage({ id: 'mapping.compare' })}
            </LinkButton>
          )}
        </span>
      </Note>
    </div>
  );
}
