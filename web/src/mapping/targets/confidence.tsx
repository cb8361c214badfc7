/** The confidence of a suggestion, while the target still reads the suggested source and is not saved. */
import { useIntl } from 'react-intl';
import { Badge } from '../../ui/data/badge.tsx';
import type { Source } from '../document/mapping-document.ts';
import type { TargetName } from '../document/targets.ts';
import { useMappingEditor } from '../editor-context.tsx';
import styles from './targets.module.css';

/** A confidence is the probability that the value is right. Suggestions are filled from 0.75 on. */
const levelOf = (confidence: number) =>
  confidence >= 0.95 ? 'sure' : confidence >= 0.85 ? 'likely' : 'unsure';
const tones = { sure: 'good', likely: 'info', unsure: 'warn' } as const;

export function Confidence({
  target,
  source,
}: {
  readonly target: TargetName;
  readonly source: Source;
}) {
  const { formatMessage, formatNumber } = useIntl();
  const { draft, suggestion } = useMappingEditor();
  const confidence = suggestion.confidence[target];
  const suggested = suggestion.sources.get(target);
  if (draft.version !== 0 || confidence === undefined) return null;
  if (JSON.stringify(suggested) !== JSON.stringify(source)) return null;
  const level = levelOf(confidence);
  const share = formatNumber(confidence, { style: 'percent' });
  return (
    <span
      className={styles.confidence}
      title={formatMessage({ id: 'mapping.confidence.hint' }, { share })}
    >
      <Badge tone={tones[level]}>{formatMessage({ id: `mapping.confidence.${level}` })}</Badge>
    </span>
  );
}
