/** The test data: a lead of about 400 bytes, and a mapping with every kind of source. */

export const leadMapping = {
  filter: "event == 'lead.created'",
  eventId: { path: 'event_id' },
  eventType: { path: 'event' },
  eventDate: { path: 'created_at', transforms: [{ date: { zone: 'America/Sao_Paulo' } }] },
  contact: {
    externalId: { path: 'lead.id' },
    name: { join: [{ path: 'lead.first_name' }, { path: 'lead.last_name' }], with: ' ' },
    phone: {
      path: "lead.fields[?code=='PHONE'].value | [0]",
      transforms: [{ phone: { region: 'BR' } }],
      required: true,
    },
    email: {
      first: [{ path: 'lead.email' }, { path: 'lead.contact.email' }],
      transforms: ['email'],
    },
    document: { path: 'lead.cpf', transforms: ['document'] },
    fields: { city: { path: 'lead.address.city' } },
  },
  message: { text: { path: 'message', default: 'Novo contato' } },
  context: {
    origin: { path: 'campaign.source' },
    campaign: { path: 'campaign.name' },
    labels: [{ const: 'Lead' }],
    sector: { const: 'Vendas' },
    fields: {},
  },
};

/** Each number gives its own event of its own person, or a later event of the given person. */
export const createLead = (number: number, person = number) => ({
  event_id: `evt-${number}`,
  event: 'lead.created',
  created_at: `2026-01-0${person === number ? 6 : 7} 12:00:00`,
  lead: {
    id: 1_000_000 + person,
    first_name: 'Ana',
    last_name: `Exemplo ${number}`,
    fields: [{ code: 'PHONE', value: `(11) 9${String(10_000_000 + person)}` }],
    contact: { email: `ana.${person}@example.com` },
    address: { city: 'Recife' },
  },
  message: 'Vi o anúncio e quero saber mais sobre os planos para a minha empresa.',
  campaign: { source: 'google', name: 'Campanha de verão' },
});

let sent = 0;
/** Returns the next lead of this run as JSON. */
export const nextBody = (): string => JSON.stringify(createLead((sent += 1)));

/** Returns the number of the last lead, which is that of its person too. */
export const lastNumber = (): number => sent;

/** Returns a function that returns a next lead, with a new name, of each person after `person`. */
export function createReturningBodies(person: number): () => string {
  let returned = person;
  return () => JSON.stringify(createLead((sent += 1), (returned += 1)));
}

/** Of the first people of this run. */
export const nextReturningBody = createReturningBodies(0);
