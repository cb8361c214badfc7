/** Operations of the API as hooks: what is read is kept by operation and request, what changes says what to read again. */
import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useEffect, useRef, type RefObject } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { client, type Answer, type Operation, type Read, type Request } from './client.ts';

type Reading = {
  /** Not asked while false. */
  readonly enabled?: boolean;
  /** Asked again so often, in milliseconds. */
  readonly every?: number | false;
  /** What was there stays visible while the next page comes. */
  readonly keep?: boolean;
  /** Not read again when the window gets the focus back: what changes comes another way. */
  readonly isCalm?: boolean;
};

export const keyOf = <Name extends Operation>(name: Name, request: Request<Name>) =>
  [name, request] as const;

type Before = { readonly queryKey: readonly unknown[] } | undefined;

/** In another language it is the same: what was there stays until it has come. */
export const keepFor =
  (key: readonly unknown[], isAll = false) =>
  <Data>(data: Data | undefined, before?: Before): Data | undefined =>
    isAll || JSON.stringify(before?.queryKey.slice(0, 2)) === JSON.stringify(key.slice(0, 2))
      ? data
      : undefined;

export function useRead<Name extends Operation>(
  name: Name,
  request: Request<Name>,
  { enabled = true, every = false, keep = false, isCalm = false }: Reading = {},
): UseQueryResult<Answer<Name>> {
  const language = useLanguage();
  const queryKey = [...keyOf(name, request), language];
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => client.call(name, { ...request, signal }),
    enabled,
    refetchInterval: every,
    placeholderData: keepFor(queryKey, keep),
    ...(isCalm && { refetchOnWindowFocus: false }),
  }) as UseQueryResult<Answer<Name>>;
}

/** As `useRead`, with the tag that a change gives back as `If-Match`. */
export function useTagged<Name extends Operation>(
  name: Name,
  request: Request<Name>,
): UseQueryResult<Read<Name>> {
  const language = useLanguage();
  const queryKey = [...keyOf(name, request), language, 'tagged'];
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => client.read(name, { ...request, signal }),
    placeholderData: keepFor(queryKey),
  }) as UseQueryResult<Read<Name>>;
}

type Doing<Name extends Operation> = {
  /** Operations whose answers may have changed. */
  readonly touches?: readonly Operation[];
  readonly onDone?: (answer: Answer<Name>, request: Request<Name>) => void;
  /** Then closes what asked, or goes on from it; not called where that is gone already, for another may be open by now. */
  readonly onClose?: (answer: Answer<Name>) => void;
};

/** Whether who asked is still on the page when the answer comes. */
export function useIsThere(): Readonly<RefObject<boolean>> {
  const isThere = useRef(false);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  return isThere;
}

export function useDo<Name extends Operation>(
  name: Name,
  { touches = [], onDone, onClose }: Doing<Name> = {},
): UseMutationResult<Answer<Name>, Error, Request<Name>> {
  const queries = useQueryClient();
  const isThere = useIsThere();
  return useMutation({
    mutationFn: (request: Request<Name>) => client.call(name, request),
    onSuccess: async (answer, request) => {
      onDone?.(answer, request);
      if (isThere.current) onClose?.(answer);
      await Promise.all(
        touches.map((operation) => queries.invalidateQueries({ queryKey: [operation] })),
      );
    },
  });
}

/** Reads these operations again. */
export function useRefresh(): (...operations: Operation[]) => void {
  const queries = useQueryClient();
  return (...operations) => {
    for (const operation of operations) void queries.invalidateQueries({ queryKey: [operation] });
  };
}
