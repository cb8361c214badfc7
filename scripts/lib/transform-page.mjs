// Writes docs/transforms.md from the descriptions of the transforms.

/** @typedef {import('../../src/mapping/transforms/describe.ts').TransformDescription} Description */
/** @typedef {Description['examples'][number]} Example */
/** @typedef {{ [keyword: string]: unknown }} Schema */

/** `GET /v1/admin/transforms` and the console have all examples. */
const maxExamples = 3;

const head = `# Transforms

A transform changes a value between its [source](mapping.md#sources) and its target. \`npm run docs\` writes this page from the
code, and a test runs the examples.

Transforms apply in order. An empty value stays empty. A value that a transform cannot read becomes empty, with a problem that
names the reason. A list of texts is transformed element by element, up to 1,000. An example shows the options, the value and the
result; \`GET /v1/admin/transforms\` has more.
`;

/** @param {readonly Description[]} transforms */
export const transformPage = (transforms) => [head, ...transforms.map(section)].join('\n');

/** @param {Description} transform */
function section({ name, description, options, standsAlone, examples }) {
  const schemas = Object.entries(/** @type {Record<string, Schema>} */ (options.properties ?? {}));
  const required = /** @type {string[]} */ (options.required ?? []);
  const needsOptions = schemas.length > 0 && !standsAlone && required.length === 0;
  const shown = schemas.map(
    ([option, schema]) =>
      `\`${option}\` (${inWords(schema)}${required.includes(option) ? ', required' : ''})`,
  );
  return [
    `## ${name}\n`,
    `${wrap(description + (needsOptions ? ' It needs its options.' : ''))}\n`,
    ...(shown.length > 0 ? [`${wrap(`Options: ${shown.join(', ')}.`)}\n`] : []),
    `${examples.slice(0, maxExamples).map(line).join('\n')}\n`,
  ].join('\n');
}

/** One example: its options, the value before and after, and the item that its options read. @param {Example} example */
function line({ use, item, from, to }) {
  const given = typeof use === 'string' ? '' : `${json(Object.values(use)[0])}: `;
  const context = item === null ? '' : `, in ${json(item)}`;
  return `- ${given}${json(from)}${context} → ${json(to)}`;
}

/** Describes the values that a schema accepts. @param {Schema} schema @returns {string} */
function inWords(schema) {
  if (Array.isArray(schema.enum)) return schema.enum.map(json).join(' or ');
  const type = Array.isArray(schema.type) ? schema.type.join(', ') : String(schema.type);
  if (type === 'object') return `object, ≤ ${thousands(schema.maxProperties)} entries`;
  if (type === 'integer') return `${thousands(schema.minimum)} to ${thousands(schema.maximum)}`;
  if (typeof schema.pattern === 'string') return code(schema.pattern);
  return schema.maxLength === undefined
    ? type
    : `${type.replace('string', 'text')}, ≤ ${thousands(schema.maxLength)} characters`;
}

const thousands = (/** @type {unknown} */ value) => Number(value).toLocaleString('en-US');

const code = (/** @type {string} */ text) =>
  text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;

const json = (/** @type {unknown} */ value) => code(JSON.stringify(value));

/** Lines of at most 120 characters. @param {string} text */
function wrap(text) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= 120) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}
