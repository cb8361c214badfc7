/** The values of the form of a target. */
import { browserZone } from '../../ui/places/countries.ts';
import type { Answer } from '../../api/client.ts';

export type Target = Answer<'listNoticesTargets'>['results'][number];
export type NoticeKind = Answer<'listNotices'>['results'][number]['kind'];

export const noticeKinds: readonly NoticeKind[] = [
  'first_dead',
  'dead_rising',
  'rejections_rising',
  'sender_silent',
  'mapping_drift',
  'destination_failing',
  'key_ending',
  'backlog_late',
];

export type Values = {
  readonly name: string;
  readonly kinds: readonly NoticeKind[];
  readonly language: Target['language'];
  readonly isQuiet: boolean;
  readonly zone: string;
  readonly from: string;
  readonly to: string;
  readonly weekend: boolean;
  /** Empty: no reminder. */
  readonly reminderHours: string;
};

export const valuesOf = (target: Target | null, language: Target['language']): Values => ({
  name: target?.name ?? '',
  kinds: target?.kinds ?? noticeKinds,
  language: target?.language ?? language,
  isQuiet: (target?.quietHours ?? null) !== null,
  zone: target?.quietHours?.zone ?? browserZone(),
  from: target?.quietHours?.from ?? '22:00',
  to: target?.quietHours?.to ?? '07:00',
  weekend: target?.quietHours?.weekend ?? false,
  reminderHours: target ? String(target.reminderHours ?? '') : '24',
});

const clockTime = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

export const isTime = (text: string): boolean => clockTime.test(text);
export const isHours = (text: string): boolean =>
  text.trim() === '' || (/^\d{1,3}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 720);

export const isComplete = (values: Values): boolean =>
  values.name.trim() !== '' &&
  values.kinds.length > 0 &&
  isHours(values.reminderHours) &&
  (!values.isQuiet || (values.zone.trim() !== '' && isTime(values.from) && isTime(values.to)));

/** Returns what the API is sent. */
export function bodyOf(values: Values) {
  const { name, kinds, language, isQuiet, zone, from, to, weekend, reminderHours } = values;
  return {
    name: name.trim(),
    kinds: kinds.length === noticeKinds.length ? null : [...kinds],
    language,
    quietHours: isQuiet ? { zone: zone.trim(), from, to, weekend } : null,
    reminderHours: reminderHours.trim() === '' ? null : Number(reminderHours),
  };
}
