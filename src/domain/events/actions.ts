/**
 * Actions: what a person can do about an event or a delivery that was not processed. Each reason has one
 * action.
 */
import { localized } from '../../base/errors.ts';
import type { Language } from '../../base/texts/texts.ts';

/** docs/errors.md is generated from these. */
export const actionTexts = {
  fix_mapping: localized('Fix the mapping, then replay.', [
    'Corrija o mapeamento: teste uma nova versão com este conteúdo, ative-a e reprocesse.',
    'Corrija el mapeo: pruebe una versión nueva con este contenido, actívela y vuelva a procesar.',
  ]),
  fix_sender: localized('Fix what the sender sends, then let the sender send the event again.', [
    'Corrija o que o remetente envia e faça-o enviar o evento novamente.',
    'Corrija lo que envía el remitente y haga que envíe el evento otra vez.',
  ]),
  fix_webhook: localized('Give the webhook a channel that exists and is enabled, then replay.', [
    'Dê ao webhook um canal que exista e esteja ligado e reprocesse.',
    'Asigne al webhook un canal que exista y esté encendido y vuelva a procesar.',
  ]),
  inspect_logs: localized('Find the cause in the log by the event’s id, remove it, then replay.', [
    'Encontre a causa no log pelo id do evento, elimine-a e reprocesse.',
    'Busque la causa en el registro con el id del evento, elimínela y vuelva a procesar.',
  ]),
  fix_destination: localized(
    'Fix the channel’s URL or the destination, then send the message again.',
    [
      'Corrija a URL do canal ou o destino e envie a mensagem novamente.',
      'Corrija la URL del canal o el destino y envíe el mensaje otra vez.',
    ],
  ),
  enable_channel: localized('Enable the channel. Waiting messages are then sent automatically.', [
    'Ligue o canal. As mensagens em espera são enviadas automaticamente.',
    'Encienda el canal. Los mensajes en espera se envían automáticamente.',
  ]),
  fix_keys: localized(
    'Configure the key that the secret is encrypted with, or set the secret again. Retries are automatic.',
    [
      'Configure a chave com que o segredo foi cifrado, ou defina o segredo novamente. As novas tentativas são automáticas.',
      'Configure la clave con que se cifró el secreto, o defina el secreto de nuevo. Los reintentos son automáticos.',
    ],
  ),
  await_reply: localized(
    'Give the channel a template, or wait until the person writes. Then send the message again.',
    [
      'Defina um modelo no canal, ou espere a pessoa escrever. Depois envie a mensagem novamente.',
      'Defina una plantilla en el canal, o espere a que la persona escriba. Luego envíe el mensaje otra vez.',
    ],
  ),
  check_destination: localized(
    'Check the destination. Send the message again only if it did not arrive.',
    [
      'Verifique o destino. Envie a mensagem novamente somente se ela não chegou.',
      'Compruebe el destino. Envíe el mensaje otra vez solo si no llegó.',
    ],
  ),
  accept: localized('Nothing, if this is intended. Otherwise fix the mapping, then replay.', [
    'Nada, se for intencional. Caso contrário, corrija o mapeamento e reprocesse.',
    'Nada, si es intencional. Si no, corrija el mapeo y vuelva a procesar.',
  ]),
  erase_person: localized(
    'Erase the person’s data, if the person asked for it. Otherwise nothing.',
    [
      'Apague os dados da pessoa, se ela pediu. Caso contrário, nada.',
      'Borre los datos de la persona, si lo pidió. Si no, nada.',
    ],
  ),
  wait: localized('Nothing yet. Retries are automatic.', [
    'Nada por enquanto. As novas tentativas são automáticas.',
    'Nada por ahora. Los reintentos son automáticos.',
  ]),
} as const;
export type Action = keyof typeof actionTexts;

/**
 * The action for each reason code: why an event or a delivery is dead, ignored or waiting. The code is the part before any
 * `:target`. docs/errors.md is generated from these and the texts of the console.
 */
export const actionByReason = {
  filter: 'accept',
  removal_requested: 'erase_person',
  blocked: 'accept',
  other_account: 'accept',
  own_mail: 'accept',
  automatic_mail: 'accept',
  delivery_status: 'accept',
  delivery_status_unmatched: 'accept',
  delivery_status_early: 'wait',
  required_missing: 'fix_mapping',
  contact_unidentified: 'fix_mapping',
  person_empty: 'fix_mapping',
  filter_failed: 'fix_mapping',
  removal_failed: 'fix_mapping',
  split_failed: 'fix_mapping',
  split_not_array: 'fix_mapping',
  split_too_late: 'fix_mapping',
  too_many_items: 'fix_sender',
  too_much_work: 'fix_mapping',
  body_unreadable: 'fix_sender',
  item_missing: 'fix_sender',
  item_unstorable: 'fix_sender',
  mapping_unusable: 'fix_mapping',
  channel_missing: 'fix_webhook',
  channel_disabled: 'enable_channel',
  channel_failing: 'wait',
  secret_unreadable: 'fix_keys',
  attempts_spent: 'inspect_logs',
  crashed_worker: 'inspect_logs',
  internal_error: 'wait',
  store_unavailable: 'wait',
  effect_contended: 'wait',
  destination_unavailable: 'wait',
  destination_rejected: 'fix_destination',
  destination_refused: 'fix_destination',
  window_closed: 'await_reply',
  delivery_unknown: 'check_destination',
} as const satisfies Record<string, Action>;
export type Reason = keyof typeof actionByReason;
export const reasons = Object.keys(actionByReason) as Reason[];

/** Returns the action for a reason; the part after the colon is ignored. Unknown reasons get `inspect_logs`. */
export function actionFor(reason: string, language: Language): { code: Action; text: string } {
  const word = reason.split(':', 1)[0] ?? '';
  const code = Object.hasOwn(actionByReason, word)
    ? actionByReason[word as Reason]
    : 'inspect_logs';
  return { code, text: actionTexts[code][language] };
}
