// Formats generated files as `npm run format` formats all others.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { repository } from '../paths.mjs';

/**
 * Throws an error for text that cannot be parsed.
 * @param {string} path decides the language
 * @param {string} text
 * @param {import('oxfmt').FormatConfig} [options] override those of .oxfmtrc.json
 */
export async function formatText(path, text, options) {
  const {
    $schema: _schema,
    ignorePatterns: _patterns,
    ...config
  } = JSON.parse(readFileSync(join(repository, '.oxfmtrc.json'), 'utf8'));
  const { code, errors } = await format(path, text, { ...config, ...options });
  if (errors.length === 0) return code;
  throw new Error(
    `${path} cannot be formatted: ${errors.map(({ message }) => message).join('; ')}`,
  );
}
