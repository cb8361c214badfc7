/**
 * Style sheets: those of `ui` are for every screen. All others are CSS modules, whose rules cannot match an element of
 * another screen.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transform } from 'lightningcss';

const root = join(import.meta.dirname, '../../../web/src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();
const modules = files.filter((file) => file.endsWith('.module.css'));
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

const onlyClasses = { animation: false, container: false, customIdents: false, grid: false };

/** Throws when a selector has no class of the module itself. */
const classesOf = (file: string): string[] =>
  Object.keys(
    transform({
      filename: file,
      code: readFileSync(join(root, file)),
      cssModules: { pure: true, ...onlyClasses },
    }).exports ?? {},
  );

const camelCase = (name: string) =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `styles.name` of each file: the module and the name, or null for one that is computed. */
const uses = files
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((file) => {
    const text = textOf(file);
    return [...text.matchAll(/^import (\w+) from '([^']+\.module\.css)';$/gm)].flatMap(
      ([, local = '', path = '']) => {
        const module = join(dirname(file), path);
        const names = text.matchAll(new RegExp(`\\b${local}(?:\\.(\\w+)|\\[)`, 'g'));
        return [...names].map(([, name]) => ({ file, module, name: name ?? null }));
      },
    );
  });

test('only ui has style sheets for every screen', () => {
  const plain = files.filter((file) => file.endsWith('.css') && !file.endsWith('.module.css'));
  expect(plain.filter((file) => !file.startsWith('ui/'))).toEqual([]);
  expect(modules.filter((file) => file.startsWith('ui/'))).toEqual([]);
  expect(modules.length).toBeGreaterThan(20);
});

test.each(modules)('%s: every rule has a class of its own, and every class is used', (file) => {
  const ofModule = uses.filter(({ module }) => module === file);
  const used = new Set(ofModule.map(({ name }) => name));
  const classes = classesOf(file).map(camelCase);
  expect([...used].filter((name) => name !== null && !classes.includes(name))).toEqual([]);
  const unused = classes.filter((name) => !used.has(name));
  // A computed name can be any of them.
  expect(used.has(null) ? [] : unused).toEqual([]);
});
