/** Details of the selected field: its path, its value in the shown payload, and its possible targets. */
import { clsx } from 'clsx';
import { ArrowRight, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useIntl } from 'react-intl';
import { Button, IconButton } from '../../ui/forms/button.tsx';
import { Menu, type Item } from '../../ui/overlays/menu.tsx';
import { CopyableText } from '../../ui/text/copyable-text.tsx';
import { fieldNames, groups, labelCount, readTarget } from '../document/targets.ts';
import { newFieldFor } from '../document/new-field.ts';
import { useMappingEditor } from '../editor-context.tsx';
import { useTargetLabel } from '../targets/target-label.ts';
import type { FieldNode } from './merge-payloads.ts';
import fieldTreeStyles from './field-tree.module.css';
import mappingStyles from '../mapping.module.css';

const maxShown = 1_500;

function wholeOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

type DetailsProps = { readonly node: FieldNode; readonly onUsed?: () => void };

export function FieldDetails({ node, onUsed }: DetailsProps) {
  const { formatMessage } = useIntl();
  const { fields, pick } = useMappingEditor();
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [node.id]);
  const shown = node.values[fields.shown];
  const value = shown ?? node.values.find((one) => one !== undefined && one !== null);
  return (
    <section
      ref={place}
      data-part="field-details"
      className={clsx('stack tight', fieldTreeStyles.fieldDetails)}
      aria-label={formatMessage({ id: 'mapping.picked' })}
    >
      <div className="row spread">
        <CopyableText text={node.path} label={formatMessage({ id: 'mapping.copyPath' })} />
        <span className={clsx('row', mappingStyles.tools)}>
          <UseMenu node={node} onUsed={onUsed} />
          <IconButton
            isSmall
            label={formatMessage({ id: 'mapping.unpick' })}
            onPress={() => pick(null)}
          >
            <X aria-hidden />
          </IconButton>
        </span>
      </div>
      <p className="small soft">
        {formatMessage({ id: 'mapping.presence' }, { present: node.present, count: fields.count })}{' '}
        · {node.kinds.map((kind) => formatMessage({ id: `mapping.kind.${kind}` })).join(', ')}
        {shown === undefined && ` · ${formatMessage({ id: 'mapping.notHere' })}`}
      </p>
      {value !== undefined && value !== null && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll container needs keyboard focus
        <pre tabIndex={0} className={fieldTreeStyles.whole}>
          {wholeOf(value)}
        </pre>
      )}
    </section>
  );
}

function UseMenu({ node, onUsed }: DetailsProps) {
  const { formatMessage } = useIntl();
  const { draft, assign, pick } = useMappingEditor();
  const labelOf = useTargetLabel();
  const { document } = draft;
  const use = (target: string) => () => {
    assign(node, { target, mode: 'replace' });
    pick(null);
    onUsed?.();
  };
  const name = node.title ?? node.label;
  const items = groups.flatMap(({ fixed }) =>
    fixed.map((target): Item => {
      const isFilled = readTarget(document, target) !== undefined;
      return {
        id: target,
        label: labelOf(target),
        hint: isFilled ? formatMessage({ id: 'mapping.replaces' }) : undefined,
        onAction: use(target),
      };
    }),
  );
  const added: Item[] = [
    {
      id: 'label',
      label: formatMessage({ id: 'mapping.addLabel' }),
      onAction: use(`context.labels.${labelCount(document)}`),
    },
    ...(['contact', 'context'] as const).map((group) => ({
      id: `field ${group}`,
      label: formatMessage({ id: `mapping.addField.${group}` }),
      onAction: use(newFieldFor(fieldNames(document, group), group, name)),
    })),
  ];
  const label = formatMessage({ id: 'mapping.useFor' });
  return (
    <Menu label={label} items={[...items, ...added]}>
      <Button isSmall variant="primary">
        {label} <ArrowRight aria-hidden />
      </Button>
    </Menu>
  );
}
