/** Small parts that every screen is made of. */
import './parts.css';
import { Check, CircleAlert, Copy, Info, TriangleAlert } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { InletError } from '../../api/client.ts';
import { Breakable } from '../data/breakable-text.tsx';
import { Button, IconButton } from '../forms/button.tsx';
import { copyText } from '../data/clipboard.ts';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'info';

export function Card({
  title,
  actions,
  children,
}: {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="card stack" aria-label={title}>
      {(title !== undefined || actions !== undefined) && (
        <div className="row spread">
          {title !== undefined && <h2>{title}</h2>}
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

type Crumb = { readonly label: string; readonly href: string };

/** Also the document's title; `part` of what it names is open. */
export function PageHead({
  title,
  part,
  trail = [],
  lead,
  actions,
}: {
  readonly title: string;
  readonly part?: string | undefined;
  readonly trail?: readonly Crumb[];
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
}) {
  useEffect(() => {
    document.title = [part, title, 'Inlet'].filter((word) => word !== undefined).join(' · ');
  }, [title, part]);
  return (
    <header className="page-head">
      <div className="stack tight">
        {trail.length > 0 && (
          <div className="trail">
            {trail.map(({ label, href }) => (
              <span key={href}>
                <Link href={href}>{label}</Link>
              </span>
            ))}
          </div>
        )}
        <h1>
          <Breakable>{title}</Breakable>
        </h1>
        {lead !== undefined && <div className="soft">{lead}</div>}
      </div>
      {actions !== undefined && <div className="row">{actions}</div>}
    </header>
  );
}

export const Badge = ({
  tone = 'plain',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) => <span className={`badge ${tone}`}>{children}</span>;

const noteIcons = { plain: Info, info: Info, good: Check, warn: TriangleAlert, bad: CircleAlert };

/** `isLive`: said by screen readers when it appears. */
export function Note({
  tone = 'info',
  isLive = false,
  children,
}: {
  readonly tone?: Tone;
  readonly isLive?: boolean;
  readonly children: ReactNode;
}) {
  const Icon = noteIcons[tone];
  return (
    <div
      className={`note ${tone}`}
      role={isLive ? (tone === 'bad' ? 'alert' : 'status') : undefined}
    >
      <Icon aria-hidden />
      <div className="break stack tight">{children}</div>
    </div>
  );
}

/** Nothing here yet: why, and what to do. */
export function Empty({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Bars at once; after two seconds it says what is waited for. */
export function Waiting({ what, lines = 4 }: { readonly what?: string; readonly lines?: number }) {
  const { formatMessage } = useIntl();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), 2_000);
    return () => clearTimeout(timer);
  }, []);
  const words = what ?? formatMessage({ id: 'ui.waiting' });
  return (
    <div className="waiting" role="status" aria-label={words}>
      {Array.from({ length: lines }, (_, at) => (
        <div key={at} className="bar" style={{ width: `${92 - ((at * 17) % 50)}%` }} />
      ))}
      {isLong && <p className="soft">{words}</p>}
    </div>
  );
}

/** What went wrong in the server's words, and a way to try again. */
export function Failed({
  error,
  onRetry,
  children,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly children?: ReactNode;
}) {
  const { formatMessage } = useIntl();
  return (
    <Note tone="bad" isLive>
      <p>{wordsOf(error, formatMessage({ id: 'ui.noAnswer' }))}</p>
      {children}
      <FailureDetails error={error} />
      {onRetry && <Retry onPress={onRetry} />}
    </Note>
  );
}

export function Retry({ onPress }: { readonly onPress: () => void }) {
  const { formatMessage } = useIntl();
  return (
    <div>
      <Button isSmall onPress={onPress}>
        {formatMessage({ id: 'ui.retry' })}
      </Button>
    </div>
  );
}

export const wordsOf = (error: unknown, otherwise: string): string =>
  error instanceof InletError ? error.message : otherwise;

function FailureDetails({ error }: { readonly error: unknown }) {
  const { formatMessage } = useIntl();
  if (!(error instanceof InletError)) return null;
  const fields = error.details.fields ?? [];
  return (
    <>
      {fields.length > 0 && (
        <ul className="small">
          {fields.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path !== '' && <code>{path}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      {error.requestId !== null && error.status >= 500 && (
        <p className="small soft">
          {formatMessage({ id: 'ui.requestId' }, { id: error.requestId })}
        </p>
      )}
    </>
  );
}

export type Fact = readonly [term: string, description: ReactNode];

export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className="facts">
    {facts.map(([term, description]) => (
      <div key={term} style={{ display: 'contents' }}>
        <dt>{term}</dt>
        <dd>{description}</dd>
      </div>
    ))}
  </dl>
);

type CopyProps = {
  /** A long one is better made when it is asked for. */
  readonly text: string | (() => string);
  readonly label?: string;
};

export function CopyButton({ text, label }: CopyProps) {
  const { formatMessage } = useIntl();
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    if (!(await copyText(typeof text === 'string' ? text : text()))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  }
  const words = formatMessage({ id: isCopied ? 'ui.copied' : 'ui.copy' });
  return (
    <>
      <IconButton
        isSmall
        label={isCopied || label === undefined ? words : label}
        onPress={() => void copy()}
      >
        {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      </IconButton>
      <span className="hidden-visually" role="status">
        {isCopied ? words : ''}
      </span>
    </>
  );
}

/** One line that people take along, or several. */
export const Copied = ({
  text,
  label,
  isBlock = false,
}: {
  readonly text: string;
  readonly label?: string;
  readonly isBlock?: boolean;
}) => (
  <div className={`copied ${isBlock ? 'block' : ''}`}>
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
    {isBlock ? <pre tabIndex={0}>{text}</pre> : <code>{text}</code>}
    <CopyButton text={text} label={label} />
  </div>
);

/** `value` of 0 to 1. */
export const Meter = ({ value, label }: { readonly value: number; readonly label: string }) => (
  <div
    className="meter"
    role="meter"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={Math.round(value * 100)}
  >
    <div style={{ width: `${Math.min(1, Math.max(0, value)) * 100}%` }} />
  </div>
);
