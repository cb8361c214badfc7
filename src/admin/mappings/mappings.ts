/** Mapping versions: validated before they are saved; preview and comparison without effects. */
import { AppError, invalidField } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { MappingVersion } from '../../domain/mappings/mapping-version.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { compileMapping, type CompiledMapping } from '../../mapping/language/compile.ts';
import { previewMapping, type Preview } from '../../mapping/evaluation/preview.ts';
import { createDiff, type MappingDiff } from './mapping-diff.ts';
import { parsePayload, type PayloadInput } from '../payloads/payload.ts';
import type { AdminDeps } from '../dependencies.ts';

type PreviewInput = {
  readonly mapping?: unknown;
  readonly version?: number;
  readonly payload: PayloadInput;
};

type DiffInput = { readonly mapping: unknown; readonly last?: number };

const defaultLast = 200;

type MappingDeps = Pick<
  AdminDeps,
  'events' | 'mappings' | 'webhooks' | 'channels' | 'forget' | 'defaultRegion'
>;

/**
 * Compiles a mapping document. Throws `invalid_mapping` with all problems as JSON pointers into the request.
 */
function compile(document: unknown): CompiledMapping {
  const compiled = compileMapping(document);
  if (compiled.ok) return compiled.mapping;
  const fields = compiled.problems.map(({ path, ...fault }) => ({
    path: `/mapping${path}`,
    ...fault,
  }));
  throw new AppError('invalid_mapping', { details: { fields } });
}

export function createMappings(deps: MappingDeps) {
  const { mappings, webhooks, channels, forget, defaultRegion } = deps;
  const diff = createDiff(deps.events);

  async function webhookOf(id: string): Promise<Webhook> {
    const webhook = await webhooks.get(id);
    if (!webhook) throw new AppError('not_found');
    return webhook;
  }

  async function get(webhookId: string, version: number): Promise<MappingVersion> {
    const found = await mappings.get(webhookId, version);
    if (!found) throw new AppError('not_found');
    return found;
  }

  async function chooseMapping(webhookId: string, given: PreviewInput): Promise<CompiledMapping> {
    const { mapping, version } = given;
    if ((mapping === undefined) === (version === undefined)) {
      throw invalidField('/mapping', 'either mapping or version is required');
    }
    if (version === undefined) return compile(mapping);
    const found = await mappings.get(webhookId, version);
    if (found) return compile(found.mapping);
    throw invalidField('/version', 'is not a version of this webhook');
  }

  async function regionOf(channelId: string): Promise<string> {
    const region = (await channels.get(channelId))?.settings.region;
    return typeof region === 'string' ? region : defaultRegion;
  }

  return {
    get,
    list: mappings.list,

    async create(webhookId: string, document: unknown, actor: Actor): Promise<MappingVersion> {
      const { document: mapping } = compile(document);
      const saved = await mappings.create(webhookId, mapping, actor);
      forget(webhookId);
      if (saved.ok) return saved.value;
      if (saved.reason === 'not_found') throw new AppError('not_found');
      throw new AppError('invalid_transition', { details: { state: saved.reason } });
    },

    /** Applies a mapping to a payload and returns the result per target. No effects. */
    async preview(webhookId: string, given: PreviewInput): Promise<Preview> {
      const webhook = await webhookOf(webhookId);
      const mapping = await chooseMapping(webhookId, given);
      const payload = parsePayload(given.payload, webhook.producerProfile, '/payload');
      const region = await regionOf(webhook.channelId);
      return previewMapping(mapping, payload, { defaultRegion: region });
    },

    /** Compares the mapping with the active version over the last events. */
    async diff(
      webhookId: string,
      { mapping, last = defaultLast }: DiffInput,
    ): Promise<MappingDiff> {
      const webhook = await webhookOf(webhookId);
      const { activeVersion, producerProfile: profile } = webhook;
      const candidate = compile(mapping);
      const active = activeVersion === null ? null : await mappings.get(webhookId, activeVersion);
      return diff({
        webhookId,
        profile,
        active: active && compile(active.mapping),
        candidate,
        region: await regionOf(webhook.channelId),
        last,
      });
    },
  };
}
