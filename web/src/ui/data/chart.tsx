/** Charts. Their data is also available as text, and as a table unless decorative. */
import { Link, Toolbar, Tooltip, TooltipTrigger } from 'react-aria-components';
import { useIntl } from 'react-intl';

/** A line without axes; `label` is its text for screen readers. */
export function Sparkline({
  values,
  label,
}: {
  readonly values: readonly number[];
  readonly label: string;
}) {
  const limit = Math.max(1, ...values);
  const last = Math.max(1, values.length - 1);
  const line = values
    .map((value, at) => `${at === 0 ? 'M' : 'L'}${(at / last) * 100} ${26 - (value / limit) * 24}`)
    .join('');
  return (
    <svg
      className="spark"
      viewBox="0 0 100 28"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={line} />
    </svg>
  );
}

/** `two` is stacked on top of `one`, in the error colour. `line` is a mark at its own height. */
type Bar = {
  readonly at: string;
  readonly one: number;
  readonly two?: number;
  readonly line?: number;
  /** What the bar opens. */
  readonly href: string;
};

type BarsProps = {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** The tooltip of a bar, and its name for screen readers. */
  readonly text: (bar: Bar) => string;
};

/** Labels of the time axis. */
const maxTicks = 6;

/** One tab stop; the arrow keys move from bar to bar. */
export function Bars({ label, bars, text }: BarsProps) {
  const { formatNumber } = useIntl();
  const top = niceTop(
    Math.max(1, ...bars.map(({ one, two = 0, line = 0 }) => Math.max(one + two, line))),
  );
  const percent = (value: number) => `${(value / top) * 100}%`;
  return (
    <figure className="bars-figure">
      <div className="bars-scale numbers" aria-hidden>
        <span>{formatNumber(top)}</span>
        <span>{top % 2 === 0 && formatNumber(top / 2)}</span>
        <span>0</span>
      </div>
      <Toolbar className="bars" aria-label={label}>
        {bars.map((bar) => (
          <TooltipTrigger key={bar.at} delay={0} closeDelay={0}>
            <Link className="bars-bar" href={bar.href} aria-label={text(bar)}>
              <span className="two" style={{ height: percent(bar.two ?? 0) }} />
              <span className="one" style={{ height: percent(bar.one) }} />
              {bar.line !== undefined && bar.line > 0 && (
                <span className="line" style={{ bottom: percent(bar.line) }} />
              )}
            </Link>
            <Tooltip className="bars-tooltip" offset={6}>
              {text(bar)}
            </Tooltip>
          </TooltipTrigger>
        ))}
      </Toolbar>
      <TimeAxis bars={bars} />
    </figure>
  );
}

/** The next even number of two significant digits, so that half of it is whole. */
function niceTop(value: number): number {
  const step = 2 * 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return value <= 1 ? 1 : Math.ceil(value / step) * step;
}

/** Times for bars within two days, dates for longer charts. */
function TimeAxis({ bars }: Pick<BarsProps, 'bars'>) {
  const { formatDate } = useIntl();
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  const isLong = Date.parse(last.at) - Date.parse(first.at) > 2 * 86_400_000;
  const every = Math.max(1, Math.ceil(bars.length / maxTicks));
  const ticks = bars.filter((_, at) => at % every === 0);
  return (
    <div className="bars-axis" aria-hidden>
      {ticks.map(({ at }, index) => (
        <span key={at} style={{ left: `${((index * every + 0.5) / bars.length) * 100}%` }}>
          {isLong
            ? formatDate(at, { day: 'numeric', month: 'short' })
            : formatDate(at, { timeStyle: 'short' })}
        </span>
      ))}
    </div>
  );
}
