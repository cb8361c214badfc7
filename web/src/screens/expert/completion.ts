/** Completion for the expert editor, from the JSON Schema. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { cursorAt, type Cursor } from './json-position.ts';
import {
  schemaAt,
  acceptsType,
  stringValuesOf,
  wordOf,
  type Schema,
  type Schemas,
} from './schema-lookup.ts';

/** A path of real payloads, with an example value. */
export type KnownPath = { readonly path: string; readonly example?: string };

export type Knowledge = {
  readonly schemas: Schemas;
  readonly paths: readonly KnownPath[];
  /** Describes a part by its message id. */
  readonly explain: (word: string) => string | undefined;
  /** The description of a transform, by name. */
  readonly transforms: ReadonlyMap<string, string>;
};

/** `knowledge` is called each time, because data arrives while the editor is open. */
export const completeWith =
  (knowledge: () => Knowledge) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const cursor = cursorAt(state, pos);
    if (!cursor || (!explicit && cursor.from === pos)) return null;
    const options =
      cursor.kind === 'name' ? names(cursor, knowledge()) : texts(cursor, knowledge());
    return { from: cursor.from, to: pos, options, validFor: /^"?[^"\n]*$/ };
  };

function names(cursor: Cursor, { schemas, explain, transforms }: Knowledge): Completion[] {
  const schema = schemaAt(cursor.steps, schemas);
  return Object.entries(schema?.properties ?? {})
    .filter(([name]) => !cursor.existingNames.includes(name))
    .map(([name, part]) => ({
      label: JSON.stringify(name),
      displayLabel: name,
      type: 'property',
      info: explain(wordOf([...cursor.steps, name]) ?? '') ?? transforms.get(name) ?? undefined,
      apply: writeName(name, emptyOf(part, schemas)),
    }));
}

/** The text after the name, and the cursor offset in it. */
function emptyOf(part: Schema, schemas: Schemas): readonly [text: string, into: number] {
  const schema = part.$ref === undefined ? part : schemas[part.$ref.split('/').at(-1) ?? ''];
  if (acceptsType(schema, 'string')) return ['""', 1];
  if (acceptsType(schema, 'boolean')) return ['true', 4];
  if (acceptsType(schema, 'array')) return ['[]', 1];
  return acceptsType(schema, 'object') ? ['{}', 1] : ['', 0];
}

const writeName =
  (name: string, [empty, into]: readonly [string, number]) =>
  (view: EditorView, _completion: Completion, from: number) => {
    const cursor = cursorAt(view.state, view.state.selection.main.head);
    const to = cursor?.isQuoted ? cursor.to : view.state.selection.main.head;
    const rest = view.state.sliceDoc(to, to + 200).trimStart();
    const hasValue = rest.startsWith(':');
    const more = rest.startsWith('"') ? ',' : '';
    const start = `${JSON.stringify(name)}: `;
    view.dispatch(
      hasValue
        ? { changes: { from, to, insert: JSON.stringify(name) } }
        : {
            changes: { from, to, insert: `${start}${empty}${more}` },
            selection: { anchor: from + start.length + into },
          },
    );
  };

function texts(cursor: Cursor, { schemas, paths, transforms }: Knowledge): Completion[] {
  const schema = schemaAt(cursor.steps, schemas);
  const known = stringValuesOf(schema).map((text) => ({
    text,
    type: 'constant',
    info: transforms.get(text),
  }));
  const isPath = cursor.steps.at(-1) === 'path' && acceptsType(schema, 'string');
  const seen = isPath
    ? paths.map(({ path, example }) => ({ text: path, type: 'variable', detail: example }))
    : [];
  const plain =
    acceptsType(schema, 'boolean') && !acceptsType(schema, 'string') ? ['true', 'false'] : [];
  return [
    ...plain.map((label) => ({ label, type: 'keyword' })),
    ...[...known, ...seen].map(({ text, ...rest }) => ({
      ...rest,
      label: JSON.stringify(text),
      displayLabel: text,
      apply: writeText(JSON.stringify(text)),
    })),
  ];
}

const writeText = (text: string) => (view: EditorView, _completion: Completion, from: number) => {
  const cursor = cursorAt(view.state, view.state.selection.main.head);
  const to = cursor?.isQuoted ? cursor.to : view.state.selection.main.head;
  view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length } });
};
