import {
  assignLeads,
  PeopleResolver,
  withinLimit,
} from '../../../src/processing/effects/resolve-people.ts';
import type { Lead } from '../../../src/processing/read/read-event.ts';
import { maxIdentities, type ContactRecord } from '../../../src/domain/people/contact.ts';
import type { IdentityRow } from '../../../src/store/people/records.ts';

const at = new Date(0);
const contact = (_id: string, over: Partial<ContactRecord> = {}): ContactRecord => ({
  _id,
  channelId: 'c',
  registers: {},
  createdAt: at,
  updatedAt: at,
  ...over,
});
const byId = (...contacts: ContactRecord[]) => new Map(contacts.map((one) => [one._id, one]));
const identity = (_id: string) => ({ _id, channelId: 'c', kind: 'phone', value: _id }) as const;
const lead = (event: string, rows: readonly string[], mayCreateContact = true) =>
  ({
    event: { _id: event },
    channelId: 'c',
    identities: rows.map(identity),
    mayCreateContact,
  }) as unknown as Lead;

test('contacts that are merged into each other are an error, and not followed for ever', () => {
  const contacts = byId(
    contact('one', { mergedInto: 'other' }),
    contact('other', { mergedInto: 'one' }),
  );
  const resolver = new PeopleResolver({ rows: [{ _id: 'row', contactId: 'one' }], contacts });
  expect(() => resolver.knows(lead('e1', ['row']))).toThrow('merged into each other');
});

test('a row leads to the contact that its contact was merged into', () => {
  const contacts = byId(contact('one', { mergedInto: 'two' }), contact('two'));
  const resolver = new PeopleResolver({ rows: [{ _id: 'row', contactId: 'one' }], contacts });
  const one = lead('e1', ['row', 'new']);
  resolver.assign(one);
  expect(resolver.contactOf(one)).toBe('two');
  expect(resolver.claims()).toMatchObject([{ _id: 'new', contactId: 'two' }]);
});

test('an event of which nothing may be created finds the contact of a later event of the set', () => {
  const resolver = new PeopleResolver({ rows: [], contacts: new Map() });
  const [poor, rich, unknown] = [
    lead('e1', ['a'], false),
    lead('e2', ['a', 'b']),
    lead('e3', ['z'], false),
  ];
  expect(assignLeads(resolver, [poor, rich, unknown])).toEqual(new Set([rich, poor]));
  expect(resolver.contactOf(poor)).toBe(resolver.contactOf(rich));
});

test('a contact without room gets no further row', () => {
  const row = (_id: string, contactId: string): IdentityRow => ({ ...identity(_id), contactId });
  const claims = [row('a', 'full'), row('b', 'almost'), row('c', 'almost'), row('d', 'new')];
  const counts = new Map([
    ['full', maxIdentities],
    ['almost', maxIdentities - 1],
  ]);
  expect(withinLimit(claims, counts).map(({ _id }) => _id)).toEqual(['b', 'd']);
});
