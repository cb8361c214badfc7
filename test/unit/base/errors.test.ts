import { AppError, errorCatalogue, type ErrorCode } from '../../../src/base/errors.ts';
import { languages } from '../../../src/base/texts/texts.ts';
import { statusOf } from '../../../src/http/error-handler.ts';

const codes = Object.keys(errorCatalogue) as ErrorCode[];

test.each(codes)('%s has a distinct message in every language, and a status', (code) => {
  const { message, kind } = errorCatalogue[code];
  const sentences = languages.map((language) => message[language]);
  for (const sentence of sentences) expect(sentence).toMatch(/^\p{Lu}.*\.$/u);
  expect(new Set(sentences).size).toBe(languages.length);
  expect(statusOf[kind]).toBeGreaterThanOrEqual(400);
});

test('the internal message of an error is not the public one', () => {
  const cause = new Error('password=hush');
  const error = new AppError('unavailable', { internal: 'db-7 is away', retryAfterMs: 5, cause });
  expect(error).toMatchObject({ code: 'unavailable', kind: 'unavailable', retryAfterMs: 5, cause });
  expect(error.message).toBe('db-7 is away');
  expect(JSON.stringify(error.publicMessage)).not.toMatch(/db-7|hush/);
});
