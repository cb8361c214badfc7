/** Variants of a request of the same webhook: wrapped in another object, in another order, or without one of the person's values. */
import { isJsonObject } from '../../src/base/json/json-values.ts';
import { keyedEntries } from '../leaves/keyed-list.ts';
import {
  corpusNames,
  judge,
  payloadOf,
  readCorpus,
  regionOf,
  truthFields,
  withoutPrototypes,
} from './corpus.ts';
import type { Request, TruthField } from './corpus.ts';
import { blankValues, showsValueOf } from './blank-values.ts';
import { readerOf } from './score.ts';

type Change = (request: Request) => Request | null;

const withBody = (request: Request, body: unknown): Request => {
  const { raw_body: _, ...rest } = request;
  return { ...rest, body: withoutPrototypes(body) };
};

/** Reverses the keys of objects, and the entries of lists that are read by their names. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(reversed);
    return keyedEntries(value, new Map()) === null ? items : items.toReversed();
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, each]) => [key, reversed(each)]));
}

/** Leaves out the phone number or the e-mail address of a person who has both. */
const without =
  (field: 'phone' | 'email'): Change =>
  (request) => {
    const { phone, email } = request.truth;
    if (!phone || !email) return null;
    const shows = showsValueOf(`contact.${field}`, (field === 'phone' ? phone : email).value);
    const truth = { ...request.truth, [field]: null };
    return { ...withBody(request, blankValues(request.body, shows)), truth };
  };

/** By name, what becomes of both samples. */
export const changes = {
  wrapped: [(same) => same, (request) => withBody(request, { payload: request.body })],
  'wrapped, the first one': [
    (request) => withBody(request, { envelope: { content: request.body } }),
    (same) => same,
  ],
  reordered: [(same) => same, (request) => withBody(request, reversed(request.body))],
  'an address in one, a number in the other': [without('phone'), without('email')],
} satisfies Readonly<Record<string, readonly [Change, Change]>>;

/** The JSON requests of real producers about one person. */
export const singleRequests = (): Request[] =>
  corpusNames
    .flatMap((set) => readCorpus(set))
    .filter(
      ({ batch, body, content_type }) =>
        batch === null && isJsonObject(body) && !/form|xml/.test(content_type ?? ''),
    );

/** Returns the fields that one mapping of both samples reads worse than the mapping of the sample as it was sent; null without a variant. */
export function lostFields(
  request: Request,
  [first, second]: readonly [Change, Change],
): string[] | null {
  const samples = [first(request), second(request)];
  if (samples.includes(null)) return null;
  const variants = samples.filter((each) => each !== null);
  const own = fieldsReadAlone(request);
  const region = regionOf(request.truth);
  const read = readerOf(variants.map(payloadOf), region);
  return variants.flatMap((variant, i) => {
    const right = rightFields(variant, read);
    return own
      .filter((field) => isIn(variant, field) && !right.includes(field))
      .map((field) => `${field} of sample ${i + 1}`);
  });
}

const readAlone = new WeakMap<Request, TruthField[]>();

/** The fields that the mapping of the sample as it was sent reads; found once. */
function fieldsReadAlone(request: Request): TruthField[] {
  const known = readAlone.get(request);
  if (known) return known;
  const fields = rightFields(request, readerOf([payloadOf(request)], regionOf(request.truth)));
  readAlone.set(request, fields);
  return fields;
}

/** Whether a variant still has the words of a value: a phone number may be a part of an id. */
function isIn({ body, truth }: Request, field: TruthField): boolean {
  const text = JSON.stringify(body);
  const words = JSON.stringify(truth[field]?.value ?? '')
    .slice(1, -1)
    .split(/\s+/);
  return Boolean(truth[field]) && words.every((word) => text.includes(word));
}

function rightFields(request: Request, read: ReturnType<typeof readerOf>): TruthField[] {
  const [event] = read(payloadOf(request));
  if (event === undefined) return [];
  return truthFields.filter((field) => judge(field, request, event) === 'right');
}
