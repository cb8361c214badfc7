/** Slack's Events API. It sends a challenge when the URL is saved, and messages later. */
import { anyFormatBody } from '../decode/body.ts';
import { challengePresets } from '../handshake/presets.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, hasHeader } from '../detection.ts';
import { messengerBody } from '../messenger/messenger.ts';
import { starter } from '../starter.ts';
import { readMessage } from './message-text.ts';

export const slack: Producer = {
  name: 'slack',
  title: 'Slack',
  ...messengerBody(anyFormatBody, { itemsOf: (body) => [body], read: readMessage }),
  delivers: {
    en: 'Messages and other events of a workspace.',
    'pt-BR': 'Mensagens e outros eventos de um workspace.',
    es: 'Mensajes y otros eventos de un workspace.',
  },
  instructions: {
    en: 'In the app: Event Subscriptions → Request URL, then subscribe to message events. The secret is the signing secret.',
    'pt-BR':
      'No app: Event Subscriptions → Request URL e assine eventos de mensagem. O segredo é o signing secret.',
    es: 'En la app: Event Subscriptions → Request URL y suscríbase a eventos de mensaje. El secreto es el signing secret.',
  },
  detect: (payload) =>
    firstOf(
      [hasHeader(payload, 'x-slack-signature'), 0.98],
      [hasHeader(payload, 'x-slack-request-timestamp'), 0.98],
      [hasAll(payload.body, 'team_id', 'api_app_id', 'event'), 0.95],
    ),
  signature: 'slack',
  challenge: challengePresets.slack,
  starterMapping: starter({
    // A message of an app or a bot, an edit and a deletion name no person who writes.
    filter: "type(event.user) == 'string' && !(event.bot_id)",
    eventId: 'event_id',
    eventType: ['event.type', 'type'],
    eventDate: 'event_time',
    contact: { externalId: 'event.user' },
    text: ['messenger.text', 'event.text'],
  }),
};
