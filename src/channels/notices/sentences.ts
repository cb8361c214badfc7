/** The sentences of notices, in each language. They have names of the configuration, numbers and times, and nothing of a payload. */
import { localized, type Localized } from '../../base/errors.ts';
import type { Language } from '../../base/texts/texts.ts';
import type { NoticeChange, NoticeEntry, NoticeKind } from '../../domain/notices/notice.ts';

type Sentences = { readonly open: Localized; readonly resolved: Localized };

/** `{count}`, `{subject}`, `{since}`, `{until}`, `{name}` and `{targets}` are replaced. */
const sentences: Readonly<Record<NoticeKind, Sentences>> = {
  first_dead: {
    open: localized('events die with the reason {subject}; {count} so far', [
      'eventos falham com o motivo {subject}; {count} até agora',
      'fallan eventos con el motivo {subject}; {count} hasta ahora',
    ]),
    resolved: localized('no dead event with the reason {subject} is left', [
      'não há mais eventos com falha pelo motivo {subject}',
      'ya no quedan eventos fallidos por el motivo {subject}',
    ]),
  },
  dead_rising: {
    open: localized('{count} events died within two hours', [
      '{count} eventos falharam em duas horas',
      '{count} eventos fallaron en dos horas',
    ]),
    resolved: localized('few events die again', [
      'poucos eventos falham novamente',
      'vuelven a fallar pocos eventos',
    ]),
  },
  rejections_rising: {
    open: localized('{count} requests were rejected within two hours', [
      '{count} requisições foram rejeitadas em duas horas',
      'se rechazaron {count} solicitudes en dos horas',
    ]),
    resolved: localized('few requests are rejected again', [
      'poucas requisições são rejeitadas novamente',
      'vuelven a rechazarse pocas solicitudes',
    ]),
  },
  sender_silent: {
    open: localized('no event has arrived since {since}, which is unusual for this sender', [
      'nenhum evento chegou desde {since}, o que é incomum para este remetente',
      'no llega ningún evento desde {since}, algo inusual en este remitente',
    ]),
    resolved: localized('events arrive again', [
      'os eventos voltaram a chegar',
      'vuelven a llegar eventos',
    ]),
  },
  mapping_drift: {
    open: localized('the payloads no longer have what the mapping reads: {targets}', [
      'os conteúdos não têm mais o que o mapeamento lê: {targets}',
      'los contenidos ya no tienen lo que lee el mapeo: {targets}',
    ]),
    resolved: localized('the payloads have what the mapping reads again', [
      'os conteúdos voltaram a ter o que o mapeamento lê',
      'los contenidos vuelven a tener lo que lee el mapeo',
    ]),
  },
  destination_failing: {
    open: localized('the channel {name} has failed since {since}; its messages wait', [
      'o canal {name} falha desde {since}; as mensagens aguardam',
      'el canal {name} falla desde {since}; sus mensajes esperan',
    ]),
    resolved: localized('the channel {name} works again', [
      'o canal {name} voltou a funcionar',
      'el canal {name} vuelve a funcionar',
    ]),
  },
  key_ending: {
    open: localized('a path key that the sender still needs ends at {until}', [
      'uma chave do caminho de que o remetente ainda precisa termina em {until}',
      'una clave de ruta que el remitente aún necesita termina el {until}',
    ]),
    resolved: localized('the path key has ended, or the sender no longer needs it', [
      'a chave do caminho terminou, ou o remetente não precisa mais dela',
      'la clave de ruta terminó, o el remitente ya no la necesita',
    ]),
  },
  backlog_late: {
    open: localized('events have waited for their processing since {since}', [
      'há eventos aguardando processamento desde {since}',
      'hay eventos que esperan su procesamiento desde {since}',
    ]),
    resolved: localized('events no longer wait for their processing', [
      'os eventos não aguardam mais o processamento',
      'los eventos ya no esperan su procesamiento',
    ]),
  },
};

export const changeWords: Readonly<Record<NoticeChange, Localized>> = {
  opened: localized('New', ['Novo', 'Nuevo']),
  changed: localized('Worse', ['Piorou', 'Empeoró']),
  open: localized('Still open', ['Ainda aberto', 'Sigue abierto']),
  resolved: localized('Resolved', ['Resolvido', 'Resuelto']),
};

export const installationWord = localized('Installation', ['Instalação', 'Instalación']);
export const testSentence = localized('This is a test. Notices of Inlet arrive here.', [
  'Este é um teste. Os avisos do Inlet chegam aqui.',
  'Esto es una prueba. Aquí llegan los avisos de Inlet.',
]);
export const moreWords = localized('and {count} more', ['e mais {count}', 'y {count} más']);
export const titleWords = localized('Inlet: {count} notices', [
  'Inlet: {count} avisos',
  'Inlet: {count} avisos',
]);

export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

type Place = { readonly language: Language; readonly zone: string };

/** Returns the time in the zone, with its name. */
function timeText(date: Date, { language, zone }: Place): string {
  const text = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone,
  }).format(date);
  return `${text} (${zone})`;
}

/** Returns what the notice says, without its webhook. */
export function sentenceOf(
  { kind, change, subject, facts }: Pick<NoticeEntry, 'kind' | 'change' | 'subject' | 'facts'>,
  place: Place,
): string {
  const { open, resolved } = sentences[kind];
  const { count = 0, since, until, name = '', targets = [] } = facts;
  return fill((change === 'resolved' ? resolved : open)[place.language], {
    subject,
    count: new Intl.NumberFormat(place.language).format(count),
    name,
    since: since ? timeText(since, place) : '?',
    until: until ? timeText(until, place) : '?',
    targets: targets.length === 0 ? String(count) : targets.join(', '),
  });
}
