/** Names of channels and webhooks by id. */
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';

/** The maximum page size. */
const per_page = 200;

type Named = { readonly id: string; readonly name: string };
type NameOf = (id: string) => string;

function namer(named: readonly Named[] | undefined): NameOf {
  const names = new Map(named?.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? (named ? `…${id.slice(-8)}` : '');
}

export function useChannels(): { readonly channels: readonly Named[]; readonly nameOf: NameOf } {
  const enabled = useHasScope('viewer');
  const read = useApiQuery('listChannels', { query: { per_page } }, { enabled });
  return { channels: read.data?.results ?? [], nameOf: namer(read.data?.results) };
}

export function useWebhookName(): NameOf {
  const enabled = useHasScope('viewer');
  const read = useApiQuery('listWebhooks', { query: { per_page } }, { enabled });
  return namer(read.data?.results);
}
