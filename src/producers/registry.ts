/** All producers. */
import type { Payload } from '../domain/mappings/mapping.ts';
import { activecampaign } from './activecampaign/activecampaign.ts';
import { bitrix24 } from './bitrix24/bitrix24.ts';
import { calendly } from './calendly/calendly.ts';
import { cloudflareEmail } from './cloudflare-email/cloudflare-email.ts';
import { evolution } from './evolution/evolution.ts';
import { generic } from './generic/generic.ts';
import { hotmart } from './hotmart/hotmart.ts';
import { hubspot } from './hubspot/hubspot.ts';
import { intercom } from './intercom/intercom.ts';
import { kommo } from './kommo/kommo.ts';
import { mailchimp } from './mailchimp/mailchimp.ts';
import { mailgun } from './mailgun/mailgun.ts';
import { meta } from './meta/meta.ts';
import { nuvemshop } from './nuvemshop/nuvemshop.ts';
import { pipedrive } from './pipedrive/pipedrive.ts';
import { postmark } from './postmark/postmark.ts';
import type { Producer } from './producer.ts';
import { rdStation } from './rd-station/rd-station.ts';
import { sendgrid } from './sendgrid/sendgrid.ts';
import { shopify } from './shopify/shopify.ts';
import { slack } from './slack/slack.ts';
import { standardWebhooks } from './standard-webhooks/standard-webhooks.ts';
import { stripe } from './stripe/stripe.ts';
import { telegram } from './telegram/telegram.ts';
import { twilio } from './twilio/twilio.ts';
import { typeform } from './typeform/typeform.ts';
import { waha } from './waha/waha.ts';
import { whatsapp } from './whatsapp/whatsapp.ts';
import { wordpressForms } from './wordpress-forms/wordpress-forms.ts';
import { zendesk } from './zendesk/zendesk.ts';

export const producers = {
  generic,
  activecampaign,
  bitrix24,
  calendly,
  'cloudflare-email': cloudflareEmail,
  evolution,
  hotmart,
  hubspot,
  intercom,
  kommo,
  mailchimp,
  mailgun,
  meta,
  nuvemshop,
  pipedrive,
  postmark,
  'rd-station': rdStation,
  sendgrid,
  shopify,
  slack,
  'standard-webhooks': standardWebhooks,
  stripe,
  telegram,
  twilio,
  typeform,
  waha,
  whatsapp,
  'wordpress-forms': wordpressForms,
  zendesk,
} satisfies Record<string, Producer>;

const byName: ReadonlyMap<string, Producer> = new Map(Object.entries(producers));

/** Returns the producer of a webhook's profile; the generic one for an unknown profile. */
export const producerOf = (profile: string): Producer => byName.get(profile) ?? generic;

export type Detected = { readonly name: string; readonly confidence: number };

/** Returns the producers that may have sent the payload, the likeliest first. */
export function detectProducer(payload: Payload): Detected[] {
  return [...byName.values()]
    .map(({ name, detect }) => ({ name, confidence: detect?.(payload) ?? 0 }))
    .filter(({ confidence }) => confidence > 0)
    .toSorted((a, b) => b.confidence - a.confidence || (a.name < b.name ? -1 : 1));
}

/** Whether an event without name, phone and e-mail makes a contact: the setting of the webhook, or what its producer needs. */
export const allowsEmptyPerson = (webhook: {
  readonly producerProfile: string;
  readonly settings: { readonly allowEmptyPerson?: boolean };
}): boolean =>
  webhook.settings.allowEmptyPerson ??
  producerOf(webhook.producerProfile).sendsFieldsApart ??
  false;
