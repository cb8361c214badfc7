/** Rules of notices: which conditions need a person. Those of the installation apply unless a webhook has its own. */
import { Type, type Static, type TProperties } from 'typebox';
import { optionalInteger, strictObject } from '../schemas.ts';
import type { NoticeKind } from './notice.ts';

const rule = <Settings extends TProperties>(settings: Settings) =>
  Type.Optional(
    strictObject({
      enabled: Type.Optional(
        Type.Boolean({ description: 'Whether the rule creates notices; default true.' }),
      ),
      ...settings,
    }),
  );

/** Rules that are set. What is absent comes from the installation, and then from the defaults. */
export const noticeRules = strictObject({
  first_dead: rule({}),
  dead_rising: rule({
    count: optionalInteger(
      1,
      1_000_000,
      'Dead events of a webhook in this hour and the last; default 10.',
    ),
  }),
  rejections_rising: rule({
    count: optionalInteger(1, 1_000_000, 'Rejections in this hour and the last; default 20.'),
    percent: optionalInteger(1, 100, 'Their least share of the requests in that time; default 10.'),
  }),
  sender_silent: rule({
    oneIn: optionalInteger(
      100,
      100_000_000,
      'A silence is unusual when it happens by chance once in so many times; default 10000.',
    ),
    hours: optionalInteger(2, 720, 'The shortest silence; default 2.'),
  }),
  mapping_drift: rule({}),
  destination_failing: rule({}),
  key_ending: rule({
    hours: optionalInteger(1, 168, 'How long before the end of the key; default 24.'),
  }),
  backlog_late: rule({
    minutes: optionalInteger(1, 1_440, 'How long the oldest due event may wait; default 5.'),
  }),
});

export type NoticeRules = Static<typeof noticeRules>;

export type EffectiveRules = {
  readonly [Kind in NoticeKind]: Required<NonNullable<NoticeRules[Kind]>>;
};

export const defaultRules: EffectiveRules = {
  first_dead: { enabled: true },
  dead_rising: { enabled: true, count: 10 },
  rejections_rising: { enabled: true, count: 20, percent: 10 },
  sender_silent: { enabled: true, oneIn: 10_000, hours: 2 },
  mapping_drift: { enabled: true },
  destination_failing: { enabled: true },
  key_ending: { enabled: true, hours: 24 },
  backlog_late: { enabled: true, minutes: 5 },
};

/** Rules of the installation, or of one webhook. */
export type NoticeRulesRecord = {
  /** `installation`, or the id of a webhook. */
  readonly _id: string;
  readonly rules: NoticeRules;
  readonly updatedAt: Date | null;
};

export const installationRules = 'installation';

/** Later layers win, setting by setting. */
export function effectiveRules(...layers: readonly (NoticeRules | undefined)[]): EffectiveRules {
  const kinds = Object.keys(defaultRules) as NoticeKind[];
  const entries = kinds.map((kind) => [
    kind,
    Object.assign({}, defaultRules[kind], ...layers.map((layer) => layer?.[kind])) as object,
  ]);
  return Object.fromEntries(entries) as EffectiveRules;
}
