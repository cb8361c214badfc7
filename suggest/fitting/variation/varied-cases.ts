/** The cases of the corpora with other values. */
import type { Truth, Request, TruthField } from '../corpus.ts';
import { regionOf, truthFields, withoutPrototypes } from '../corpus.ts';
import type { Fixture } from '../fixture.ts';
import { readDate } from '../../../src/mapping/dates/read-date.ts';
import { varyPayload, type Varied } from './vary.ts';

type Entry = NonNullable<Truth[TruthField]>;

export function varyRequest(request: Request, number: number): Request {
  const { truth, body, raw_body: _, ...rest } = request;
  const varied = varyPayload(
    body,
    {
      name: truth.name?.value ?? null,
      phone: truth.phone?.e164 ?? null,
      externalId: truth.external_id?.value ?? null,
      date: truth.event_date?.value ?? null,
      region: regionOf(truth),
    },
    { seed: `${request.name} ${number}`, hasLocalDates: true },
  );
  const also = Object.fromEntries(
    Object.entries(request.also ?? {}).map(([field, entries]) => [
      field,
      entries.map((each) => varyEntry(field as TruthField, each, varied)),
    ]),
  ) as NonNullable<Request['also']>;
  const otherNames = varied.otherNames.map((value) => ({ value }));
  return {
    ...rest,
    body: withoutPrototypes(varied.body),
    truth: Object.fromEntries(
      truthFields.map((field) => {
        const entry = truth[field] ?? null;
        return [field, entry && varyEntry(field, entry, varied)];
      }),
    ),
    also: { ...also, name: [...(also.name ?? []), ...otherNames] },
  };
}

function varyEntry(field: TruthField, entry: Entry, varied: Varied): Entry {
  const value = varied.textOf(entry.value);
  if (field === 'phone') {
    const e164 = varied.phoneOf(entry.e164 ?? entry.value);
    return { ...entry, value, e164, default_region: varied.region };
  }
  if (field !== 'event_date') {
    const plain = entry.plain_text;
    return { ...entry, value, ...(plain !== undefined && { plain_text: varied.textOf(plain) }) };
  }
  if (value === entry.value) return entry;
  const read = readDate(value);
  return { ...entry, value, iso: 'iso' in read ? read.iso : null };
}

export function varyFixture(fixture: Fixture, number: number): Fixture {
  const { truth, also, body, name } = fixture;
  const region = fixture.region ?? 'BR';
  const varied = varyPayload(
    body,
    {
      name: truth.name ?? null,
      phone: truth.phone ?? null,
      externalId: truth.externalId ?? null,
      date: null,
      region,
    },
    { seed: `${name} ${number}`, hasLocalDates: false },
  );
  const valueOf = (field: string, value: string): string => {
    if (field === 'phone') return varied.phoneOf(value);
    if (field === 'eventDate') return value;
    return varied.textOf(value);
  };
  const changed = Object.entries(truth).map(([field, value]) => [field, valueOf(field, value)]);
  const further = Object.entries(also ?? {}).map(([field, values]) => [
    field,
    [values].flat().map((value) => valueOf(field, value)),
  ]);
  const names = [...varied.otherNames, ...[also?.name ?? []].flat().map(varied.textOf)];
  return {
    ...fixture,
    body: varied.body,
    region: varied.region,
    truth: Object.fromEntries(changed) as Fixture['truth'],
    also: { ...Object.fromEntries(further), name: names },
  };
}
