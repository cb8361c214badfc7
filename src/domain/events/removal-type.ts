/**
 * Whether the type of an event asks to forget or remove a person: privacy requests, the deletion of the person's record, and
 * unsubscribing. It decides where a mapping has no `removal` of its own. Pure.
 *
 * Words of privacy decide alone. A verb of deletion decides only beside the word for a person: `customer.subscription.deleted`
 * and `task.deleted` are about other records.
 */
import { foldName } from '../people/fold-name.ts';
import { isPersonWord, personWordAtEnd } from '../people/person-words.ts';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const deletions = wordsOf(
  'delete deleted deletes deleting deletion remove removed removal destroy destroyed purge purged ' +
    'excluir excluido excluida exclusao deletar deletado deletada remover removido removida remocao apagar apagado apagada ' +
    'eliminar eliminado eliminada eliminacion borrar borrado borrada remocion',
);

const departures = wordsOf(
  'unsubscribe unsubscribed unsubscribes unsubscription optout optedout ' +
    'descadastrar descadastro descadastrado descadastrada desinscrever desinscrito desinscrita desinscricao ' +
    'desuscribir desuscrito desuscripcion',
);

/** What a person unsubscribes from. */
const mailings = wordsOf(
  'email emails mail mailing newsletter list audience campaign group marketing sms whatsapp lista correo grupo',
);

/** Removing a person from one of these says nothing about the person. */
const containers = wordsOf(
  'group channel team list chat conversation deal cart order ticket project board card room thread task segment workspace ' +
    'event meeting grupo canal equipe equipo lista conversa conversacion negocio carrinho carrito pedido segmento',
);

const privacy = wordsOf(
  'redact redacted redaction gdpr lgpd ccpa dsar rtbf forget forgotten erase erased erasure anonymize anonymized ' +
    'anonymization anonymise anonymised anonymisation anonimizar anonimizado anonimizada anonimizacao anonimizacion ' +
    'esquecimento olvido',
);

const privacyPairs = wordsOf(
  'data.request data.requested data.deletion data.erasure privacy.deletion privacy.delete privacy.deleted privacy.request',
);

/** With one of these, a word of privacy is about a consent or a password. */
const otherMeanings = wordsOf(
  'consent consents consented consentimento consentimiento consentement accepted accept aceite aceito aceptado password ' +
    'senha contrasena policy terms banner',
);

/** Words that say nothing of the record or of what happened. */
const fillers = wordsOf(
  'de do da dos das del la el los las o a os as of the by from zen soft hard permanently',
);
const endings = wordsOf(
  'event webhook hook request requested notification success succeeded completed complete done v1 v2 v3 1 2 3',
);

/** Longer types are no types. */
const maxLength = 200;

/** Texts such as `customers/redact`, `contact.deleted`, `ContactDeleted`, `DELETE_CONTACT`, `Exclusão de contato`. */
export function isRemovalType(type: string): boolean {
  if (type.length > maxLength) return false;
  const words = readWords(type);
  if (isPrivacyRequest(words)) return true;
  return isDeparture(words) || isDeletion(words);
}

function readWords(type: string): string[] {
  const spaced = type.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2');
  const all = foldName(spaced).split(/[^a-z\d]+/);
  const words = all.filter((word) => word !== '' && !fillers.has(word)).flatMap(splitJoined);
  while (words.length > 1 && endings.has(words.at(-1) ?? '')) {
    if (privacyPairs.has(words.slice(-2).join('.'))) break;
    words.pop();
  }
  return words.flatMap((word, at) => {
    const pair = `${word}${words[at + 1] ?? ''}`;
    if (pair === 'optout' || pair === 'optedout') return [pair];
    const isSecond = word === 'out' && ['opt', 'opted'].includes(words[at - 1] ?? '');
    return isSecond ? [] : [word];
  });
}

/** `oncrmcontactdelete` and `contactdeleted` are written without a separator. */
function splitJoined(word: string): string[] {
  if (word.length > 40) return [word];
  for (let at = word.length - 1; at >= 4; at -= 1) {
    const [before, verb] = [word.slice(0, at), word.slice(at)];
    if (!deletions.has(verb) && !departures.has(verb)) continue;
    const person = personWordAtEnd(before);
    if (person !== null) return [person, verb];
  }
  return [word];
}

function isPrivacyRequest(words: readonly string[]): boolean {
  const isNamed = words.some(
    (word, at) => privacy.has(word) || privacyPairs.has(`${word}.${words[at + 1] ?? ''}`),
  );
  return isNamed && !words.some((word) => otherMeanings.has(word));
}

function isDeparture(words: readonly string[]): boolean {
  const at = words.findIndex((word) => departures.has(word));
  if (at === -1) return false;
  const others = [words[at - 1], words[at + 1]].filter((word) => word !== undefined);
  return words.length === 1 || others.some((word) => isPersonWord(word) || mailings.has(word));
}

/** The person is named right before the verb, which ends the type, or alone after the verb, which begins it. */
function isDeletion(words: readonly string[]): boolean {
  const [first = '', second = ''] = words;
  if (words.length === 2 && deletions.has(first)) return isPersonWord(second);
  if (!deletions.has(words.at(-1) ?? '') || !isPersonWord(words.at(-2) ?? '')) return false;
  return !containers.has(words.at(-3) ?? '');
}
