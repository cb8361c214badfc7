/** The steps from a payload change to a new active version; open while one is in progress. */
import { clsx } from 'clsx';
import {
  Button as AriaButton,
  Disclosure,
  DisclosurePanel,
  Heading,
  Link,
} from 'react-aria-components';
import { ChevronRight } from 'lucide-react';
import { useIntl } from 'react-intl';
import styles from './versions.module.css';

type Step = 'samples' | 'version' | 'compare' | 'test' | 'activate' | 'watch' | 'back';
const steps: readonly Step[] = [
  'samples',
  'version',
  'compare',
  'test',
  'activate',
  'watch',
  'back',
];

type GuideProps = {
  readonly webhookId: string;
  /** The newest version, if it is not activated. */
  readonly draft: number | null;
  readonly hasWarnings: boolean;
  readonly mayChange: boolean;
};

export function Guide({ webhookId, draft, hasWarnings, mayChange }: GuideProps) {
  const { formatMessage } = useIntl();
  const current: Step | null = draft !== null ? 'compare' : hasWarnings ? 'samples' : null;
  const base = `/webhooks/${webhookId}`;
  const compare = draft === null ? undefined : `${base}/versions?compare=${draft}`;
  const places: Readonly<Record<Step, string | undefined>> = {
    samples: `${base}/samples`,
    version: `${base}/mapping`,
    compare,
    test: mayChange && compare ? `${compare}&do=test` : undefined,
    activate: mayChange && compare ? `${compare}&do=activate` : undefined,
    watch: `${base}/drift`,
    back: undefined,
  };
  return (
    <Disclosure
      className={clsx('card', styles.versionsGuide)}
      defaultExpanded={current !== null}
      key={current}
    >
      <Heading level={2}>
        <AriaButton slot="trigger">
          <ChevronRight aria-hidden />
          {formatMessage({ id: 'versions.guide' })}
        </AriaButton>
      </Heading>
      <DisclosurePanel>
        <ol>
          {steps.map((step) => {
            const href = places[step];
            const label = formatMessage({ id: `versions.step.${step}` });
            return (
              <li key={step} aria-current={step === current ? 'step' : undefined}>
                {href === undefined ? <strong>{label}</strong> : <Link href={href}>{label}</Link>}
                <span className="small soft">
                  {formatMessage({ id: `versions.stepHint.${step}` })}
                </span>
              </li>
            );
          })}
        </ol>
      </DisclosurePanel>
    </Disclosure>
  );
}
