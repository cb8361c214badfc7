// Scenarios over HTTP, with a server and a worker as separate processes: administrators with people and with webhooks, and
// conversations by WhatsApp. Run one with `-t` and a part of its name.
jest.setTimeout(240_000);

// Each registers its hooks and tests as it is imported.
await import('./scenarios/shared-scenario.ts');
await import('./scenarios/people.ts');
await import('./scenarios/webhooks.ts');
await import('./scenarios/whatsapp.ts');
