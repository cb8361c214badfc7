/** What is sent to a contact: the text within 24 hours after the contact wrote, else the template of the channel. */
import { isText } from '../../base/json/json-values.ts';
import type { DeliveryOutcome } from '../../domain/messages/delivery.ts';
import type { ChannelSettings, OutgoingMessage } from '../channel.ts';
import { rejected } from '../outcomes.ts';
import { windowClosed } from './api-errors.ts';
import { templateParameters } from './template-values.ts';

const maxTextLength = 4_096;
export const windowHours = 24;
/** A message that is sent in the last minute may arrive after it. */
const windowMs = windowHours * 3_600_000 - 60_000;
const isOpen = (lastReplyAt: Date | undefined, now: Date): boolean =>
  lastReplyAt !== undefined && +now - +lastReplyAt < windowMs;

type Content = { readonly content: object } | { readonly outcome: DeliveryOutcome };

function textOf({ content: { text } }: OutgoingMessage): Content {
  if (text.trim() === '') return { outcome: rejected('no_text') };
  if (Array.from(text).length > maxTextLength) return { outcome: rejected('text_too_long') };
  return { content: { type: 'text', text: { preview_url: false, body: text } } };
}

function templateOf(message: OutgoingMessage, settings: ChannelSettings): Content {
  const { templateName, templateLanguage, templateValues } = settings;
  const parameters = templateParameters(isText(templateValues) ? templateValues : '', message);
  if (!parameters) return { outcome: rejected('no_template_value') };
  const components = parameters.length === 0 ? [] : [{ type: 'body', parameters }];
  return {
    content: {
      type: 'template',
      template: { name: templateName, language: { code: templateLanguage }, components },
    },
  };
}

export function contentOf(
  message: OutgoingMessage,
  settings: ChannelSettings,
  { lastReplyAt, now }: { readonly lastReplyAt: Date | undefined; readonly now: Date },
): Content {
  if (message.content.files) return { outcome: rejected('no_media') };
  if (isOpen(lastReplyAt, now)) return textOf(message);
  if (isText(settings.templateName)) return templateOf(message, settings);
  // Without a known reply, as for the phone of a test, WhatsApp decides: the person may have written before Inlet received.
  return lastReplyAt === undefined ? textOf(message) : { outcome: windowClosed };
}
