/** The differences between an event that failed and the last one that worked, with the paths that take the place of old ones. */
import { clsx } from 'clsx';
import { ArrowRight, Check, WandSparkles } from 'lucide-react';
import { Disclosure, DisclosurePanel, Button as AriaButton, Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Document } from '../../mapping/document/mapping-document.ts';
import { readTarget, targetsOf, groups, writeTarget } from '../../mapping/document/targets.ts';
import { useMappingEditor } from '../../mapping/editor-context.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { LocationText } from '../../ui/location/location-text.tsx';
import { targetText } from '../../ui/reasons/reasons.tsx';
import { BreakableText } from '../../ui/text/breakable-text.tsx';
import { SampleText } from '../../ui/text/sample-text.tsx';
import type { Repair } from './use-repair.ts';
import styles from './repair.module.css';

type Replacement = Repair['replacements'][number];

/** Only what the repair changes is taken over, so that edits of other targets stay. */
function accept(before: Document, { mapping, replacements }: Repair): Document {
  const repaired = mapping as Document;
  const replaced = new Set(replacements.flatMap(({ targets }) => targets));
  const isReplaced = (target: string) =>
    replaced.has(target.startsWith('context.labels.') ? 'context.labels' : target);
  const targets = groups.flatMap((group) => targetsOf(repaired, group)).filter(isReplaced);
  const next = targets.reduce((document, target) => {
    const source = readTarget(repaired, target);
    return source ? writeTarget(document, target, source) : document;
  }, before);
  const { split } = repaired;
  return replaced.has('split') && split !== undefined ? { ...next, split } : next;
}

const isSame = (one: Document, other: Document): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export function RepairNote({ repair }: { readonly repair: Repair }) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const { draft } = useMappingEditor();
  const { replacements, unresolved, workedEventId } = repair;
  const count = replacements.length;
  if (count + unresolved.length === 0) return null;
  // An undo takes the suggestions back.
  const isAccepted = isSame(accept(draft.document, repair), draft.document);
  return (
    <section
      className={clsx('stack tight', styles.repair)}
      aria-label={formatMessage({ id: 'repair.title' })}
    >
      <div className="row spread">
        <span className="row">
          <h2>{formatMessage({ id: 'repair.title' })}</h2>
          {workedEventId !== null && (
            <Link className="small" href={`/events/${workedEventId}`}>
              {formatMessage({ id: 'repair.compared' })}
            </Link>
          )}
        </span>
        {count > 0 &&
          (isAccepted ? (
            <span className={clsx('row small', styles.repairAccepted)} role="status">
              <Check aria-hidden />
              {formatMessage({ id: 'repair.accepted' }, { count })}
            </span>
          ) : (
            <Button
              variant="primary"
              onPress={() => draft.change((before) => accept(before, repair))}
            >
              <WandSparkles aria-hidden />
              {formatMessage({ id: 'repair.accept' }, { count })}
            </Button>
          ))}
      </div>
      <ul className={styles.repairList}>
        {replacements.map((one) => (
          <OneReplacement key={one.from} replacement={one} />
        ))}
        {unresolved.map((target) => (
          <li key={target}>
            <strong>{targetText(intl, target)}</strong>
            <span className="soft">{formatMessage({ id: 'repair.unresolved' })}</span>
          </li>
        ))}
      </ul>
      {count > 0 && <p className="small soft">{formatMessage({ id: 'repair.fallbacks' })}</p>}
      <Paths repair={repair} />
    </section>
  );
}

function OneReplacement({ replacement }: { readonly replacement: Replacement }) {
  const intl = useIntl();
  const { formatMessage, formatList, formatNumber } = intl;
  const { targets, from, path, example, similarity, because } = replacement;
  const reasons = because.map((one) => formatMessage({ id: `repair.because.${one}` }));
  return (
    <li>
      <strong>{formatList(targets.map((target) => targetText(intl, target)))}</strong>
      <span className={clsx('row', styles.repairPaths)}>
        <del>
          <LocationText location={{ path: from }} />
        </del>
        <ArrowRight aria-hidden size={14} />
        <LocationText location={{ path }} />
      </span>
      {example !== '' && (
        <span className="break">
          <SampleText text={String(example)} maxLength={80} />
        </span>
      )}
      <span className="small soft">
        {formatNumber(similarity, { style: 'percent' })}
        {reasons.length > 0 && ` · ${formatList(reasons)}`}
      </span>
    </li>
  );
}

/** The paths that only one of the two events has. */
function Paths({ repair: { gone, added } }: { readonly repair: Repair }) {
  const { formatMessage } = useIntl();
  if (gone.length + added.length === 0) return null;
  const lists = [
    { id: 'gone', paths: gone },
    { id: 'added', paths: added },
  ];
  return (
    <Disclosure>
      <AriaButton slot="trigger" className="disclose small">
        {formatMessage({ id: 'repair.paths' }, { gone: gone.length, added: added.length })}
      </AriaButton>
      <DisclosurePanel>
        <div className={styles.repairDiff}>
          {lists.map(({ id, paths }) => (
            <div key={id}>
              <h3 className="small">{formatMessage({ id: `repair.${id}` })}</h3>
              <ul className="small">
                {paths.map((path) => (
                  <li key={path}>
                    <code>
                      <BreakableText>{path}</BreakableText>
                    </code>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </DisclosurePanel>
    </Disclosure>
  );
}
