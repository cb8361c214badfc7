/** Setup logic: open steps, pasted samples, snippets. */
import { exampleLead } from '../../../../web/src/screens/setup-steps/example-lead.ts';
import { parsePastedSample } from '../../../../web/src/screens/setup-steps/pasted-sample.ts';
import {
  snippetIds,
  snippets,
  placeholderUrl,
} from '../../../../web/src/screens/setup-steps/snippets.ts';
import { setupProgressOf, stepIds } from '../../../../web/src/screens/setup/setup-progress.ts';

const url = 'https://inlet.example.com/v1/webhook/<WEBHOOK_KEY>';

test.each([
  ['sample', ['url', 'sample']],
  ['mapping', ['mapping']],
  ['activation', ['review', 'activate']],
] as const)('a webhook whose next step is the %s opens there', (next, open) => {
  const stage = setupProgressOf({ active: false, next }, false);
  expect(stage.open).toEqual(open);
  expect(stage.done).toEqual(stepIds.slice(0, stepIds.indexOf(open[0])));
  expect(stage.reached).toEqual([...stage.done, ...open]);
});

test('every step of an active webhook can be reviewed', () => {
  const stage = setupProgressOf({ active: true, next: null }, true);
  expect(stage).toEqual({ open: ['live'], done: stepIds, reached: [...stepIds] });
});

test('the last step is done only after an event', () => {
  const stage = setupProgressOf({ active: true, next: null }, false);
  expect(stage).toMatchObject({ open: ['live'], done: stepIds.slice(0, -1), reached: stepIds });
});

test.each([
  ['an object', ' {"a":1} ', { body: { a: 1 } }],
  ['a list', '[1]', { body: [1] }],
  ['XML', '<a>1</a>', { rawBody: '<a>1</a>', contentType: 'application/xml' }],
  [
    'the fields of a form',
    'name=Ana&phone=1',
    { rawBody: 'name=Ana&phone=1', contentType: 'application/x-www-form-urlencoded' },
  ],
])('%s can be pasted as a sample', (_what, text, sample) => {
  expect(parsePastedSample(text)).toEqual(sample);
});

test.each(['', 'hello', '7', '"text"', 'null', '{"a":', 'two words = three'])(
  '%j is not a sample',
  (text) => {
    expect(parsePastedSample(text)).toBeNull();
  },
);

test('the body snippet is the example lead', () => {
  for (const id of ['zapier', 'make', 'n8n'] as const) {
    expect(JSON.parse(snippets[id](url))).toEqual(exampleLead);
  }
  const [, body = ''] = /-d '(.*)'$/s.exec(snippets.curl(url)) ?? [];
  expect(JSON.parse(body)).toEqual(exampleLead);
});

test('only the curl command contains the URL; the HTML page never does', () => {
  for (const id of snippetIds.filter((one) => one !== 'curl')) {
    const inCode = snippets[id](url)
      .split('\n')
      .filter((line) => line.includes(url) && !/^(?:\/\/|#) INLET_WEBHOOK_URL=/.test(line));
    expect([id, inCode]).toEqual([id, []]);
  }
  expect(snippets.form(url).split('<?php')[0]).not.toContain(url);
  expect(placeholderUrl('https://inlet.example.com')).toBe(url);
});
