/** The payloads of the webhook: samples and last events, for choosing, merging and previewing. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { client } from '../api/client.ts';
import { useApiQuery } from '../api/use-api.ts';

type Named = Readonly<Record<string, string>>;

export type Payload = {
  readonly id: string;
  readonly body: unknown;
  readonly headers: Named;
  readonly query: Named;
};

/** Its payload is loaded when it is chosen. */
export type PayloadOption = {
  readonly id: string;
  readonly is: 'sample' | 'event';
  readonly name: string | null;
  readonly at: string;
};

export type Payloads = {
  readonly choices: readonly PayloadOption[];
  readonly shownId: string | null;
  readonly show: (id: string) => void;
  readonly shown: Payload | null;
  readonly isReading: boolean;
  /** The merged payloads: samples, else the last events, and the shown one. */
  readonly all: readonly Payload[];
  readonly sampleIds: readonly string[];
};

type PayloadsState = {
  readonly payloads: Payloads;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
};

const limit = 10;
const maxMerged = 5;

async function readEvent(id: string, signal: AbortSignal): Promise<Payload> {
  const { payload, headers, query } = await client.call('getEvent', { params: { id }, signal });
  return { id, body: payload as unknown, headers: headers as Named, query: query as Named };
}

const minuteMs = 60_000;

function useEventPayloads(ids: readonly string[]) {
  return useQuery({
    queryKey: ['getEvent', 'payloads', ids],
    queryFn: ({ signal }) => Promise.all(ids.map((id) => readEvent(id, signal))),
    enabled: ids.length > 0,
    staleTime: 5 * minuteMs,
  });
}

/** The event that a link names, of any age. */
function useNamed(eventId: string | null) {
  const found = useApiQuery(
    'getEvent',
    { params: { id: eventId ?? '' } },
    { enabled: eventId !== null, skipFocusRefetch: true },
  );
  const event = found.data;
  const payload = useMemo(
    (): Payload[] =>
      event && event.payload !== null
        ? [
            {
              id: event.id,
              body: event.payload as unknown,
              headers: event.headers as Named,
              query: event.query as Named,
            },
          ]
        : [],
    [event],
  );
  return { event, payload, isPending: eventId !== null && found.isPending };
}

/** The newest is shown first, or `eventId`, which is merged with the others. */
export function usePayloads(webhookId: string, eventId: string | null = null): PayloadsState {
  const samples = useApiQuery('listWebhookSamples', {
    params: { id: webhookId },
    query: { per_page: limit },
  });
  const events = useApiQuery('listEvents', { query: { webhookId: [webhookId], per_page: limit } });
  const [chosen, setChosen] = useState(eventId);
  const named = useNamed(eventId);
  const samplePage = samples.data?.results;
  const recent = events.data?.results;
  const hasNoSample = samplePage?.length === 0;
  const merging = hasNoSample ? (recent ?? []).slice(0, maxMerged).map(({ id }) => id) : [];
  const merged = useEventPayloads(merging);
  const choices = useMemo(
    (): PayloadOption[] =>
      [
        ...(samplePage ?? []).map(({ id, name, receivedAt }): PayloadOption => {
          return { id, is: 'sample', name, at: receivedAt };
        }),
        ...[...(named.event ? [named.event] : []), ...(recent ?? [])]
          .filter(({ id }, at) => at === 0 || id !== eventId)
          .map(({ id, externalId, receivedAt }): PayloadOption => {
            return { id, is: 'event', name: externalId, at: receivedAt };
          }),
      ].toSorted((a, b) => b.at.localeCompare(a.at)),
    [samplePage, recent, named.event, eventId],
  );
  const shownId = chosen ?? choices[0]?.id ?? null;
  // A later event does not replace the payload that is shown.
  if (chosen === null && shownId !== null && samples.data && events.data) setChosen(shownId);
  const isEvent = (recent ?? []).some(({ id }) => id === shownId);
  const isOther = isEvent && shownId !== null && shownId !== eventId && !merging.includes(shownId);
  const one = useEventPayloads(isOther ? [shownId] : []);
  const own = useMemo(
    () =>
      (samplePage ?? []).map(({ id, body, headers, query }): Payload => {
        return { id, body: body as unknown, headers: headers as Named, query: query as Named };
      }),
    [samplePage],
  );
  const shownEvent = isOther ? one.data?.[0] : undefined;
  const all = useMemo(
    () => [
      ...named.payload,
      ...own,
      ...(merged.data ?? []).filter(({ id }) => id !== eventId),
      ...(shownEvent ? [shownEvent] : []),
    ],
    [named.payload, own, merged.data, shownEvent, eventId],
  );
  const sampleIds = useMemo(() => own.map(({ id }) => id), [own]);
  return {
    payloads: {
      choices,
      shownId,
      show: setChosen,
      shown: all.find(({ id }) => id === shownId) ?? null,
      isReading: one.isFetching || merged.isFetching,
      all,
      sampleIds,
    },
    isPending:
      named.isPending ||
      samples.isPending ||
      events.isPending ||
      (merging.length > 0 && merged.isPending),
    error: samples.error ?? events.error ?? merged.error,
    retry: () => {
      void samples.refetch();
      void events.refetch();
    },
  };
}
