/** A short status label. */
import type { ReactNode } from 'react';
import type { Tone } from '../tone.ts';

export const Badge = ({
  tone = 'plain',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) => <span className={`badge ${tone}`}>{children}</span>;
