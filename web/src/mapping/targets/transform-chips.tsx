/** The transforms of a value as chips in order: added from a menu, edited and removed in place. */
import { clsx } from 'clsx';
import { Plus, Wand } from 'lucide-react';
import { useState } from 'react';
import {
  Button as AriaButton,
  Dialog,
  DialogTrigger,
  Heading,
  Popover,
} from 'react-aria-components';
import { useIntl } from 'react-intl';
import { Button } from '../../ui/forms/button.tsx';
import { Menu, type Item } from '../../ui/overlays/menu.tsx';
import type { Source, TransformUse } from '../document/mapping-document.ts';
import {
  combineKindOf,
  transformNameOf,
  transformOptionsOf,
  toTransformUse,
  withTransforms,
} from '../document/source.ts';
import { TransformOptions } from './transform-options.tsx';
import { useTransforms, type Transform } from './use-transforms.ts';
import styles from './targets.module.css';

type ChipsProps = {
  readonly source: Source;
  /** The name of the source, when there are several. */
  readonly of?: string;
  /** Whether transforms can be added. */
  readonly isOpen: boolean;
  readonly onChange: (source: Source) => void;
};

export function TransformChips({ source, of, isOpen, onChange }: ChipsProps) {
  const { formatMessage } = useIntl();
  const uses = source.transforms ?? [];
  if (uses.length === 0 && !isOpen) return null;
  const put = (next: readonly TransformUse[]) => onChange(withTransforms(source, next));
  return (
    <div
      className={styles.transforms}
      role="group"
      aria-label={formatMessage({ id: 'mapping.transforms' })}
    >
      {uses.map((use, at) => (
        <TransformChip
          // oxlint-disable-next-line react/no-array-index-key -- uses are identified by index only
          key={at}
          use={use}
          onChange={(next) => put(uses.map((one, n) => (n === at ? next : one)))}
          onRemove={() => put(uses.filter((_, n) => n !== at))}
        />
      ))}
      {isOpen && (
        <AddTransform
          of={of}
          isWhole={combineKindOf(source) !== null}
          onAdd={(use) => put([...uses, use])}
        />
      )}
    </div>
  );
}

function shownOptions(use: TransformUse): string {
  return Object.values(transformOptionsOf(use))
    .filter((value) => typeof value !== 'object')
    .map((value) => String(value).slice(0, 30))
    .join(', ');
}

type ChipProps = {
  readonly use: TransformUse;
  readonly onChange: (use: TransformUse) => void;
  readonly onRemove: () => void;
};

function TransformChip({ use, onChange, onRemove }: ChipProps) {
  const { formatMessage } = useIntl();
  const name = transformNameOf(use);
  const label = formatMessage({ id: `mapping.transform.${name}` });
  const shown = shownOptions(use);
  return (
    <DialogTrigger>
      <AriaButton className={styles.transformChip}>
        <Wand aria-hidden />
        {label}
        {shown !== '' && <span className="soft"> {shown}</span>}
      </AriaButton>
      <Popover className="popover">
        <Dialog className={styles.transformDialog}>
          {({ close }) => (
            <>
              <Heading slot="title" level={3}>
                {label}
              </Heading>
              <ChipOptions
                use={use}
                onChange={(changed) => {
                  onChange(changed);
                  close();
                }}
              />
              <Button
                variant="danger"
                isSmall
                onPress={() => {
                  close();
                  onRemove();
                }}
              >
                {formatMessage({ id: 'mapping.removeTransform' }, { name: label })}
              </Button>
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function ChipOptions({ use, onChange }: Pick<ChipProps, 'use' | 'onChange'>) {
  const name = transformNameOf(use);
  const transform = useTransforms().find((one) => one.name === name);
  if (!transform) return null;
  return (
    <TransformOptions
      transform={transform}
      options={transformOptionsOf(use)}
      onDone={(options) => onChange(toTransformUse(name, options))}
    />
  );
}

/** A transform with required options asks for them before it is added. */
function AddTransform({
  of,
  isWhole,
  onAdd,
}: Pick<ChipsProps, 'of'> & {
  readonly isWhole: boolean;
  readonly onAdd: (use: TransformUse) => void;
}) {
  const { formatMessage } = useIntl();
  const transforms = useTransforms();
  const [asked, setAsked] = useState<Transform | null>(null);
  const shown = formatMessage({
    id: isWhole ? 'mapping.addTransform.whole' : 'mapping.addTransform',
  });
  const label = of === undefined ? shown : `${shown}: ${of}`;
  const items = transforms.map((transform): Item => {
    const [example] = transform.examples;
    return {
      id: transform.name,
      label: formatMessage({ id: `mapping.transform.${transform.name}` }),
      hint: example && `${shortened(example.from)} → ${shortened(example.to)}`,
      onAction: () => (transform.standsAlone ? onAdd(transform.name) : setAsked(transform)),
    };
  });
  return (
    <>
      <Menu label={label} items={items} search={formatMessage({ id: 'mapping.searchTransforms' })}>
        <Button variant="quiet" isSmall aria-label={label}>
          <Plus aria-hidden /> {shown}
        </Button>
      </Menu>
      {asked && (
        <div className={clsx('stack tight', styles.asked)}>
          <h4>{formatMessage({ id: `mapping.transform.${asked.name}` })}</h4>
          <TransformOptions
            transform={asked}
            options={{}}
            onDone={(options) => {
              onAdd(toTransformUse(asked.name, options));
              setAsked(null);
            }}
          />
          <Button variant="quiet" isSmall onPress={() => setAsked(null)}>
            {formatMessage({ id: 'ui.cancel' })}
          </Button>
        </div>
      )}
    </>
  );
}

/** With spaces at the ends made visible. */
function shortened(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return short.replaceAll(/^ +| +$/g, (spaces) => '␣'.repeat(spaces.length));
}
