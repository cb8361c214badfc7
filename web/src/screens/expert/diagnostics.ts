/** Diagnostics of the edited document: JSON errors, unknown parts, and errors of the server. */
import { syntaxTree } from '@codemirror/language';
import type { Diagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import { nameOf, rangeAt, pathTo } from './json-position.ts';
import { isUnknownPart, schemaAt, type Schemas } from './schema-lookup.ts';

/** `path` is a JSON pointer into the document or into the request body. */
export type Problem = { readonly path: string; readonly message: string };

export type DiagnosticMessages = {
  readonly notJson: string;
  readonly unknown: (name: string) => string;
};

type Known = {
  readonly problems: readonly Problem[];
  readonly knowledge: { readonly schemas: Schemas };
  readonly messages: DiagnosticMessages;
};

const maxShown = 100;

export function diagnosticsIn(
  state: EditorState,
  { problems, knowledge, messages }: Known,
): Diagnostic[] {
  const broken = brokenAt(state);
  if (broken !== null) {
    const to = Math.min(state.doc.length, broken + 1);
    const from = Math.min(broken, Math.max(0, to - 1));
    return [{ from, to, severity: 'error', message: messages.notJson }];
  }
  const reported = problems.map(({ path, message }): Diagnostic => {
    const range = rangeAt(state, path.replace(/^\/mapping(?=\/|$)/, ''));
    return { ...range, severity: 'error', message };
  });
  const places = new Set(reported.map(({ from }) => from));
  const unknown = unknownParts(state, knowledge.schemas, messages).filter(
    ({ from }) => !places.has(from),
  );
  return [...reported, ...unknown].slice(0, maxShown);
}

/** The position of the first JSON syntax error, or null. */
function brokenAt(state: EditorState): number | null {
  let at: number | null = null;
  syntaxTree(state).iterate({
    enter: (node) => {
      if (node.type.isError && at === null) at = node.from;
      return at === null;
    },
  });
  return at ?? (state.doc.toString().trim() === '' ? 0 : null);
}

function unknownParts(
  state: EditorState,
  schemas: Schemas,
  messages: DiagnosticMessages,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  syntaxTree(state).iterate({
    enter: ({ node }) => {
      if (node.name !== 'Property' || !node.parent) return;
      const name = nameOf(state, node);
      const around = schemaAt(pathTo(state, node.parent), schemas);
      const named = node.getChild('PropertyName');
      if (!named || !isUnknownPart(around, name)) return;
      found.push({
        from: named.from,
        to: named.to,
        severity: 'error',
        message: messages.unknown(name),
      });
    },
  });
  return found;
}
