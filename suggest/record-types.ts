/**
 * Samples of several types of records in one envelope, each with numbers of its own: an id of a company is not that of the person with
 * the same number. Where a member says the type, only the samples of people are read, and a filter leaves out all others.
 */
import { isJsonObject } from '../src/base/json/json-values.ts';
import type { MappingDocument, Payload } from '../src/domain/mappings/mapping.ts';
import { isPersonWord } from '../src/domain/people/person-words.ts';
import { childPath } from './leaves/jmespath.ts';

const typeKeys =
  /^(?:(?:object|entity|resource|record|module|model)[_-]?(?:type|name)?|type|kind|table)$/i;

const otherRecords = new Set(
  (
    'company companies organization organizations organisation organisations account accounts deal deals opportunity ' +
    'opportunities order orders product products campaign campaigns activity activities task tasks note notes ticket tickets ' +
    'invoice invoices subscription subscriptions project projects list lists tag tags pipeline stage event meeting payment cart ' +
    'empresa empresas organizacao negocio negocios negociacao oportunidade pedido pedidos produto produtos campanha tarefa ' +
    'nota fatura assinatura organizacion trato tratos oportunidad producto productos tarea factura'
  ).split(' '),
);

const maxDepth = 3;
const maxPaths = 200;

type PeopleSamples = {
  readonly samples: readonly Payload[];
  /** Whether an event is of a person; null when all samples are. */
  readonly filter: string | null;
};

/** Returns the samples of people. Of several types of people, such as leads and contacts, only the first: they have numbers of their own. */
export function samplesOfPeople(samples: readonly Payload[]): PeopleSamples {
  const types = samples.map(({ body }) => typesOf(body));
  for (const path of types[0]?.keys() ?? []) {
    const values = types.map((found) => found.get(path));
    const person = values.find((value) => value !== undefined && isPersonWord(value.toLowerCase()));
    const hasOther = values.some((value) => otherRecords.has(value?.toLowerCase() ?? ''));
    if (person === undefined || !hasOther) continue;
    return {
      samples: samples.filter((_, at) => values[at] === person),
      filter: `${path} == '${person}'`,
    };
  }
  return { samples, filter: null };
}

/** Returns the values of members that may say the type of the record, by their paths. */
function typesOf(body: unknown): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (value: unknown, path: string, depth: number): void => {
    if (!isJsonObject(value) || depth > maxDepth) return;
    for (const [key, inner] of Object.entries(value).slice(0, maxPaths)) {
      if (found.size >= maxPaths) return;
      const at = childPath(path, key);
      if (typeof inner === 'string' && typeKeys.test(key) && /^\w{1,40}$/.test(inner))
        found.set(at, inner);
      else visit(inner, at, depth + 1);
    }
  };
  visit(body, '', 0);
  return found;
}

/** Returns the mapping with the filter before its own. */
export function withTypeFilter(mapping: MappingDocument, type: string | null): MappingDocument {
  if (type === null || mapping.split !== undefined) return mapping;
  const { filter } = mapping;
  return { ...mapping, filter: filter === undefined ? type : `${type} && (${filter})` };
}
