/** Audit rows in the console. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditTargetTypes, auditVerbs } from '../../../../src/domain/audit/audit.ts';
import {
  actions,
  nameOf,
  hrefOf,
  targetTypes,
  webhookIdOf,
  type Row,
} from '../../../../web/src/screens/audit/audit-rows.ts';

const folder = join(import.meta.dirname, '../../../../web/src/screens/audit');
const auditActions = Object.entries(auditVerbs).flatMap(([noun, verbs]) =>
  verbs.map((verb) => `${noun}.${verb}`),
);
const id = '01a20052-6ade-77e2-8d0e-d5ad5995d25a';

test.each(['en', 'pt-BR', 'es'])('every action and target has a message in %s', (language) => {
  const words = JSON.parse(
    readFileSync(join(folder, `messages.${language}.json`), 'utf8'),
  ) as object;
  const wanted = [
    ...auditActions.map((action) => `audit.action.${action}`),
    ...auditTargetTypes.map((type) => `audit.target.${type}`),
  ];
  expect(wanted.filter((key) => !(key in words))).toEqual([]);
});

test('the filters offer every action and target', () => {
  expect(actions.toSorted()).toEqual([...auditActions].toSorted());
  expect(targetTypes.toSorted()).toEqual([...auditTargetTypes].toSorted());
});

const rowOf = (type: Row['target']['type'], after: object | null, before: object | null = null) =>
  ({ target: { type, id }, before, after }) as Row;

test.each([
  ['a mapping', rowOf('mapping', { version: 2 }), [id, 'v2', `/webhooks/${id}/versions`]],
  ['a key', rowOf('key', { webhookId: 'w', lastFour: '8d0x' }), ['w', '…8d0x', '/webhooks/w/keys']],
  ['a lost sample', rowOf('sample', null, { webhookId: 'w' }), ['w', null, '/webhooks/w/samples']],
  ['a run', rowOf('run', { filter: { webhookId: ['w'] } }), ['w', null, '/dead-letters']],
  [
    'a wide run',
    rowOf('run', { filter: { webhookId: ['v', 'w'] } }),
    [null, null, '/dead-letters'],
  ],
  ['a channel', rowOf('channel', { name: 'Sales' }), [null, 'Sales', `/channels/${id}`]],
  ['an erased sample', rowOf('sample', null), [null, null, null]],
])('%s has its webhook and a link', (_what, row, expected) => {
  expect([webhookIdOf(row), nameOf(row), hrefOf(row)]).toEqual(expected);
});

test.each(['contact', 'erasure', 'conflict'] as const)('a %s is never shown by name', (type) => {
  expect(nameOf(rowOf(type, { name: 'Ana Souza' }, { name: 'Ana' }))).toBe('…95d25a');
});
