import { Type } from 'typebox';
import { mergePatch } from '../../../../src/base/json/merge-patch.ts';
import { patchSchema } from '../../../../src/http/requests/patch-schema.ts';
import { strictObject } from '../../../../src/http/routing/schemas.ts';
import { compileValidator } from '../../../../src/http/requests/validation.ts';

const rate = (name: 'perSecond' | 'perMinute') =>
  strictObject({ [name]: Type.Integer({ minimum: 1 }), burst: Type.Optional(Type.Integer()) });
const whole = strictObject({
  name: Type.String({ maxLength: 5 }),
  labels: Type.Optional(Type.Array(Type.String())),
  rate: Type.Optional(Type.Union([rate('perSecond'), rate('perMinute')])),
  scheme: Type.Optional(
    Type.Union([
      Type.String(),
      strictObject({ kind: Type.Literal('hmac'), header: Type.String() }),
    ]),
  ),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
});
const checkPatch = compileValidator(patchSchema(whole));
const checkWhole = compileValidator(whole);

const stored = {
  name: 'one',
  labels: ['a'],
  rate: { perSecond: 1, burst: 5 },
  scheme: { kind: 'hmac', header: 'X-One' },
  headers: { a: '1', b: '2' },
};

test.each([
  [{ name: 'two' }, { ...stored, name: 'two' }],
  [{ labels: null }, { ...stored, labels: undefined }],
  [{ rate: { burst: 6 } }, { ...stored, rate: { perSecond: 1, burst: 6 } }],
  [{ rate: { burst: null } }, { ...stored, rate: { perSecond: 1 } }],
  [{ rate: { perMinute: 60, perSecond: null } }, { ...stored, rate: { perMinute: 60, burst: 5 } }],
  [{ scheme: { header: 'X-Two' } }, { ...stored, scheme: { kind: 'hmac', header: 'X-Two' } }],
  [{ scheme: 'stripe' }, { ...stored, scheme: 'stripe' }],
  [{ headers: { a: null, c: '3' } }, { ...stored, headers: { b: '2', c: '3' } }],
])('%j is a patch', (patch, result) => {
  expect(checkPatch(patch)).toEqual([]);
  const merged = mergePatch(stored, patch);
  expect(merged).toEqual(result);
  expect(checkWhole(merged)).toEqual([]);
});

test.each([
  [{}, ''],
  [{ name: 'too long' }, '/name'],
  [{ unknown: 1 }, '/unknown'],
  [{ labels: [null] }, '/labels/0'],
  [{ rate: { perHour: 1 } }, '/rate/perHour'],
  [{ headers: { a: 1 } }, '/headers/a'],
])('%j is no patch, because of the value at "%s"', (patch, place) => {
  expect(checkPatch(patch).map(({ path }) => path)).toContain(place);
});

test.each([
  [{ name: null }, '/name'],
  [{ rate: { perSecond: null } }, '/rate/perSecond'],
])('%j removes a required member, which the complete schema reports at "%s"', (patch, place) => {
  expect(checkPatch(patch)).toEqual([]);
  expect(checkWhole(mergePatch(stored, patch)).map(({ path }) => path)).toContain(place);
});
