/** Hover texts for the expert editor. */
import { syntaxTree } from '@codemirror/language';
import { hoverTooltip } from '@codemirror/view';
import type { Knowledge } from './completion.ts';
import { pathTo } from './json-position.ts';
import { wordOf } from './schema-lookup.ts';
import styles from './expert.module.css';

export const hoverWith = (knowledge: () => Knowledge) =>
  hoverTooltip(({ state }, position) => {
    const node = syntaxTree(state).resolveInner(position);
    const { explain, transforms } = knowledge();
    const isName = node.name === 'PropertyName';
    if (!isName && node.name !== 'String') return null;
    const steps = pathTo(state, isName && node.parent ? node.parent : node);
    const text = state.sliceDoc(node.from + 1, node.to - 1);
    const messages =
      (isName && explain(wordOf(steps) ?? '')) || transformAt(steps, text, transforms);
    if (messages === undefined) return null;
    return {
      pos: node.from,
      end: node.to,
      above: true,
      create: () => {
        const dom = document.createElement('div');
        dom.className = styles.expertTip ?? '';
        dom.textContent = messages;
        return { dom };
      },
    };
  });

const transformAt = (
  steps: readonly (string | number)[],
  name: string,
  transforms: Knowledge['transforms'],
): string | undefined => (steps.includes('transforms') ? transforms.get(name) : undefined);
