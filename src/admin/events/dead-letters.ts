/** Dead events, grouped by reason, with the action for each reason. */
import type { Language } from '../../base/errors.ts';
import type { Page } from '../../domain/pagination.ts';
import { actionFor } from '../../domain/events/actions.ts';
import type { DeadLetterFilter, DeadLetterGroup } from '../../store/event-queries/dead-letters.ts';
import type { EventStore } from '../../store/events/events.ts';

export const presentGroup = (group: DeadLetterGroup, language: Language) => ({
  webhookId: group.webhookId,
  reason: group.reason,
  action: actionFor(group.reason, language),
  count: group.count,
  firstFinishedAt: group.firstAt.toISOString(),
  lastFinishedAt: group.lastAt.toISOString(),
  mappingVersions: group.mappingVersions.toSorted((a, b) => a - b),
  exampleEventId: group.exampleId,
});

export type DeadLetterDeps = { readonly events: Pick<EventStore, 'groupDead'> };

export const createDeadLetters = ({ events }: DeadLetterDeps) => ({
  list: (filter: DeadLetterFilter, page: Page) => events.groupDead(filter, page),
});
