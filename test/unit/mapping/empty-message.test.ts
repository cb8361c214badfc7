import { applyItem } from '../../../src/mapping/evaluation/apply.ts';
import { withEmptyMessage } from '../../../src/mapping/evaluation/empty-message.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { payloadOf } from './example-mapping.ts';

const message = { text: { path: 'm' } };

test.each<[string, { document: object; body: object; codes: string[] }]>([
  ['blank', { document: { message }, body: { m: ' ' }, codes: ['message_empty'] }],
  ['absent', { document: { message }, body: {}, codes: ['message_empty'] }],
  ['no text', { document: { message }, body: { m: [1, 2] }, codes: ['not_text'] }],
  ['not mapped', { document: {}, body: { m: 'x' }, codes: [] }],
  ['given', { document: { message }, body: { m: 'x' }, codes: [] }],
  ['of an ignored event', { document: { filter: 'a', message }, body: {}, codes: [] }],
])('a message that is %s', (_, { document, body, codes }) => {
  const compiled = compileMapping(document);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const event = applyItem(compiled.mapping, payloadOf(body), { defaultRegion: 'BR' });
  expect(withEmptyMessage(compiled.mapping.document, event).map(({ code }) => code)).toEqual(codes);
});
