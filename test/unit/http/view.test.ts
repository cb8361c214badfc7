import { Type } from 'typebox';
import { id, nullable, strictObject, text, time } from '../../../src/http/routing/schemas.ts';
import { viewsOf } from '../../../src/http/routing/view.ts';

type Person = {
  readonly _id: string;
  readonly name?: string;
  readonly bornAt: Date;
  readonly address: {
    readonly city: string;
    readonly street?: string;
    readonly note?: string;
    readonly secret: string;
  };
  readonly tags: readonly { readonly id: string; readonly hidden: boolean }[];
};

const { field, view } = viewsOf<Person>();
const person = view({
  id,
  name: nullable(text),
  bornAt: time,
  address: nullable(
    strictObject({ city: text, street: nullable(text), note: Type.Optional(text) }),
  ),
  tags: Type.Array(strictObject({ id: text })),
  greeting: field(text, ({ name = 'you' }, language) => `${language}: ${name}`),
});

const ana: Person = {
  _id: '0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21',
  bornAt: new Date(0),
  address: { city: 'Recife', secret: 's' },
  tags: [{ id: 't', hidden: true }],
};

test('a view shows what its schemas name, null for what is absent, and no other member', () => {
  expect(JSON.parse(JSON.stringify(person.present(ana, 'es')))).toEqual({
    id: ana._id,
    name: null,
    bornAt: '1970-01-01T00:00:00.000Z',
    address: { city: 'Recife', street: null },
    tags: [{ id: 't' }],
    greeting: 'es: you',
  });
});

test('the answer has the fields of the view in their order, and only these', () => {
  expect(Object.keys(person.answer.properties)).toEqual([
    'id',
    'name',
    'bornAt',
    'address',
    'tags',
    'greeting',
  ]);
  expect(person.answer).toMatchObject({ additionalProperties: false });
});

test('a schema that the record does not satisfy does not compile', () => {
  // @ts-expect-error -- an absent name would be null.
  expect(view({ name: text }).present(ana)).toEqual({ name: null });
});
