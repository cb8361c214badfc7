import { AppError, errorCodes, errorKinds, errorText } from '../../../src/base/errors.ts';
import { languages } from '../../../src/base/texts/texts.ts';
import { errorBody } from '../../../src/http/envelope.ts';
import { statusOf } from '../../../src/http/error-handler.ts';

test.each(errorCodes)('%s has a distinct message in every language, and a status', (code) => {
  const sentences = languages.map((language) => errorText(code, language));
  for (const sentence of sentences) expect(sentence).toMatch(/^\p{Lu}.*\.$/u);
  expect(new Set(sentences).size).toBe(languages.length);
  expect(statusOf[errorKinds[code]]).toBeGreaterThanOrEqual(400);
});

test('the internal message of an error is not the public one', () => {
  const cause = new Error('password=hush');
  const error = new AppError('unavailable', { internal: 'db-7 is away', retryAfterMs: 5, cause });
  expect(error).toMatchObject({ code: 'unavailable', kind: 'unavailable', retryAfterMs: 5, cause });
  expect(error.message).toBe('db-7 is away');
  const body = JSON.stringify(errorBody(error, 'en', 'id'));
  expect(body).toContain('The service is temporarily unavailable.');
  expect(body).not.toMatch(/db-7|hush/);
});
