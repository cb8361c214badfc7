/** A suggested mapping never reads the phone or e-mail address of a seller, a company or a host as the contact's. */
import type { Payload } from '../../src/domain/mappings/mapping.ts';
import { withoutPrototypes } from '../fitting/corpus.ts';
import { blankValues, showsValueOf } from '../fitting/blank-values.ts';
import type { Fixture } from '../fitting/fixture.ts';
import { fixtures } from '../fitting/payloads/all-payloads.ts';
import { readAsSuggested } from '../fitting/score.ts';

type Trait = 'phone' | 'email';

const payloadOf = (body: unknown): Payload => ({
  body: withoutPrototypes(body),
  headers: {},
  query: {},
});

function without(trait: Trait, { body, truth }: Fixture): unknown {
  return blankValues(body, showsValueOf(`contact.${trait}`, truth[trait] ?? ''));
}

const cases = fixtures.flatMap((fixture) =>
  (['phone', 'email'] as const)
    .filter((trait) => fixture.truth[trait] !== undefined)
    .map((trait) => [trait, fixture.name, fixture] as const),
);

test.each(cases)(
  "no other person's %s is read when the contact's is missing: %s",
  (trait, _, fixture) => {
    const region = fixture.region ?? 'BR';
    const own = [null, ...[fixture.also?.[trait] ?? []].flat()];
    const [whole, bare] = [payloadOf(fixture.body), payloadOf(without(trait, fixture))];
    // First only the event lacks the contact's value, then the sample too.
    for (const sample of [whole, bare]) {
      const [event] = readAsSuggested([sample], bare, region);
      expect(own).toContain(event?.contact[trait] ?? null);
    }
  },
);
