/** What the mapping makes of the payload that is shown, a moment after the last change. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client, InletError, type Answer } from '../api/client.ts';
import { useLanguage } from '../i18n/language.ts';
import { byTarget, noRefusals, type Refusals } from './document/save-errors.ts';
import type { Document } from './document/mapping-document.ts';
import type { Payload } from './use-payloads.ts';

export type Item = Answer<'previewWebhookMappings'>['items'][number];
export type Trace = { readonly source: string; readonly raw: unknown };

export type Preview = {
  readonly items: readonly Item[];
  readonly isFetching: boolean;
  /** Why the document would not be saved, by target. */
  readonly refusals: Refusals;
  readonly error: Error | null;
  readonly retry: () => void;
};

const quietMs = 250;

function useLate<Value>(value: Value): Value {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), quietMs);
    return () => clearTimeout(timer);
  }, [value]);
  return late;
}

export function usePreview(
  webhookId: string,
  document: Document,
  payload: Payload | null,
): Preview {
  const late = useLate(document);
  const language = useLanguage();
  const isText = payload !== null && (typeof payload.body !== 'object' || payload.body === null);
  const asked = useQuery({
    // The payload by its id: it may be large, and never changes.
    queryKey: ['previewWebhookMappings', webhookId, payload?.id, JSON.stringify(late), language],
    queryFn: async ({ signal }) => {
      const { body, headers, query } = payload ?? { body: {}, headers: {}, query: {} };
      const given = { body: body as object, headers, query };
      const request = {
        params: { id: webhookId },
        body: { mapping: late, payload: given },
        signal,
      };
      return client.call('previewWebhookMappings', request);
    },
    enabled: payload !== null && !isText,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const items = useLastItems(payload, asked.isPlaceholderData ? undefined : asked.data?.items);
  const { error } = asked;
  const isRefused = error instanceof InletError && error.status === 422;
  return {
    items: asked.data?.items ?? (isRefused ? items : []),
    isFetching: asked.isFetching || late !== document,
    refusals: isRefused ? byTarget(error.details.fields ?? []) : noRefusals,
    error: isRefused ? null : error,
    retry: () => void asked.refetch(),
  };
}

const noItems: readonly Item[] = [];

/** What was last made of the payload: it stays in its place while the document is refused. */
function useLastItems(payload: Payload | null, made: readonly Item[] | undefined) {
  const [last, setLast] = useState<{ readonly id: string; readonly items: readonly Item[] }>();
  if (made && payload && made !== last?.items) setLast({ id: payload.id, items: made });
  return last && last.id === payload?.id ? last.items : noItems;
}

/** The value of a target in an item; labels are read by their place among the sources. */
export function valueIn(item: Item | undefined, segments: readonly string[]): string | null {
  let value: unknown = item;
  for (const key of segments) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return typeof value === 'string' ? value : null;
}
