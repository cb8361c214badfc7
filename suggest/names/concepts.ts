/** Interprets the names of fields by their words, in some twenty languages. */
import { phrasesEnPtEs } from './lexicon-en-pt-es.ts';
import { phrasesAsiaArabicRussian } from './lexicon-asia-arabic-russian.ts';
import { phrasesFrDeIt } from './lexicon-fr-de-it.ts';
import { phrasesNlNordicPlTr } from './lexicon-nl-nordic-pl-tr.ts';

const maxNameLength = 200;
// Words that are written as one or as two.
const compounds: readonly (readonly [RegExp, string])[] = [
  [/\be mail/g, 'email'],
  [/\be post(a|adres)?\b/g, 'epost$1'],
  [/\bwhats ?app\b/g, 'whatsapp'],
  [/\bwa ?id\b/g, 'wa id'],
  [/\bcnpj cpf\b/g, 'cpf cnpj'],
  [/\butm c\b/g, 'utm campaign'],
  [/\butm s\b/g, 'utm source'],
  [/\butm m\b/g, 'utm medium'],
];

/** Letters that Unicode does not decompose, as they are written where a keyboard lacks them. */
const plainLetters: Readonly<Record<string, string>> = {
  đ: 'd',
  ł: 'l',
  ø: 'o',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
};

/**
 * Splits a name into words in lower case without accents and digits: `q3_telefoneCelular` → telefone, celular. Scripts without
 * spaces stay one word.
 */
export function splitWords(name: string): string[] {
  const spaced = name
    .slice(0, maxNameLength)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[đłøıßæ]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
  const joined = compounds.reduce((text, [shape, word]) => text.replace(shape, word), spaced);
  return joined.split(' ').filter((word) => word.length > 1 || word === 'd' || isLetterAlone(word));
}

/** A character of a script in which one is a word. */
const isLetterAlone = (word: string): boolean => /^[\p{sc=Han}\p{sc=Hangul}]$/u.test(word);

export type Concept = keyof typeof phrasesEnPtEs;

type Meaning = readonly [concept: Concept, weight: number];
type Phrases = Partial<Record<Concept, Readonly<Record<number, string>>>>;

/** By the joined words of a phrase, its concepts with their weights from 0 to 1. */
type Lexicon = ReadonlyMap<string, readonly Meaning[]>;

function buildLexicon(languages: readonly Phrases[]): { entries: Lexicon; longestPhrase: number } {
  const entries = new Map<string, Meaning[]>();
  let longestPhrase = 1;
  for (const { concept, phrase, weight } of languages.flatMap(phrasesOf)) {
    const words = splitWords(phrase);
    longestPhrase = Math.max(longestPhrase, words.length);
    const key = words.join('');
    entries.set(key, [...(entries.get(key) ?? []), [concept, weight]]);
  }
  return { entries, longestPhrase };
}

/** Each phrase of a concept counts once, with the weight that is listed last. */
const phrasesOf = (phrases: Phrases) =>
  (Object.keys(phrasesEnPtEs) as Concept[]).flatMap((concept) => {
    const weights = new Map<string, number>();
    for (const [percent, list] of Object.entries(phrases[concept] ?? {})) {
      for (const phrase of list.split(',')) weights.set(phrase.trim(), Number(percent) / 100);
    }
    return [...weights].map(([phrase, weight]) => ({ concept, phrase, weight }));
  });

let built: ReturnType<typeof buildLexicon> | undefined;
// Built by the first suggestion, so that the start of the process does not wait for it.
const loadLexicon = () =>
  (built ??= buildLexicon([
    phrasesEnPtEs,
    phrasesFrDeIt,
    phrasesNlNordicPlTr,
    phrasesAsiaArabicRussian,
  ]));

/** The concepts in a name with their weights, and how many of its words are unknown. */
export interface NameReading {
  readonly words: readonly string[];
  readonly concepts: ReadonlyMap<Concept, number>;
  readonly unknown: number;
}

/** Whether a name has one of the concepts. */
export const hasConcept = (
  reading: { readonly concepts: Pick<ReadonlySet<Concept>, 'has'> } | undefined,
  ...concepts: readonly Concept[]
): boolean => reading !== undefined && concepts.some((each) => reading.concepts.has(each));

// A cache for the process: a suggestion reads the same names many times, and payloads of all webhooks share them. It is
// emptied when it is full and keeps only short names, so it holds at most about 1 MB.
const readings = new Map<string, NameReading>();
const maxReadings = 5_000;
const maxCachedLength = 200;

/** Reads a name as the longest known phrases. */
export function readName(name: string): NameReading {
  const known = readings.get(name);
  if (known !== undefined) return known;
  const reading = interpretName(name);
  if (readings.size >= maxReadings) readings.clear();
  if (name.length <= maxCachedLength) readings.set(name, reading);
  return reading;
}

function interpretName(name: string): NameReading {
  const lexicon = loadLexicon().entries;
  const words = splitWords(name);
  const concepts = new Map<Concept, number>();
  let unknown = 0;
  for (let at = 0; at < words.length;) {
    const length = longestKnown(words, at);
    const meanings =
      length > 0
        ? (lexicon.get(words.slice(at, at + length).join('')) ?? [])
        : meaningsOfUnknown(words[at] ?? '');
    if (meanings.length === 0) unknown += 1;
    for (const [concept, weight] of meanings) {
      concepts.set(concept, Math.max(weight, concepts.get(concept) ?? 0));
    }
    at += Math.max(length, 1);
  }
  return { words, concepts, unknown };
}

function longestKnown(words: readonly string[], at: number): number {
  const { entries: lexicon, longestPhrase } = loadLexicon();
  for (let length = Math.min(longestPhrase, words.length - at); length > 0; length -= 1) {
    const phrase = words.slice(at, at + length).join('');
    if (lexicon.has(phrase) && !(words.length > 2 && phrase === 'to')) return length;
  }
  return 0;
}

/** Returns the meanings of a word that is a plural, or that is composed of two known words. */
function meaningsOfUnknown(word: string): readonly Meaning[] {
  const plural = meaningsOfPlural(word);
  return plural.length > 0 ? plural : meaningsOfCompound(word);
}

const minPartLength = 4;
const maxParts = 3;

/** `timecreated`, `leadsourcecode`, `kundenname`: every part is known, with letters between the parts in German. */
function meaningsOfCompound(word: string, parts = maxParts): readonly Meaning[] {
  const lexicon = loadLexicon().entries;
  if (parts === 1) return lexicon.get(word) ?? [];
  for (let at = word.length - minPartLength; at >= minPartLength; at -= 1) {
    const head = word.slice(0, at);
    const first = [head, head.replace(/s$/, ''), head.replace(/e?n$/, '')].find((each) =>
      lexicon.has(each),
    );
    if (first === undefined) continue;
    const rest = lexicon.get(word.slice(at)) ?? meaningsOfCompound(word.slice(at), parts - 1);
    if (rest.length > 0) return [...(lexicon.get(first) ?? []), ...rest];
  }
  return [];
}

const countable: readonly Concept[] = ['person', 'actor', 'matter'];

/** Returns the meanings of a plural such as `agents`, `atendentes` or `vendedores`. */
function meaningsOfPlural(word: string): readonly Meaning[] {
  const lexicon = loadLexicon().entries;
  const singulars = [/s$/, /es$/].map((ending) => word.replace(ending, ''));
  const known = singulars.find((each) => each !== word && lexicon.has(each));
  return (lexicon.get(known ?? '') ?? []).filter(([concept]) => countable.includes(concept));
}
