/** Who changed what, and from what to what. Secrets and payloads are never part of a row. */

export type Actor = { readonly tokenId: string; readonly name: string };

export type AuditTarget = {
  readonly type: 'channel' | 'webhook' | 'mapping' | 'event' | 'delivery' | 'run' | 'token';
  readonly id: string;
};

export type AuditFacts = Readonly<Record<string, unknown>> | null;

/** A row before it has an id and a time. */
export type AuditEntry = {
  readonly actor: Actor;
  /** Noun and verb, such as `webhook.pause`. */
  readonly action: string;
  readonly target: AuditTarget;
  readonly before: AuditFacts;
  readonly after: AuditFacts;
};

export type AuditRow = AuditEntry & { readonly _id: string; readonly at: Date };
