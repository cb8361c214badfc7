/** Edits a template: text with fields, and parts that are left out when their field is empty. */
import { Plus, Split } from 'lucide-react';
import { Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { ToggleButton } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { Button } from '../../ui/forms/button.tsx';
import { useDebounce } from '../../ui/forms/use-debounce.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { ErrorBoundary } from '../../ui/layout/error-boundary.tsx';
import { lazyWithRetry } from '../../ui/layout/lazy-with-retry.tsx';
import { locationText } from '../../ui/location/location-text.tsx';
import { Menu, type Item } from '../../ui/overlays/menu.tsx';
import { fieldTag, toggleOptional, type Tag } from '../document/template.ts';
import { useMappingEditor } from '../editor-context.tsx';
import { exampleOf } from '../fields/field-example.ts';
import { leavesOf } from '../fields/field-search.ts';
import type { TemplateEditorActions } from './template-editor.tsx';
import styles from './composer.module.css';

const TemplateEditor = lazyWithRetry(
  async () => (await import('./template-editor.tsx')).TemplateEditor,
);

const pauseMs = 250;
const maxFields = 500;

type Props = {
  /** The accessible name of the text. */
  readonly label: string;
  readonly text: string;
  /** Called after a pause in typing. An empty text is not a template. */
  readonly onChange: (text: string) => void;
};

function usePillName(): (tag: Tag) => string {
  const intl = useIntl();
  return useCallback(
    ({ kind, path }) => {
      const name = path === '' ? '' : locationText(intl, { path });
      return kind === 'field' ? name : intl.formatMessage({ id: `mapping.pill.${kind}` }, { name });
    },
    [intl],
  );
}

export function MessageComposer({ label, text, onChange }: Props) {
  const { formatMessage } = useIntl();
  const [written, setWritten] = useState<string | null>(null);
  const [selection, setSelection] = useState({ from: 0, to: 0 });
  const actions = useRef<TemplateEditorActions | null>(null);
  const nameOf = usePillName();
  const debounce = useDebounce(pauseMs);
  const commit = (next: string | null) => {
    setWritten(null);
    if (next !== null && next !== '' && next !== text) onChange(next);
  };
  const write = (next: string) => {
    setWritten(next);
    debounce(() => commit(next));
  };
  const current = written ?? text;
  const toggle = toggleOptional(current, selection);
  return (
    <div className={styles.composer}>
      <ErrorBoundary>
        <Suspense fallback={<Loading lines={3} />}>
          <TemplateEditor
            text={current}
            label={label}
            placeholder={formatMessage({ id: 'mapping.composer.placeholder' })}
            nameOf={nameOf}
            onChange={write}
            onSelect={setSelection}
            onBlur={() => commit(written)}
            actionsRef={actions}
          />
        </Suspense>
      </ErrorBoundary>
      <div className="row">
        <InsertField onInsert={(path) => actions.current?.insert(fieldTag(path))} />
        <ToggleButton
          className={styles.optional}
          isSelected={toggle?.isOptional ?? false}
          isDisabled={toggle === null}
          onChange={() => toggle && actions.current?.replaceAll(toggle.text)}
        >
          <Split aria-hidden /> {formatMessage({ id: 'mapping.composer.optional' })}
        </ToggleButton>
      </div>
    </div>
  );
}

function InsertField({ onInsert }: { readonly onInsert: (path: string) => void }) {
  const intl = useIntl();
  const { fields } = useMappingEditor();
  const items = useMemo(
    () =>
      leavesOf(fields.nodes, maxFields).flatMap((node): Item[] => {
        const { id, source } = node;
        const path = source?.path;
        const example = exampleOf(node, fields.shown).text;
        const isGroup = node.children.length > 0 && example === null;
        if (path === undefined || source?.root || path.includes('}}') || isGroup) return [];
        return [
          {
            id,
            label: locationText(intl, { path }),
            ...(example !== null && { hint: example.slice(0, 80) }),
            onAction: () => onInsert(path),
          },
        ];
      }),
    [fields, intl, onInsert],
  );
  const label = intl.formatMessage({ id: 'mapping.composer.insert' });
  return (
    <Menu label={label} items={items} search={intl.formatMessage({ id: 'mapping.search' })}>
      <Button isSmall isDisabled={items.length === 0}>
        <Plus aria-hidden /> {label}
      </Button>
    </Menu>
  );
}
