/** A message box inside a page. */
import { Check, CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Tone } from '../tone.ts';

const noteIcons = { plain: Info, info: Info, good: Check, warn: TriangleAlert, bad: CircleAlert };

/** `isLive`: announced by screen readers when it appears. */
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
