/** One row of the tree: name, value in the shown payload, frequency, and the targets that read the field. */
import { clsx } from 'clsx';
import {
  Braces,
  Brackets,
  CircleDashed,
  Hash,
  List,
  ListTree,
  ToggleLeft,
  Type,
  type LucideIcon,
} from 'lucide-react';
import { useIntl } from 'react-intl';
import { useMappingEditor } from '../editor-context.tsx';
import { useTargetLabel } from '../targets/target-label.ts';
import { useFieldUsage } from './field-usage.tsx';
import type { FieldNode, Kind } from './merge-payloads.ts';
import { exampleOf } from './field-example.ts';
import styles from './field-tree.module.css';

const kindIcons: Readonly<Record<Kind, LucideIcon>> = {
  text: Type,
  number: Hash,
  boolean: ToggleLeft,
  object: Braces,
  list: Brackets,
  empty: CircleDashed,
};

function KindMark({ node: { kinds, role, children } }: { readonly node: FieldNode }) {
  const { formatMessage } = useIntl();
  const [kind = 'empty'] = kinds;
  const Icon =
    role === 'group'
      ? ListTree
      : role === 'entry' && children.length === 0
        ? List
        : kindIcons[kind];
  const kindNames = kinds.map((one) => formatMessage({ id: `mapping.kind.${one}` })).join(', ');
  return (
    <span className={styles.kind} title={kindNames}>
      <Icon aria-hidden />
      <span className="hidden-visually">{kindNames}</span>
    </span>
  );
}

export const More = ({ label }: { readonly label: string }) => (
  <div className={clsx(styles.fieldRow, styles.more)}>{label}</div>
);

export function FieldRow({ node, level }: { readonly node: FieldNode; readonly level: number }) {
  const { formatMessage } = useIntl();
  const { fields } = useMappingEditor();
  const { label, title, role, present } = node;
  const name = label === '' ? formatMessage({ id: `mapping.role.${role}` }) : label;
  const { text, isHere } = exampleOf(node, fields.shown);
  const isPartly = role !== 'group' && present < fields.count;
  return (
    <>
      <KindMark node={node} />
      {level > 11 && <span className="soft small numbers">{level}</span>}
      <span className={clsx('clip', styles.name)} title={name}>
        {role === 'first' ? formatMessage({ id: 'mapping.role.first' }) : name}
        {title !== null && <span className="soft"> · {title}</span>}
      </span>
      <span className={clsx(styles.value, 'clip', !isHere && styles.absent)}>
        {text ??
          (role === 'group' || node.children.length > 0
            ? formatMessage({ id: 'mapping.holds' }, { count: node.children.length })
            : formatMessage({ id: 'mapping.nothing' }))}
      </span>
      {isPartly && (
        <span
          className={clsx('numbers', styles.presence)}
          title={formatMessage({ id: 'mapping.presence' }, { present, count: fields.count })}
        >
          <span aria-hidden>
            {present}/{fields.count}
          </span>
          <span className="hidden-visually">
            {formatMessage({ id: 'mapping.presence' }, { present, count: fields.count })}
          </span>
        </span>
      )}
      <Readers node={node} />
    </>
  );
}

function Readers({ node }: { readonly node: FieldNode }) {
  const labelOf = useTargetLabel();
  const targets = useFieldUsage(node);
  const [first, ...others] = targets;
  if (first === undefined) return null;
  const targetNames = targets.map(labelOf).join(', ');
  return (
    <span className={clsx('clip', styles.reader)} title={targetNames}>
      → {labelOf(first)}
      {others.length > 0 && ` +${others.length}`}
    </span>
  );
}
