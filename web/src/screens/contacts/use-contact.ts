/** One contact with its ETag, and its mutations. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { client, InletError, type Answer } from '../../api/client.ts';
import { useLanguage } from '../../i18n/language.ts';

export type Contact = Answer<'getContact'>;
export type Tagged = { readonly data: Contact; readonly tag: string | null };

/** The operations affected by any change of a contact. */
export const contactOperations = [
  'getContact',
  'listContacts',
  'listContactConflicts',
  'listEvents',
  'getContactChat',
  'listContactChatMessages',
] as const;

export function useContact(id: string, enabled = true): UseQueryResult<Tagged> {
  const language = useLanguage();
  return useQuery({
    queryKey: ['getContact', { params: { id } }, 'tagged', language],
    queryFn: ({ signal }) => client.read('getContact', { params: { id }, signal }),
    enabled,
  });
}

export const ifMatchHeader = (tag: string | null): Record<string, string> =>
  tag === null ? {} : { 'if-match': tag };

/** Adds or removes one pin; other changes stay. */
export async function changePin(id: string, field: string, isPinned: boolean): Promise<void> {
  for (let left = 3; ; left -= 1) {
    const { data, tag } = await client.read('getContact', { params: { id } });
    const others = data.pins.filter((pin) => pin !== field);
    const body = { pins: isPinned ? [...others, field] : others };
    try {
      await client.call('updateContact', { params: { id }, body, headers: ifMatchHeader(tag) });
      return;
    } catch (error) {
      const wasFaster = error instanceof InletError && error.status === 412;
      if (!wasFaster || left === 0) throw error;
    }
  }
}
