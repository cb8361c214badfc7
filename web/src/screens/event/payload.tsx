/** The decoded body, headers and query. Credentials are masked until an authorized user reveals them. */
import { Copy, Eye } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { JsonView } from '../../ui/json/json-view.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { DescriptionList, type Description } from '../../ui/data/description-list.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { curlCommand } from './curl-command.ts';

type Event = Answer<'getEvent'>;
type Pairs = Readonly<Record<string, string>>;

const factsOf = (pairs: object): readonly Description[] =>
  Object.entries(pairs as Pairs).map(([name, value]) => [name, <code key={name}>{value}</code>]);

export function PayloadCard({ event }: { readonly event: Event }) {
  const { formatMessage } = useIntl();
  const [isRevealed, setRevealed] = useState(false);
  const mayReveal = useHasScope('operator');
  const revealed = useApiQuery(
    'getEvent',
    { params: { id: event.id }, query: { reveal: true } },
    { enabled: isRevealed, skipFocusRefetch: true },
  );
  const hasMask = useMemo(() => JSON.stringify(event.payload).includes('***'), [event.payload]);
  const { payload, headers, query } = (isRevealed && revealed.data) || event;
  if (payload === null) {
    return (
      <Card title={formatMessage({ id: 'event.payload' })}>
        <p className="soft">{formatMessage({ id: 'event.noPayload' })}</p>
      </Card>
    );
  }
  return (
    <>
      <Card
        title={formatMessage({ id: 'event.payload' })}
        actions={
          <span className="row">
            {hasMask && mayReveal && !isRevealed && (
              <Button isSmall variant="quiet" onPress={() => setRevealed(true)}>
                <Eye aria-hidden />
                {formatMessage({ id: 'event.reveal' })}
              </Button>
            )}
            <CopyCurl event={event} />
          </span>
        }
      >
        {hasMask && (
          <p className="small soft">
            {formatMessage({ id: isRevealed ? 'event.revealed' : 'event.masked' })}
          </p>
        )}
        {revealed.isError && <ErrorNote error={revealed.error} />}
        <JsonView value={payload as unknown} label={formatMessage({ id: 'event.payload' })} />
      </Card>
      <Came title="event.headers" pairs={headers} />
      <Came title="event.query" pairs={query} />
    </>
  );
}

function Came({
  title,
  pairs,
}: {
  readonly title: 'event.headers' | 'event.query';
  readonly pairs: object;
}) {
  const { formatMessage } = useIntl();
  const facts = factsOf(pairs);
  return facts.length === 0 ? null : (
    <Card title={formatMessage({ id: title })}>
      <DescriptionList items={facts} />
    </Card>
  );
}

function CopyCurl({ event }: { readonly event: Event }) {
  const { formatMessage } = useIntl();
  async function copy() {
    const { payload, headers, query } = event;
    const given = {
      payload: payload as unknown,
      headers: headers as Pairs,
      query: query as Pairs,
    };
    await navigator.clipboard.writeText(curlCommand(window.location.origin, given));
    showToast(formatMessage({ id: 'event.curlCopied' }, { key: '<KEY>' }));
  }
  return (
    <Button isSmall variant="quiet" onPress={() => void copy()}>
      <Copy aria-hidden />
      {formatMessage({ id: 'event.curl' })}
    </Button>
  );
}
