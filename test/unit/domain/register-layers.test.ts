import fc from 'fast-check';
import type { Register, Registers } from '../../../src/domain/people/contact.ts';
import {
  applyEdit,
  resolveLayers,
  writtenRegisters,
  writtenRegister,
} from '../../../src/domain/people/register-layers.ts';
import { pinStampOf } from '../../../src/domain/people/stamps.ts';

const stampOf = (n: number): string => `1|2026-01-01T00:00:00.${String(n).padStart(3, '0')}Z|e0`;
const register = fc.record({
  value: fc.constantFrom('a', 'b', 'c'),
  stamp: fc.nat(20).map(stampOf),
});
const registers: fc.Arbitrary<Registers> = fc.dictionary(
  fc.constantFrom('name', 'phone', 'f:city'),
  register,
);
const pins = registers.map((some) =>
  Object.fromEntries(
    Object.entries(some).map(([key, { value, stamp }]): [string, Register] => [
      key,
      { value, stamp: stamp.replace('1|', '2|') },
    ]),
  ),
);
const parts = fc.record({
  written: registers,
  pins,
  members: fc.array(registers, { maxLength: 3 }),
});

test('values of events can be derived from the layers, with any pins and merges', () => {
  fc.assert(
    fc.property(parts, (given) => {
      const layers = resolveLayers(given);
      expect(writtenRegisters(layers)).toEqual(given.written);
      expect(resolveLayers({ ...given, written: writtenRegisters(layers) })).toEqual(layers);
    }),
  );
});

test('the effective value has the greatest stamp, independent of the order of members', () => {
  fc.assert(
    fc.property(parts, ({ written, pins: pinned, members }) => {
      const shown = resolveLayers({ written, pins: pinned, members }).registers;
      const turned = resolveLayers({
        written,
        pins: pinned,
        members: members.toReversed(),
      }).registers;
      for (const [key, { stamp }] of Object.entries(shown)) {
        expect(turned[key]?.stamp).toBe(stamp);
        for (const part of [written, pinned, ...members])
          expect((part[key]?.stamp ?? '') <= stamp).toBe(true);
      }
    }),
  );
});

const now = new Date('2026-05-01T00:00:00Z');
const pin = pinStampOf(now, 'x');

test('an unpinned field gets the last value of events, or keeps its value until an event writes it', () => {
  const edit = { set: {}, pinned: [], now, id: 'x' };
  const pinned = { name: { value: 'P', stamp: pin }, phone: { value: '1', stamp: pin } };
  const layers = resolveLayers({
    written: { name: { value: 'E', stamp: stampOf(1) } },
    pins: pinned,
    members: [],
  });
  const after = applyEdit(layers, [], edit);
  if ('missing' in after) throw new Error(after.missing);
  expect(after.registers.name?.value).toBe('E');
  expect(after.registers.phone?.value).toBe('1');
  expect(stampOf(0) > (after.registers.phone?.stamp ?? '')).toBe(true);
  expect(after.beneath).toEqual({});
});

test('an edit without a pin over a pinned field pins the new value', () => {
  const layers = resolveLayers({
    written: {},
    pins: { name: { value: 'P', stamp: pin } },
    members: [],
  });
  const later = new Date(+now + 1);
  const after = applyEdit(layers, [], { set: { name: 'Q' }, now: later, id: 'y' });
  if ('missing' in after) throw new Error(after.missing);
  expect(after.pins.name?.value).toBe('Q');
  expect(after.registers.name?.value).toBe('Q');
  expect(writtenRegister(after, 'name')).toBeUndefined();
});
