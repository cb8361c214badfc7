/** The port that destinations multiply behind. */
import type { ChannelKind } from '../domain/channel.ts';

export type Channel = {
  readonly kind: ChannelKind;
  /** JSON Schema of the kind's settings. */
  readonly settingsSchema: Readonly<Record<string, unknown>>;
};
