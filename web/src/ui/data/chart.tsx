/** Charts. Their data is also available as text, and as a table unless decorative. */
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

/** `two` is stacked on top of `one`, in the error colour. */
export type Bar = { readonly at: string; readonly one: number; readonly two?: number };

type BarsProps = {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** The title of a bar. */
  readonly text: (bar: Bar) => string;
};

export function Bars({ label, bars, text }: BarsProps) {
  const { formatDate } = useIntl();
  const limit = Math.max(1, ...bars.map(({ one, two = 0 }) => one + two));
  const width = 100 / Math.max(1, bars.length);
  const moment = (at: string) => formatDate(at, { dateStyle: 'short', timeStyle: 'short' });
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <figure className="stack tight">
      <svg
        className="bars"
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {bars.map((bar, at) => {
          const [one, two] = [(bar.one / limit) * 98, ((bar.two ?? 0) / limit) * 98];
          const place = { x: at * width + width * 0.12, width: width * 0.76 };
          return (
            <g key={bar.at}>
              <title>{text(bar)}</title>
              <rect className="reach" x={at * width} y={0} width={width} height={100} />
              <rect className="one" {...place} y={100 - one} height={one} />
              <rect className="two" {...place} y={100 - one - two} height={two} />
            </g>
          );
        })}
      </svg>
      {first && last && (
        <div className="bars-axis">
          <span>{moment(first.at)}</span>
          <span>{moment(last.at)}</span>
        </div>
      )}
    </figure>
  );
}
