/**
 * Resends of an event and their differences.
 *
 * Promises: bodies are compared with the event's current body. Credentials are masked on both sides, but a
 * difference between them is reported.
 */
import { orNotFound } from '../../base/errors.ts';
import { changesBetween, valueAt, type ValueChange } from '../../domain/events/json-diff.ts';
import type { EventRecord, Resend } from '../../domain/events/event.ts';
import { readContent } from '../samples/event-content.ts';
import { maskBody } from '../samples/mask-credentials.ts';
import type { ApiContext } from '../context.ts';

/** The first inbound request, as far as the event stores it. */
const firstRequest = ({ receivedAt, bodySha256, firstSha256 }: EventRecord): Resend => ({
  n: 1,
  at: receivedAt,
  bodySha256: firstSha256 ?? bodySha256,
  revived: false,
});

/** Compares unmasked bodies and masks the values: that a secret changed is shown, the secret is not. */
function maskedChanges(own: unknown, other: unknown): ValueChange[] {
  const [before, after] = [maskBody(own), maskBody(other)];
  return changesBetween(own, other).map(({ path, kind }) => ({
    path,
    kind,
    before: valueAt(before, path) ?? null,
    after: valueAt(after, path) ?? null,
  }));
}

/** Returns the last 50 resends and the first request, newest first. Throws `not_found`. */
export async function listResends(deps: ApiContext, eventId: string) {
  const { events, resendBodies } = deps;
  const event = orNotFound(await events.get(eventId));
  const all = [firstRequest(event), ...(event.resends ?? [])].toReversed();
  const kept = await resendBodies.getBodies(eventId, event.resentBodies ?? []);
  const own = kept.size > 0 ? (await readContent(deps, event)).payload : null;
  const changes = new Map<string, ValueChange[]>();
  for (const [hash, body] of kept) {
    const { payload } = await readContent(deps, body);
    changes.set(hash, maskedChanges(own, payload));
  }
  return all.map(({ n, at, bodySha256, revived }) => {
    const isSame = bodySha256 === event.bodySha256;
    return {
      number: n,
      at,
      bodySha256,
      sameBody: isSame,
      revived,
      changes: isSame ? null : (changes.get(bodySha256) ?? null),
    };
  });
}
