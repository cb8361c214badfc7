/** A stored body, read again as processing reads it: whom it names, and what it is without some of its items. */
import { identitiesOf } from '../domain/contact.ts';
import type { ChannelRecord } from '../domain/channel.ts';
import type { Delivery, EventRecord } from '../domain/event.ts';
import type { Webhook } from '../domain/webhook.ts';
import { applyItem, splitItems } from '../mapping/apply.ts';
import { createCompiledVersions, type StoredMappings } from '../mapping/versions.ts';
import { producerOf } from '../producers/registry.ts';
import { without, type Person } from './person.ts';

export type PagesDeps = {
  readonly webhooks: { get(id: string): Promise<Webhook | null> };
  readonly channels: { get(id: string): Promise<ChannelRecord | null> };
  readonly mappings: StoredMappings;
  readonly defaultRegion: string;
};

export type Page = {
  /** None where its mapping makes none of it. */
  readonly items: readonly unknown[];
  /** Whether one of its items names the person, or all of it. */
  names(person: Person, item?: unknown): boolean;
  /** Without these items and without any other mention; null where it cannot be cut. */
  without(person: Person, indexes: readonly number[]): Delivery | null;
};

export function createPages(deps: PagesDeps) {
  const compiled = createCompiledVersions(deps.mappings);

  async function regionOf(channelId: string): Promise<string> {
    const region = (await deps.channels.get(channelId))?.settings.region;
    return typeof region === 'string' ? region : deps.defaultRegion;
  }

  async function read(event: EventRecord, delivery: Delivery): Promise<Page> {
    const { webhookId, mappingVersion, channelId } = event;
    const profile = (await deps.webhooks.get(webhookId))?.producerProfile ?? '';
    const mapping = await compiled(webhookId, mappingVersion);
    const region = await regionOf(channelId);
    const { body, contentType, headers, query } = delivery;
    const decoded = producerOf(profile).decodeBody({ contentType, body });
    const payload = decoded.ok ? { body: decoded.value, headers, query } : null;
    const split = mapping?.splits && payload ? splitItems(mapping, payload) : null;
    const items = split?.ok ? split.items : [];

    function identifies(person: Person, item: unknown): boolean {
      if (!payload || !mapping) return false;
      const given = item === undefined ? {} : { item };
      const { contact } = applyItem(mapping, payload, { defaultRegion: region, ...given });
      const identities = identitiesOf(contact, { channelId, webhookId });
      return identities.some(({ _id }) => person.identityIds.has(_id));
    }

    return {
      items,
      names(person, item) {
        const whole = payload ? [payload.body, headers, query] : body.toString();
        const text = item === undefined ? whole : item;
        return identifies(person, item) || person.mentionedIn(text, region);
      },
      without(person, indexes) {
        const parts = [...new Set(indexes)].map((index) => items[index]);
        const rest = payload && without(payload.body, parts);
        if (!rest) return null;
        return {
          body: Buffer.from(JSON.stringify(person.takenOut(rest.value, region))),
          contentType: 'application/json',
          headers: textsOf(person.takenOut(headers, region)),
          query: textsOf(person.takenOut(query, region)),
        };
      },
    };
  }

  return { regionOf, read };
}

const textsOf = (values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values as Record<string, unknown>).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  );
