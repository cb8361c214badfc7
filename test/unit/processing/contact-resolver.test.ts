import { Contended } from '../../../src/processing/contended.ts';
import { ContactResolver } from '../../../src/processing/contacts/contact-resolver.ts';
import type { ContactStore } from '../../../src/store/people/contacts.ts';

test('tombstones that point at each other are contended, and not followed for ever', async () => {
  const at = new Date(0);
  const tombstone = (_id: string, mergedInto: string) => {
    return { _id, mergedInto, channelId: 'c', registers: {}, createdAt: at, updatedAt: at };
  };
  const contact = tombstone('one', 'other');
  const resolver = new ContactResolver([{ _id: 'row', contactId: 'one', contact }]);
  const contacts = { getMany: () => Promise.resolve([tombstone('other', 'one')]) };
  await expect(resolver.follow(contacts as unknown as ContactStore)).rejects.toThrow(Contended);
});
