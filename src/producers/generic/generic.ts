/** A sender without a producer of its own. Signature, handshake and answer are settings. */
import { anyFormatBody } from '../decode/body.ts';
import type { Producer } from '../producer.ts';

export const generic: Producer = {
  name: 'generic',
  title: 'Webhook',
  ...anyFormatBody,
  delivers: {
    en: 'Whatever the sender posts.',
    'pt-BR': 'O que o remetente enviar.',
    es: 'Lo que envíe el remitente.',
  },
  instructions: {
    en: 'Paste the URL where the sender asks for one, send a test, and build the mapping from the sample.',
    'pt-BR':
      'Cole a URL onde o remetente pedir, envie um teste e monte o mapeamento a partir da amostra.',
    es: 'Pegue la URL donde el remitente la pida, envíe una prueba y arme el mapeo a partir de la muestra.',
  },
  starterMapping: {},
};
