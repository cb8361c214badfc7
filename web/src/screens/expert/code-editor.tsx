/**
 * The CodeMirror editor, in its own chunk. Colours follow the theme tokens; its styles carry the nonce of the
 * page. Tab indents; Escape and then Tab leaves the editor.
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { linter, lintKeymap } from '@codemirror/lint';
import { EditorState, StateEffect, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { pageNonce } from '../../ui/text/page-nonce.ts';
import { completeWith, type Knowledge } from './completion.ts';
import { hoverWith } from './hover.ts';
import { rangeAt } from './json-position.ts';
import { diagnosticsIn, type Problem, type DiagnosticMessages } from './diagnostics.ts';
import styles from './expert.module.css';

type CodeEditorProps = {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly label: string;
  /** The id of the hint that explains how to leave the editor. */
  readonly describedBy: string;
  readonly isReadOnly: boolean;
  readonly problems: readonly Problem[];
  readonly knowledge: Knowledge;
  readonly messages: DiagnosticMessages;
  /** The position to go to; a new object goes there again. */
  readonly goTo: { readonly path: string } | null;
};

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.number, color: 'var(--info)' },
  { tag: [tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: 'var(--ink-soft)' },
]);

/** Problems or the schema arrived. */
const lookAgain = StateEffect.define<null>();

function extensionsFor(props: () => CodeEditorProps): Extension[] {
  const { isReadOnly, label, describedBy } = props();
  const attributes = {
    'aria-label': label,
    'aria-describedby': describedBy,
    // A scroll container needs keyboard focus.
    tabindex: '0',
    ...(isReadOnly && { 'aria-readonly': 'true' }),
  };
  const shown = [
    EditorView.cspNonce.of(pageNonce()),
    lineNumbers(),
    foldGutter(),
    json(),
    syntaxHighlighting(colours),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of(attributes),
    hoverWith(() => props().knowledge),
    linter(({ state }) => diagnosticsIn(state, props()), {
      delay: 300,
      needsRefresh: ({ transactions }) =>
        transactions.some(({ effects }) => effects.some((effect) => effect.is(lookAgain))),
    }),
  ];
  if (isReadOnly) {
    return [
      ...shown,
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      keymap.of(foldKeymap),
    ];
  }
  return [
    ...shown,
    history(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    indentOnInput(),
    highlightActiveLine(),
    autocompletion({ override: [completeWith(() => props().knowledge)], icons: false }),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) props().onText(update.state.doc.toString());
    }),
  ];
}

export function CodeEditor(props: CodeEditorProps) {
  const { text, problems, knowledge, goTo, isReadOnly } = props;
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (!place.current) return undefined;
    const view = new EditorView({
      parent: place.current,
      doc: latest.current.text,
      extensions: extensionsFor(() => latest.current),
    });
    editor.current = view;
    return () => {
      view.destroy();
      editor.current = null;
    };
  }, [isReadOnly]);
  useEffect(() => {
    const view = editor.current;
    if (!view || view.state.doc.toString() === text) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => {
    const view = editor.current;
    if (!view) return;
    view.dispatch({ effects: lookAgain.of(null) });
  }, [problems, knowledge]);
  useEffect(() => {
    const view = editor.current;
    if (!view || !goTo) return;
    const { from } = rangeAt(view.state, goTo.path.replace(/^\/mapping(?=\/|$)/, ''));
    view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    view.focus();
  }, [goTo]);
  return <div ref={place} className={styles.expertCode} />;
}
