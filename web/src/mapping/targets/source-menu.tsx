/** The menu of a target: other suggestions, the tree, a fixed text, and combining with another field. */
import { ChevronDown } from 'lucide-react';
import { useIntl } from 'react-intl';
import { Button } from '../../ui/forms/button.tsx';
import { Menu, type Item } from '../../ui/overlays/menu.tsx';
import type { Source } from '../document/mapping-document.ts';
import { assignSource, type AssignMode } from '../document/source.ts';
import { toTemplate } from '../document/template.ts';
import { readTarget, writeTarget, type TargetName } from '../document/targets.ts';
import { useMappingEditor } from '../editor-context.tsx';
import { useSourceText } from './source-text.ts';
import styles from './targets.module.css';

type ChooseProps = {
  readonly target: TargetName;
  readonly label: string;
  readonly source: Source | undefined;
};

export function SourceMenu({ target, label, source }: ChooseProps) {
  const { formatMessage } = useIntl();
  const { setPendingTarget } = useMappingEditor();
  const wait = (mode: AssignMode) => () => setPendingTarget({ target, mode });
  const others = useAlternatives(target, source);
  const put = usePut(target);
  const compose = useCompose(target, source);
  const text = formatMessage({ id: 'mapping.chooseFor.menu' }, { target: label });
  const items: Item[] = [
    ...others,
    {
      id: 'tree',
      label: formatMessage({ id: 'mapping.fromTree' }),
      hint: formatMessage({ id: 'mapping.fromTree.hint' }),
      onAction: wait('replace'),
    },
    ...(target === 'message.text' && source?.template === undefined
      ? [
          {
            id: 'compose',
            label: formatMessage({ id: 'mapping.compose' }),
            hint: formatMessage({ id: 'mapping.compose.hint' }),
            onAction: compose,
          },
        ]
      : []),
    ...(source && source.template === undefined
      ? [
          {
            id: 'join',
            label: formatMessage({ id: 'mapping.join' }),
            hint: formatMessage({ id: 'mapping.join.hint' }),
            onAction: wait('join'),
          },
          {
            id: 'first',
            label: formatMessage({ id: 'mapping.first' }),
            hint: formatMessage({ id: 'mapping.first.hint' }),
            onAction: wait('first'),
          },
        ]
      : []),
    ...(target === 'eventId'
      ? []
      : [
          {
            id: 'const',
            label: formatMessage({ id: 'mapping.const' }),
            hint: formatMessage({ id: 'mapping.const.hint' }),
            onAction: () => put({ const: formatMessage({ id: 'mapping.const.first' }) }),
          },
        ]),
  ];
  const shown = formatMessage({ id: source ? 'mapping.change' : 'mapping.chooseField' });
  return (
    <Menu label={text} items={items}>
      {/* The accessible name starts with the visible text, for voice control. */}
      <Button variant={source ? 'quiet' : 'plain'} isSmall aria-label={`${shown}: ${label}`}>
        <span className={source ? styles.change : ''}>{shown}</span>
        <ChevronDown aria-hidden />
      </Button>
    </Menu>
  );
}

function usePut(target: TargetName) {
  const { draft } = useMappingEditor();
  return (next: Source) =>
    draft.change((before) =>
      writeTarget(before, target, assignSource(readTarget(before, target), next, 'replace')),
    );
}

/** A template that reads the same, else the suggested one. */
function useCompose(target: TargetName, source: Source | undefined): () => void {
  const { formatMessage } = useIntl();
  const { draft, suggestion } = useMappingEditor();
  const suggested = suggestion.sources.get(target);
  const first = { template: formatMessage({ id: 'mapping.const.first' }) };
  const next =
    (source && toTemplate(source)) ?? (suggested?.template === undefined ? first : suggested);
  return () => draft.change((before) => writeTarget(before, target, next));
}

/** The original suggestion comes first when it was replaced. */
function useAlternatives(target: TargetName, source: Source | undefined): Item[] {
  const { formatMessage, formatNumber } = useIntl();
  const { draft, suggestion } = useMappingEditor();
  const wordsOf = useSourceText();
  const put = usePut(target);
  const suggested = suggestion.sources.get(target);
  const isLeft = suggested && JSON.stringify(suggested) !== JSON.stringify(source);
  const own: Item[] = isLeft
    ? [
        {
          id: 'suggested',
          label: formatMessage({ id: 'mapping.suggested' }),
          hint: wordsOf(suggested),
          onAction: () => draft.change((before) => writeTarget(before, target, suggested)),
        },
      ]
    : [];
  const others = (suggestion.alternatives[target] ?? [])
    .filter(({ path }) => path !== source?.path)
    .map(({ path, example, confidence }, n): Item => {
      const share = formatNumber(confidence, { style: 'percent' });
      return {
        id: `other ${n}`,
        label: wordsOf({ path }),
        hint: `${String(example).slice(0, 80)} · ${formatMessage({ id: 'mapping.confidence.hint' }, { share })}`,
        onAction: () => put({ path }),
      };
    });
  return [...own, ...others];
}
