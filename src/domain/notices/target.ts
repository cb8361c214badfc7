/** Targets of notices: where they are sent, in which language, and when. */
import { Type, type Static } from 'typebox';
import type { Language } from '../../base/texts/texts.ts';
import { strictObject } from '../schemas.ts';
import type { NoticeKind } from './notice.ts';

export const targetKinds = ['webhook', 'slack', 'email'] as const;
export type TargetKind = (typeof targetKinds)[number];

const clockTime = (description: string, example: string) =>
  Type.String({
    pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$',
    description,
    examples: [example],
  });

export const quietHours = strictObject({
  zone: Type.String({
    minLength: 1,
    maxLength: 60,
    description: 'A zone of the IANA database.',
    examples: ['America/Sao_Paulo'],
  }),
  from: clockTime('When they begin.', '22:00'),
  to: clockTime('When they end. Earlier than `from`: on the next day.', '07:00'),
  weekend: Type.Optional(
    Type.Boolean({ description: 'Whether Saturday and Sunday are quiet too; default false.' }),
  ),
});
export type QuietHours = Static<typeof quietHours>;

export type TargetRecord = {
  readonly _id: string;
  readonly name: string;
  readonly kind: TargetKind;
  /** Null: the notices of the whole installation. */
  readonly webhookId: string | null;
  /** Null: all kinds of notice. */
  readonly kinds: readonly NoticeKind[] | null;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Sealed secrets by setting name. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly language: Language;
  readonly quietHours: QuietHours | null;
  /** Open notices are sent again after so many hours. Null: never. */
  readonly reminderHours: number | null;
  readonly enabled: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The turn of the evaluation up to which changes were sent. Null: only what is open is sent first. */
  readonly sentTurn: number | null;
  readonly sentAt: Date | null;
};

/** Targets of an installation. */
export const maxTargets = 200;

export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Whether the time is in the quiet hours. */
export function isQuiet(hours: QuietHours | null, at: Date): boolean {
  if (hours === null) return false;
  const { zone, from, to, weekend = false } = hours;
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    weekday: 'short',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  if (weekend && ['Sat', 'Sun'].includes(part('weekday'))) return true;
  const now = `${part('hour')}:${part('minute')}`;
  if (from === to) return false;
  return from < to ? from <= now && now < to : now >= from || now < to;
}
