/** The query of the webhook list in the URL: status, search, order and page. */
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Request } from '../../api/client.ts';

type Query = NonNullable<Request<'listWebhooks'>['query']>;
export type Status = NonNullable<Query['status']>[number];

/** The status filter; archived webhooks are shown only on request. */
export const groups = ['all', 'active', 'paused', 'setup', 'archived'] as const;
type Group = (typeof groups)[number];

export const statusesOf: Readonly<Record<Group, readonly Status[]>> = {
  all: ['draft', 'sampled', 'mapped', 'active', 'paused'],
  active: ['active'],
  paused: ['paused'],
  setup: ['draft', 'sampled', 'mapped'],
  archived: ['archived'],
};

export const orders = ['-createdAt', '-updatedAt', 'name', '-name', 'status', '-status'] as const;
type Order = (typeof orders)[number];

const perPage = 25;

export type ListQuery = {
  readonly group: Group;
  readonly search: string;
  readonly order: Order;
  readonly query: Query;
  readonly choose: (changes: { group?: Group; search?: string; order?: string }) => void;
  readonly toPage: (page: number) => void;
  readonly clear: () => void;
  /** Counts resets, so that a pending search is cancelled too. */
  readonly clearings: number;
};

export function useListQuery(): ListQuery {
  const [params, setParams] = useSearchParams();
  const [clearings, setClearings] = useState(0);
  const group = groups.find((one) => one === params.get('status')) ?? 'all';
  const search = params.get('search') ?? '';
  const order = orders.find((one) => one === params.get('order')) ?? '-createdAt';
  const page = Math.max(1, Math.trunc(Number(params.get('page') ?? 1)) || 1);

  const set = (name: string, value: string, defaultValue: string) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === defaultValue) next.delete(name);
        else next.set(name, value);
        if (name !== 'page') next.delete('page');
        return next;
      },
      // Typing adds no history entries.
      { replace: name === 'search' },
    );

  return {
    group,
    search,
    order,
    query: {
      status: [...statusesOf[group]],
      sort_by: order,
      per_page: perPage,
      current_page: page,
      ...(search.trim() !== '' && { search: search.trim() }),
    },
    choose: (changes) => {
      if (changes.group !== undefined) set('status', changes.group, 'all');
      if (changes.search !== undefined) set('search', changes.search, '');
      if (changes.order !== undefined) set('order', changes.order, '-createdAt');
    },
    toPage: (next) => set('page', String(next), '1'),
    clear: () => {
      setClearings(clearings + 1);
      setParams({});
    },
    clearings,
  };
}
