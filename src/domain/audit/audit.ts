/**
 * Rows of the audit log: actor, action, target, and the state before and after. Secrets and payloads are never
 * part of a row.
 */
import { derivedId } from '../../base/ids.ts';

export type Actor = {
  readonly tokenId: string;
  readonly name: string;
  /** The agent who acts by the token, if any. */
  readonly agentId?: string;
  /** The client's address; absent for the system's own changes. */
  readonly address?: string | null;
  /**
   * Throws `precondition_failed` if the record differs from the one that the actor has seen. The store calls it
   * inside the transaction of the change, with the record before the change.
   */
  readonly checkPrecondition?: (record: unknown) => void;
};

/** Returns the actor for the system's own work, named after that work. */
export const systemActor = (name: string): Actor => ({ tokenId: derivedId('system', name), name });

export const auditTargetTypes = [
  'agent',
  'audit',
  'backup',
  'block',
  'channel',
  'chat',
  'conflict',
  'contact',
  'delivery',
  'drill',
  'erasure',
  'event',
  'key',
  'label',
  'mapping',
  'rejection',
  'rules',
  'run',
  'sample',
  'secrets',
  'sector',
  'target',
  'token',
  'webhook',
] as const;
export type AuditTargetType = (typeof auditTargetTypes)[number];

/** The verbs of each noun. An action is `noun.verb`. */
export const auditVerbs = {
  agent: ['change', 'create', 'delete'],
  audit: ['forget', 'redact'],
  backup: ['verify'],
  block: ['remove'],
  channel: ['change', 'create', 'delete'],
  chat: ['close', 'join', 'label', 'leave', 'start', 'take', 'transfer'],
  conflict: ['dismiss'],
  contact: ['change', 'create', 'erase', 'merge', 'unmerge'],
  delivery: ['retry'],
  discard: ['cancel', 'create'],
  drill: ['start'],
  erasure: ['finish'],
  event: ['discard', 'export', 'remap', 'replay', 'reveal', 'test', 'test_delete'],
  key: ['import', 'revoke', 'rotate'],
  label: ['change', 'create', 'delete'],
  mapping: ['create'],
  rejection: ['delete', 'record'],
  replay: ['cancel', 'create'],
  rules: ['change'],
  sample: ['change', 'create', 'delete'],
  secrets: ['rotate'],
  sector: ['change', 'create', 'delete'],
  target: ['change', 'create', 'delete'],
  token: ['change', 'create', 'revoke'],
  webhook: [
    'activate',
    'archive',
    'configure',
    'create',
    'pause',
    'restore',
    'resume',
    'rollback',
    'schedule',
    'schedule_failed',
    'unschedule',
    'update',
  ],
} as const;
type Verbs = typeof auditVerbs;
export type AuditAction = {
  [Noun in keyof Verbs]: `${Noun}.${Verbs[Noun][number]}`;
}[keyof Verbs];

export type AuditTarget = { readonly type: AuditTargetType; readonly id: string };

export type AuditFacts = Readonly<Record<string, unknown>> | null;

/** The parts of a row that can be redacted before the row is deleted. */
type AuditDetails = {
  readonly before: AuditFacts;
  readonly after: AuditFacts;
  readonly address: string | null;
};

/** A row without id and time. */
export type AuditEntry = {
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly target: AuditTarget;
  /** `before` and `after`: null when absent. */
  readonly before?: AuditFacts;
  readonly after?: AuditFacts;
};

export type AuditRow = AuditDetails & {
  readonly _id: string;
  readonly at: Date;
  readonly actor: { readonly tokenId: string; readonly name: string };
  readonly action: string;
  readonly target: AuditTarget;
  /** When the details were erased with the person whom they named. */
  readonly redactedAt: Date | null;
};
