// The checks of every visit work: each of these cases must fail a visit.
import { inlet } from '../../../../support/console/shared-console.ts';

const secret = (place: string) => `inlet_at_not-issued-${place}`;
const kept = (place: string) =>
  new RegExp(`^It keeps a secret where scripts can read it: .*${secret(place)}`, 'm');

const cases: Readonly<Record<string, readonly [script: string, problem: RegExp]>> = {
  'an error of the page': [
    `console.error('Something is wrong')`,
    /^The page said: Something is wrong$/m,
  ],
  'a script that breaks': [
    `setTimeout(() => { throw new Error('Broken') })`,
    /^The page broke: Error: Broken$/m,
  ],
  'markup with a handler': [
    `document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.ran = 1">')`,
    /^The page said: .*inline event handler.*Content Security Policy/m,
  ],
  'a script in the page': [
    `document.body.append(Object.assign(document.createElement('script'), { text: 'window.ran = 1' }))`,
    /^The page said: .*inline script.*Content Security Policy/m,
  ],
  'another host': [
    `fetch('http://elsewhere.invalid/').catch(() => 0)`,
    /^The page said: Connecting to 'http:\/\/elsewhere\.invalid/m,
  ],
  'a secret in local storage': [`localStorage.setItem('a', '${secret('local')}')`, kept('local')],
  'a secret in session storage': [`sessionStorage.setItem('a', '${secret('tab')}')`, kept('tab')],
  'a cookie of a script': [
    `document.cookie = 'a=1'`,
    /^It set a cookie that scripts can read or sites send: a$/m,
  ],
  'a secret in an address': [
    `history.pushState(null, '', '/?${secret('address')}')`,
    kept('address'),
  ],
  'a refused request': [
    `fetch('/v1/admin/webhooks')`,
    /^It was refused: GET \/v1\/admin\/webhooks/m,
  ],
};

test('a visit without a problem passes, and one notices each problem', async () => {
  const visitWith = async (scripts: readonly string[]): Promise<string> => {
    let problems = '';
    const visit = inlet.visit({ token: null }, async ({ page, textOf, field }) => {
      await field(textOf('signIn.token')).waitFor();
      for (const script of scripts) await page.evaluate(script);
      // Requests started before have finished after this one.
      await page.evaluate(`fetch('/v1/openapi.json').then((answer) => answer.text())`);
      expect(await page.evaluate('window.ran')).toBeUndefined();
    });
    await visit.catch((error: Error) => (problems = error.message));
    return problems;
  };
  expect(await visitWith([])).toBe('');
  const problems = await visitWith(Object.values(cases).map(([script]) => script));
  const unnoticed = Object.entries(cases).filter(([, [, problem]]) => !problem.test(problems));
  expect(unnoticed.map(([name]) => `${name} in\n${problems}`)).toEqual([]);
});
