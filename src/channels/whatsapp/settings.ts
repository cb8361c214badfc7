/** The settings of a WhatsApp channel. */
import type { FieldProblem } from '../../base/errors.ts';
import type { ChannelSettings, OutboundOptions } from '../channel.ts';
import {
  deliverySettings,
  eventMessagesSetting,
  regionSetting,
  apiUrlSetting,
  apiUrlOf,
  originIn,
} from '../delivery-settings.ts';
import { urlProblems } from '../http/call-destination.ts';
import { templateValuesPattern } from './template-values.ts';

const defaultApiUrl = 'https://graph.facebook.com/v23.0';
const visible = '^[\\x21-\\x7e]+$';

export const settingsSchema = {
  type: 'object',
  properties: {
    phoneNumberId: {
      type: 'string',
      pattern: '^\\d{5,20}$',
      description: 'The id of the phone number: WhatsApp → API setup in the dashboard of the app.',
    },
    accessToken: {
      type: 'string',
      maxLength: 1_000,
      pattern: visible,
      writeOnly: true,
      description: 'A permanent token of a system user, with whatsapp_business_messaging.',
    },
    templateName: {
      type: 'string',
      pattern: '^[a-z0-9_]{1,512}$',
      description:
        'An approved template, sent when the contact has not written for 24 hours. Without it, such messages are dead.',
    },
    templateLanguage: {
      type: 'string',
      pattern: '^[a-z]{2,3}(?:_[A-Za-z]{2,4})?$',
      description: 'The language of the template, such as pt_BR.',
    },
    templateValues: {
      type: 'string',
      pattern: templateValuesPattern,
      maxLength: 2_000,
      description:
        'The values of its placeholders in order, with commas: text, contact.name, contact.phone, contact.email, contact.document, ' +
        'contact.externalId, contact.fields.… . `contact.name|there` has a default; `name=text` is for a named placeholder.',
    },
    testPhone: {
      type: 'string',
      pattern: '^\\+[1-9]\\d{6,14}$',
      description: 'The phone that receives test messages, with its country code.',
    },
    apiUrl: apiUrlSetting(`The Graph API with its version; ${defaultApiUrl} by default.`),
    ...eventMessagesSetting,
    ...deliverySettings('reconcile'),
    region: regionSetting,
  },
  required: ['phoneNumberId', 'accessToken'],
  additionalProperties: false,
} as const;

/** The phone number in the Graph API. */
export const endpointOf = (settings: ChannelSettings): string =>
  `${apiUrlOf(settings, defaultApiUrl)}/${String(settings.phoneNumberId)}`;

export const originOf = (settings: ChannelSettings): string | null =>
  originIn(endpointOf(settings));

export function validateSettings(
  settings: ChannelSettings,
  options: OutboundOptions,
): readonly FieldProblem[] {
  const { apiUrl, templateName, templateLanguage } = settings;
  const hasLanguage = templateName === undefined || templateLanguage !== undefined;
  return [
    ...(apiUrl === undefined ? [] : urlProblems(settings, 'apiUrl', options)),
    ...(hasLanguage
      ? []
      : [{ path: '/templateLanguage', message: 'field.required_with_template' as const }]),
  ];
}
