/** Previews the mapping of the shown payload, debounced after a change. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client, InletError, type Answer } from '../api/client.ts';
import { useLanguage } from '../i18n/language.ts';
import { errorsByTarget, noSaveErrors, type SaveErrors } from './document/save-errors.ts';
import type { Document } from './document/mapping-document.ts';
import type { Payload } from './use-payloads.ts';

export type Item = Answer<'previewWebhookMappings'>['items'][number];
export type Trace = { readonly source: string; readonly raw: unknown };

export type Preview = {
  readonly items: readonly Item[];
  readonly isFetching: boolean;
  /** Validation errors of the document, by target. */
  readonly errors: SaveErrors;
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
    // The query key has the payload id only: the payload may be large and is immutable.
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
    errors: isRefused ? errorsByTarget(error.details.fields ?? []) : noSaveErrors,
    error: isRefused ? null : error,
    retry: () => void asked.refetch(),
  };
}

const noItems: readonly Item[] = [];

/** Keeps the last result while the document is invalid. */
function useLastItems(payload: Payload | null, made: readonly Item[] | undefined) {
  const [last, setLast] = useState<{ readonly id: string; readonly items: readonly Item[] }>();
  if (made && payload && made !== last?.items) setLast({ id: payload.id, items: made });
  return last && last.id === payload?.id ? last.items : noItems;
}

/** The value of a target in an item; labels are found by their index among the sources. */
export function valueIn(item: Item | undefined, segments: readonly string[]): string | null {
  let value: unknown = item;
  for (const key of segments) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return typeof value === 'string' ? value : null;
}
