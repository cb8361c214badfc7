/**
 * A realistic example lead, used by the built-in example and the snippets. Its phone number is in a reserved
 * range.
 */
export const exampleLead = {
  event_id: 'example-1',
  event: 'lead.created',
  created_at: '2026-01-06T12:00:00Z',
  lead: {
    id: 7,
    name: 'Ana Souza',
    phone: '+55 11 90000-0001',
    email: 'ana.souza@example.com',
  },
  message: 'Hello! How much is the blue one?',
  campaign: { source: 'instagram', name: 'Summer' },
};
