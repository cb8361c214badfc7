// The checks of every visit work: each of these cases must fail its visit.
import { inlet } from './shared-console.ts';

const secret = 'inlet_at_not-an-issued-token';

test.each([
  ['an error of the page', `console.error('Something is wrong')`, 'The page said: Something'],
  ['a script that breaks', `setTimeout(() => { throw new Error('Broken') })`, 'The page broke'],
  [
    'markup with a handler',
    `document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.ran = 1">')`,
    'Content Security Policy',
  ],
  [
    'a script in the page',
    `document.body.append(Object.assign(document.createElement('script'), { text: 'window.ran = 1' }))`,
    'Content Security Policy',
  ],
  ['another host', `fetch('http://elsewhere.invalid/').catch(() => 0)`, 'elsewhere.invalid'],
  ['a secret in local storage', `localStorage.setItem('a', '${secret}')`, 'It keeps a secret'],
  ['a secret in session storage', `sessionStorage.setItem('a', '${secret}')`, 'It keeps a secret'],
  ['a cookie of a script', `document.cookie = 'a=1'`, 'It set a cookie that scripts can read'],
  ['a secret in an address', `history.pushState(null, '', '/?${secret}')`, 'It keeps a secret'],
  ['a refused request', `fetch('/v1/admin/webhooks')`, 'It was refused: GET /v1/admin/webhooks'],
])('a visit notices %s', async (_what, script, problem) => {
  const visit = inlet.visit({ token: null }, async ({ page, textOf, field }) => {
    await field(textOf('signIn.token')).waitFor();
    await page.evaluate(script);
    // Requests started before have finished after this one.
    await page.evaluate(`fetch('/v1/openapi.json').then((answer) => answer.text())`);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });
  await expect(visit).rejects.toThrow(problem);
});
