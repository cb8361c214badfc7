import { phoneRegionOf } from '../../domain/people/phone-region.ts';
import { isPhoneRegion, readPhone } from '../../domain/people/phone.ts';
import { documentProblem } from '../document-problem.ts';
import {
  readOptionPath,
  transformProblem,
  optionsSchema,
  placeholderMessage,
  type Transform,
} from './transform.ts';
import { isEmpty, toText } from '../value.ts';
import { textWith } from '../../base/texts/texts.ts';

type Options = { region?: string; regionPath?: string };

export const phone: Transform<Options> = {
  name: 'phone',
  doc: 'Reads a phone number as E.164. Accepts a plus or 00, a missing country code, a trunk zero, carrier digits, an extension or a remark (left out), tel: addresses, messenger addresses (also of a number that no numbering plan has any more) and a spreadsheet’s marks. A number that people write when they have none, such as (11) 99999-9999 or 123-456-7890, is empty. A number without a country code belongs to the country that `regionPath` reads in the item (BR, BRA, pt-BR, Brazil, Brasil, +55), or to `region`, or to the channel’s region. When `regionPath` reads a text that names no country, only `region` is used.',
  examples: [
    { options: { region: 'BR' }, from: '(11) 90000-0001', to: '+5511900000001' },
    {
      options: { regionPath: 'lead.country' },
      item: { lead: { country: 'Estados Unidos' } },
      from: '(202) 555-0143',
      to: '+12025550143',
    },
    { options: { region: 'BR' }, from: '0 15 11 3000-0047 ramal 12', to: '+551130000047' },
    { from: 'whatsapp:+5511900000042', to: '+5511900000042' },
    { from: '5511900000042@s.whatsapp.net', to: '+5511900000042' },
    { options: { region: 'GB' }, from: 'tel:07700-900138;ext=5', to: '+447700900138' },
  ],
  options: optionsSchema({
    region: { type: 'string', pattern: '^[A-Z]{2}$' },
    regionPath: { type: 'string', minLength: 1, maxLength: 512 },
  }),
  check: ({ region }) =>
    region === undefined || isPhoneRegion(region)
      ? null
      : documentProblem('phone_region', textWith('transform.phone_region', { region }), region),
  // The library takes 8 µs for a usual number and 80 µs for the longest text.
  workOf: (length) => 60 + 8 * Math.min(length, 64),
  paths: ({ regionPath }) => (regionPath === undefined ? [] : [['regionPath', regionPath]]),
  apply(value, context) {
    const { options, region: channelRegion } = context;
    const country =
      options.regionPath === undefined ? null : readOptionPath(context, options.regionPath);
    const region = isEmpty(country)
      ? (options.region ?? channelRegion)
      : (phoneRegionOf(toText(country) ?? '') ?? options.region ?? null);
    const read = readPhone(String(value), region);
    if (read.kind === 'number') return { value: read.e164 };
    return read.kind === 'placeholder'
      ? transformProblem('placeholder_value', placeholderMessage)
      : transformProblem('invalid_phone', 'problem.invalid_phone');
  },
};
