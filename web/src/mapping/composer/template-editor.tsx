/**
 * The text area of the composer, in its own chunk: CodeMirror, with the fields as pills. Tab leaves it. Its styles carry the nonce
 * of the page.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import type { Extension } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { pageNonce } from '../../ui/text/page-nonce.ts';
import type { Tag } from '../document/template.ts';
import { pills } from './pills.ts';
import styles from './composer.module.css';

type Range = { readonly from: number; readonly to: number };

/** What the buttons beside the editor do to its text. */
export type TemplateEditorActions = {
  /** Replaces the selection. */
  readonly insert: (text: string) => void;
  readonly replaceAll: (text: string) => void;
};

type Props = {
  readonly text: string;
  readonly label: string;
  readonly placeholder: string;
  readonly nameOf: (tag: Tag) => string;
  readonly onChange: (text: string) => void;
  readonly onSelect: (selection: Range) => void;
  readonly onBlur: () => void;
  readonly actionsRef: RefObject<TemplateEditorActions | null>;
};

const maxLength = 4_096;

function extensionsFor(props: () => Props): Extension[] {
  const { label, placeholder: hint } = props();
  const classes = {
    field: styles.field,
    if: styles.block,
    else: styles.block,
    end: styles.block,
  } as const;
  return [
    EditorView.cspNonce.of(pageNonce()),
    history(),
    EditorView.lineWrapping,
    placeholder(hint),
    EditorView.contentAttributes.of({ 'aria-label': label, 'aria-multiline': 'true' }),
    pills({
      nameOf: (tag) => props().nameOf(tag),
      className: (kind) => `${styles.pill ?? ''} ${classes[kind] ?? ''}`,
    }),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
      if (docChanged) props().onChange(state.doc.toString());
      if (docChanged || selectionSet) props().onSelect(state.selection.main);
    }),
    EditorView.domEventHandlers({ blur: () => props().onBlur() }),
  ];
}

function actionsOf(view: EditorView): TemplateEditorActions {
  // Called from a menu, which returns the focus to its button unless something else has it once it is closed.
  const focus = () => setTimeout(() => view.focus());
  return {
    insert(text) {
      if (view.state.doc.length + text.length > maxLength) return;
      view.dispatch(view.state.replaceSelection(text));
      focus();
    },
    replaceAll(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      focus();
    },
  };
}

export function TemplateEditor(props: Props) {
  const { text, actionsRef } = props;
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (!place.current) return undefined;
    const doc = latest.current.text;
    const view = new EditorView({
      parent: place.current,
      doc,
      selection: { anchor: doc.length },
      extensions: extensionsFor(() => latest.current),
    });
    editor.current = view;
    actionsRef.current = actionsOf(view);
    latest.current.onSelect(view.state.selection.main);
    return () => {
      view.destroy();
      editor.current = null;
      actionsRef.current = null;
    };
  }, [actionsRef]);
  useEffect(() => {
    const view = editor.current;
    if (!view || view.state.doc.toString() === text) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }, [text]);
  return <div ref={place} className={styles.editor} />;
}
