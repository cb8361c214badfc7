/** The channels that a new webhook can use. */
import { useApiQuery } from './use-api.ts';
import { useHasScope } from '../session/session.ts';

export const useChannels = (enabled = true) =>
  useApiQuery('listChannels', { query: { per_page: 200, sort_by: 'name' } }, { enabled });

/** An operator needs an existing channel; an administrator can create one on the way. */
export function useCanCreateWebhook(): boolean {
  const [mayMake, mayMakeChannels] = [useHasScope('operator'), useHasScope('admin')];
  const channels = useChannels(mayMake && !mayMakeChannels);
  return mayMake && (mayMakeChannels || (channels.data?.results ?? []).some((one) => one.enabled));
}
