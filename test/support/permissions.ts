// Every operation, the scope that it asks for, and what a restricted token may do with it: `refused`, `own` (the thing in
// the path must be within its reach), `narrowed` (it sees and takes only its own), `anything`. Written down a second time
// on purpose: whoever adds a route or changes one says here what it is to allow.
import type { Scope } from '../../src/domain/token.ts';

export type Reached = 'refused' | 'own' | 'narrowed' | 'anything';
export type Permission = readonly [scope: Scope, reached: Reached];

export const permissions: Readonly<Record<string, Permission>> = {
  'GET /v1/admin/audit': ['admin', 'refused'],
  'GET /v1/admin/audit/:id': ['admin', 'refused'],
  'GET /v1/admin/audit/export': ['admin', 'refused'],
  'GET /v1/admin/audit/verify': ['admin', 'refused'],

  'GET /v1/admin/channels': ['viewer', 'narrowed'],
  'POST /v1/admin/channels': ['admin', 'refused'],
  'GET /v1/admin/channels/:id': ['viewer', 'own'],
  'DELETE /v1/admin/channels/:id': ['admin', 'own'],
  'GET /v1/admin/channels/kinds': ['viewer', 'anything'],
  'PATCH /v1/admin/channels/:id': ['admin', 'own'],
  'POST /v1/admin/channels/:id/test': ['operator', 'own'],

  'GET /v1/admin/contacts': ['viewer', 'narrowed'],
  'GET /v1/admin/contacts/:id': ['viewer', 'own'],
  'PATCH /v1/admin/contacts/:id': ['operator', 'own'],
  'GET /v1/admin/contacts/:id/chats/:chatId': ['inbox', 'own'],
  'GET /v1/admin/contacts/:id/chats/:chatId/messages': ['inbox', 'own'],
  'POST /v1/admin/contacts/:id/erase': ['admin', 'refused'],
  'POST /v1/admin/contacts/:id/merge': ['operator', 'refused'],
  'POST /v1/admin/contacts/:id/unmerge': ['operator', 'own'],
  'GET /v1/admin/blocks': ['admin', 'refused'],
  'DELETE /v1/admin/blocks/:id': ['admin', 'refused'],
  'GET /v1/admin/contacts/conflicts': ['viewer', 'narrowed'],
  'POST /v1/admin/contacts/conflicts/:id/dismiss': ['operator', 'own'],
  'POST /v1/admin/contacts/erase': ['admin', 'refused'],
  'GET /v1/admin/erasures': ['admin', 'refused'],
  'GET /v1/admin/erasures/:id': ['admin', 'refused'],

  'GET /v1/admin/dead-letters': ['viewer', 'narrowed'],

  'GET /v1/admin/deliveries': ['viewer', 'narrowed'],
  'GET /v1/admin/deliveries/:id': ['viewer', 'own'],
  'POST /v1/admin/deliveries/:id/retry': ['operator', 'own'],

  'GET /v1/admin/events': ['viewer', 'narrowed'],
  'GET /v1/admin/events/:id': ['viewer', 'own'],
  'GET /v1/admin/events/:id/deliveries': ['viewer', 'own'],
  'POST /v1/admin/events/:id/discard': ['operator', 'own'],
  'POST /v1/admin/events/:id/replay': ['operator', 'own'],
  'GET /v1/admin/events/export': ['viewer', 'narrowed'],
  'GET /v1/admin/events/live': ['viewer', 'narrowed'],
  'POST /v1/admin/events/discard': ['operator', 'narrowed'],
  'POST /v1/admin/events/replay': ['operator', 'narrowed'],

  'GET /v1/admin/producers': ['viewer', 'anything'],

  'GET /v1/admin/replays': ['viewer', 'narrowed'],
  'GET /v1/admin/replays/:id': ['viewer', 'own'],
  'POST /v1/admin/replays/:id/cancel': ['operator', 'own'],

  'GET /v1/admin/stats': ['viewer', 'narrowed'],
  'GET /v1/admin/stats/health': ['viewer', 'refused'],
  'GET /v1/admin/stats/webhooks': ['viewer', 'narrowed'],

  'GET /v1/admin/tokens': ['admin', 'refused'],
  'POST /v1/admin/tokens': ['admin', 'refused'],
  'GET /v1/admin/tokens/current': ['viewer', 'anything'],
  'GET /v1/admin/tokens/:id': ['admin', 'refused'],
  'PATCH /v1/admin/tokens/:id': ['admin', 'refused'],
  'DELETE /v1/admin/tokens/:id': ['admin', 'refused'],

  'GET /v1/admin/transforms': ['viewer', 'anything'],

  'GET /v1/admin/webhooks': ['viewer', 'narrowed'],
  'POST /v1/admin/webhooks': ['operator', 'narrowed'],
  'GET /v1/admin/webhooks/counts': ['viewer', 'narrowed'],
  'GET /v1/admin/webhooks/:id': ['viewer', 'own'],
  'PATCH /v1/admin/webhooks/:id': ['operator', 'own'],
  'POST /v1/admin/webhooks/:id/activate': ['operator', 'own'],
  'POST /v1/admin/webhooks/:id/archive': ['operator', 'own'],
  'GET /v1/admin/webhooks/:id/drift': ['viewer', 'own'],
  'GET /v1/admin/webhooks/:id/keys': ['viewer', 'own'],
  'POST /v1/admin/webhooks/:id/keys/rotate': ['operator', 'own'],
  'DELETE /v1/admin/webhooks/:id/keys/:keyId': ['operator', 'own'],
  'GET /v1/admin/webhooks/:id/mappings': ['viewer', 'own'],
  'POST /v1/admin/webhooks/:id/mappings': ['operator', 'own'],
  'GET /v1/admin/webhooks/:id/mappings/:version': ['viewer', 'own'],
  'POST /v1/admin/webhooks/:id/mappings/:version/activate': ['operator', 'own'],
  'GET /v1/admin/webhooks/:id/mappings/health': ['viewer', 'own'],
  'POST /v1/admin/webhooks/:id/mappings/diff': ['viewer', 'own'],
  'POST /v1/admin/webhooks/:id/mappings/preview': ['viewer', 'own'],
  'POST /v1/admin/webhooks/:id/mappings/suggest': ['viewer', 'own'],
  'POST /v1/admin/webhooks/:id/pause': ['operator', 'own'],
  'POST /v1/admin/webhooks/:id/restore': ['operator', 'own'],
  'POST /v1/admin/webhooks/:id/resume': ['operator', 'own'],
  'POST /v1/admin/webhooks/:id/rollback': ['operator', 'own'],
  'GET /v1/admin/webhooks/:id/samples': ['viewer', 'own'],
  'POST /v1/admin/webhooks/:id/samples': ['operator', 'own'],
  'GET /v1/admin/webhooks/:id/samples/live': ['viewer', 'own'],
  'POST /v1/admin/webhooks/:id/samples/file': ['operator', 'own'],
  'GET /v1/admin/webhooks/:id/samples/:sampleId': ['viewer', 'own'],
  'PATCH /v1/admin/webhooks/:id/samples/:sampleId': ['operator', 'own'],
  'DELETE /v1/admin/webhooks/:id/samples/:sampleId': ['operator', 'own'],
  'GET /v1/admin/webhooks/:id/schedule': ['viewer', 'own'],
  'DELETE /v1/admin/webhooks/:id/schedule': ['operator', 'own'],
  'GET /v1/admin/webhooks/:id/settings': ['viewer', 'own'],
  'PATCH /v1/admin/webhooks/:id/settings': ['operator', 'own'],

  'GET /v1/admin/webhooks/:id/test-events': ['viewer', 'own'],
  'POST /v1/admin/webhooks/:id/test-events': ['operator', 'own'],
  'DELETE /v1/admin/webhooks/:id/test-events': ['operator', 'own'],
  'GET /v1/admin/webhooks/:id/test-events/:eventId': ['viewer', 'own'],
  'DELETE /v1/admin/webhooks/:id/test-events/:eventId': ['operator', 'own'],

  'GET /v1/chat': ['inbox', 'narrowed'],
  'GET /v1/chat/:chat_id': ['inbox', 'own'],
  'GET /v1/chat/contacts': ['inbox', 'narrowed'],
  'GET /v1/chat/contacts/:id': ['inbox', 'own'],
};
