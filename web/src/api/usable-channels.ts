/** The channels that a new webhook may lead to. */
import { useRead } from './use-api.ts';
import { useMay } from '../session/session.ts';

export const useChannels = (enabled = true) =>
  useRead('listChannels', { query: { per_page: 200, sort_by: 'name' } }, { enabled });

/** An operator needs one that is there; an administrator makes one on the way. */
export function useMayMakeWebhook(): boolean {
  const [mayMake, mayMakeChannels] = [useMay('operator'), useMay('admin')];
  const channels = useChannels(mayMake && !mayMakeChannels);
  return mayMake && (mayMakeChannels || (channels.data?.results ?? []).some((one) => one.enabled));
}
