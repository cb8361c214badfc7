// Writes docs/transforms.md from the descriptions of the transforms.

/** @typedef {import('../../src/mapping/transforms/describe.ts').TransformDescription} Description */
/** @typedef {{ [keyword: string]: unknown }} Schema */

const head = `# Transforms

A transform changes a value between its source and its target. [mapping.md](mapping.md) explains how sources use
transforms. \`npm run docs\` writes this page from the code, and a test runs the examples.

A source lists its transforms by name, or by name with options, and applies them in order. An empty value stays empty. A
value that a transform cannot read becomes empty, with a problem that names the reason. A list of texts is transformed
element by element, up to 1,000.
`;

/** @param {readonly Description[]} transforms */
export function transformPage(transforms) {
  const contents = transforms.map(({ name }) => `[\`${name}\`](#${name.toLowerCase()})`).join(', ');
  return [head, `${wrap(`${contents}.`)}\n`, ...transforms.map(section)].join('\n');
}

/** @param {Description} transform */
function section({ name, description, options, standsAlone, examples }) {
  const names = Object.entries(/** @type {Record<string, Schema>} */ (options.properties ?? {}));
  const required = /** @type {string[]} */ (options.required ?? []);
  const rows = names.map(([option, schema]) => [
    `\`${option}\``,
    `${inWords(schema)}${required.includes(option) ? ', required' : ''}`,
  ]);
  const hasItem = examples.some(({ item }) => item !== null);
  const shown = examples.map(({ use, item, from, to }) => [
    json(use),
    ...(hasItem ? [item === null ? '' : json(item)] : []),
    json(from),
    json(to),
  ]);
  const alone = names.length > 0 && !standsAlone ? ' It needs its options.' : '';
  return [
    `## ${name}\n`,
    `${wrap(description + alone)}\n`,
    ...(rows.length > 0 ? [table(['option', 'value'], rows)] : []),
    table(['example', ...(hasItem ? ['item'] : []), 'from', 'to'], shown),
  ].join('\n');
}

/** Describes the values that a schema accepts. @param {Schema} schema @returns {string} */
function inWords(schema) {
  if (Array.isArray(schema.enum)) return schema.enum.map(json).join(' or ');
  const type = Array.isArray(schema.type) ? schema.type.join(', ') : String(schema.type);
  if (type === 'object') return `object of at most ${thousands(schema.maxProperties)} entries`;
  if (type === 'integer')
    return `integer from ${thousands(schema.minimum)} to ${thousands(schema.maximum)}`;
  if (typeof schema.pattern === 'string') return `text like ${code(schema.pattern)}`;
  return schema.maxLength === undefined
    ? type
    : `${type.replace('string', 'text')} of at most ${thousands(schema.maxLength)} characters`;
}

const thousands = (/** @type {unknown} */ value) => Number(value).toLocaleString('en-US');

const code = (/** @type {string} */ text) => {
  const cell = text.replaceAll('|', '\\|');
  return cell.includes('`') ? `\`\` ${cell} \`\`` : `\`${cell}\``;
};

const json = (/** @type {unknown} */ value) => code(JSON.stringify(value));

/** @param {string[]} names @param {string[][]} rows */
function table(names, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return `${[line(names), `|${names.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')}\n`;
}

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
