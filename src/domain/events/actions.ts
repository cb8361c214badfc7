/** What a person can do about an event or a delivery that did not get through: one word for each reason, and what it asks for. */
import type { Language, Localized } from '../../base/errors.ts';
import type { Reason } from './outcome.ts';

const remedy = (en: string, [pt, es]: readonly [string, string]): Localized => ({
  en,
  'pt-BR': pt,
  es,
});

/** `docs/errors.md` lists the same words with the same English sentences; a test compares the two. */
export const actionTexts = {
  mend_mapping: remedy(
    'Mend the mapping: preview the payload on a new version, activate it, then replay.',
    [
      'Corrija o mapeamento: teste uma nova versão com este conteúdo, ative-a e reprocesse.',
      'Corrija el mapeo: pruebe una versión nueva con este contenido, actívela y vuelva a procesar.',
    ],
  ),
  mend_sender: remedy('Mend what the sender sends, and let it send the event again.', [
    'Corrija o que o remetente envia e faça-o enviar o evento novamente.',
    'Corrija lo que envía el remitente y haga que envíe el evento otra vez.',
  ]),
  mend_webhook: remedy('Give the webhook a channel that exists and is enabled, then replay.', [
    'Dê ao webhook um canal que exista e esteja ligado e reprocesse.',
    'Asigne al webhook un canal que exista y esté encendido y vuelva a procesar.',
  ]),
  find_cause: remedy('Find the cause in the log under the event’s id, remove it, then replay.', [
    'Encontre a causa no log pelo id do evento, elimine-a e reprocesse.',
    'Busque la causa en el registro con el id del evento, elimínela y vuelva a procesar.',
  ]),
  mend_destination: remedy(
    'Mend the channel’s URL or the destination, then send the message again.',
    [
      'Corrija a URL do canal ou o destino e envie a mensagem novamente.',
      'Corrija la URL del canal o el destino y envíe el mensaje otra vez.',
    ],
  ),
  enable_channel: remedy('Enable the channel: what waits goes out by itself.', [
    'Ligue o canal: o que espera sai sozinho.',
    'Encienda el canal: lo que espera sale solo.',
  ]),
  mend_keys: remedy(
    'Give the processes the key that the secret is encrypted with, or set the secret anew; it is tried again by itself.',
    [
      'Dê aos processos a chave com que o segredo foi cifrado, ou defina o segredo novamente; haverá novas tentativas automáticas.',
      'Dé a los procesos la clave con que se cifró el secreto, o defina el secreto de nuevo; se vuelve a intentar automáticamente.',
    ],
  ),
  look_there: remedy(
    'Look at the destination, and send the message again only if it is not there.',
    [
      'Verifique no destino e envie a mensagem novamente somente se ela não estiver lá.',
      'Mire en el destino y envíe el mensaje otra vez solo si no está allí.',
    ],
  ),
  accept: remedy('Nothing, if that was meant; otherwise mend the mapping, then replay.', [
    'Nada, se era a intenção; caso contrário, corrija o mapeamento e reprocesse.',
    'Nada, si esa era la intención; si no, corrija el mapeo y vuelva a procesar.',
  ]),
  wait: remedy('Nothing yet: it is tried again by itself.', [
    'Nada por enquanto: haverá novas tentativas automáticas.',
    'Nada por ahora: se vuelve a intentar automáticamente.',
  ]),
} as const;
export type Action = keyof typeof actionTexts;

export const actionByReason = {
  filter: 'accept',
  blocked: 'accept',
  required_missing: 'mend_mapping',
  contact_unidentified: 'mend_mapping',
  filter_failed: 'mend_mapping',
  split_failed: 'mend_mapping',
  split_not_array: 'mend_mapping',
  split_too_late: 'mend_mapping',
  too_many_items: 'mend_sender',
  too_much_work: 'mend_mapping',
  body_unreadable: 'mend_sender',
  item_missing: 'mend_sender',
  item_unstorable: 'mend_sender',
  mapping_unusable: 'mend_mapping',
  channel_missing: 'mend_webhook',
  channel_disabled: 'enable_channel',
  secret_unreadable: 'mend_keys',
  attempts_spent: 'find_cause',
  crashed_worker: 'find_cause',
  unforeseen: 'wait',
  store_unavailable: 'wait',
  effect_contended: 'wait',
  destination_unavailable: 'wait',
  destination_rejected: 'mend_destination',
  destination_refused: 'mend_destination',
  delivery_unknown: 'look_there',
} as const satisfies Record<Reason, Action>;

/** What stands behind a reason's colon does not matter; one that nobody knows any more is looked for in the log. */
export function actionFor(reason: string, language: Language): { code: Action; text: string } {
  const word = reason.split(':', 1)[0] ?? '';
  const code = Object.hasOwn(actionByReason, word) ? actionByReason[word as Reason] : 'find_cause';
  return { code, text: actionTexts[code][language] };
}
