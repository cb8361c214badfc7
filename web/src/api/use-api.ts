/**
 * API operations as hooks. Queries are cached by operation and request; mutations name the operations to
 * invalidate.
 */
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

type QueryOptions = {
  /** No request while false. */
  readonly enabled?: boolean;
  /** The polling interval in milliseconds. */
  readonly refetchInterval?: number | false;
  /** Keeps the previous page visible while the next one loads. */
  readonly keepPrevious?: boolean;
  /** No refetch on window focus: updates arrive another way. */
  readonly skipFocusRefetch?: boolean;
};

export const queryKeyOf = <Name extends Operation>(name: Name, request: Request<Name>) =>
  [name, request] as const;

type Before = { readonly queryKey: readonly unknown[] } | undefined;

/** Keeps the data of the same request in another language until the new data arrives. */
export const placeholderFor =
  (key: readonly unknown[], { keepPrevious = false } = {}) =>
  <Data>(data: Data | undefined, before?: Before): Data | undefined =>
    keepPrevious || JSON.stringify(before?.queryKey.slice(0, 2)) === JSON.stringify(key.slice(0, 2))
      ? data
      : undefined;

export function useApiQuery<Name extends Operation>(
  name: Name,
  request: Request<Name>,
  {
    enabled = true,
    refetchInterval = false,
    keepPrevious = false,
    skipFocusRefetch = false,
  }: QueryOptions = {},
): UseQueryResult<Answer<Name>> {
  const language = useLanguage();
  const queryKey = [...queryKeyOf(name, request), language];
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => client.call(name, { ...request, signal }),
    enabled,
    refetchInterval,
    placeholderData: placeholderFor(queryKey, { keepPrevious }),
    ...(skipFocusRefetch && { refetchOnWindowFocus: false }),
  }) as UseQueryResult<Answer<Name>>;
}

/** As `useApiQuery`, with the ETag that a later change sends as `If-Match`. */
export function useApiQueryWithEtag<Name extends Operation>(
  name: Name,
  request: Request<Name>,
): UseQueryResult<Read<Name>> {
  const language = useLanguage();
  const queryKey = [...queryKeyOf(name, request), language, 'tagged'];
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => client.read(name, { ...request, signal }),
    placeholderData: placeholderFor(queryKey),
  }) as UseQueryResult<Read<Name>>;
}

type MutationOptions<Name extends Operation> = {
  /** Operations whose responses may have changed. */
  readonly invalidates?: readonly Operation[];
  readonly onDone?: (answer: Answer<Name>, request: Request<Name>) => void;
  /**
   * Called last, to close the form or dialog; not called when the component is unmounted, because another one
   * may be open.
   */
  readonly onClose?: (answer: Answer<Name>) => void;
};

/** True while the component is mounted. */
export function useMountedRef(): Readonly<RefObject<boolean>> {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}

export function useApiMutation<Name extends Operation>(
  name: Name,
  { invalidates = [], onDone, onClose }: MutationOptions<Name> = {},
): UseMutationResult<Answer<Name>, Error, Request<Name>> {
  const queries = useQueryClient();
  const isMounted = useMountedRef();
  return useMutation({
    mutationFn: (request: Request<Name>) => client.call(name, request),
    onSuccess: async (answer, request) => {
      onDone?.(answer, request);
      if (isMounted.current) onClose?.(answer);
      await Promise.all(
        invalidates.map((operation) => queries.invalidateQueries({ queryKey: [operation] })),
      );
    },
  });
}

/** Returns a function that invalidates the cached responses of operations. */
export function useInvalidate(): (...operations: Operation[]) => void {
  const queries = useQueryClient();
  return (...operations) => {
    for (const operation of operations) void queries.invalidateQueries({ queryKey: [operation] });
  };
}
