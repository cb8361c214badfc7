/** Retry of deliveries: of messages to channels, and of notices to targets. */
import { AppError, orNotFound } from '../../base/errors.ts';
import type { Failure, Result } from '../../base/result.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { DeliveryState } from '../../domain/messages/delivery.ts';

type Deliveries<Doc> = {
  readonly get: (id: string) => Promise<Doc | null>;
  readonly resend: (id: string, actor: Actor) => Promise<Result<Doc, Failure>>;
};

/** Retries a dead delivery. Throws, with the state, `invalid_transition` for any other. */
export async function retryDelivery<
  Doc extends { readonly delivery: { readonly state: DeliveryState } },
>({ get, resend }: Deliveries<Doc>, id: string, actor: Actor): Promise<Doc> {
  const resent = await resend(id, actor);
  if (resent.ok) return resent.value;
  const { state } = orNotFound(await get(id)).delivery;
  throw new AppError('invalid_transition', { details: { state } });
}
