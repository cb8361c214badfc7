import { isPhoneRegion, readPhone } from '../../domain/phone.ts';
import type { Transform } from '../transform.ts';
import { refuse } from '../transform.ts';

type Options = { region?: string };

export const phone: Transform<Options> = {
  name: 'phone',
  doc: "Reads a phone number as E.164; without a country code it belongs to `region`, or else to the channel's region.",
  examples: [{ options: { region: 'BR' }, from: '(11) 90000-0001', to: '+5511900000001' }],
  options: {
    type: 'object',
    properties: { region: { type: 'string', pattern: '^[A-Z]{2}$' } },
    additionalProperties: false,
  },
  check: ({ region }) =>
    region === undefined || isPhoneRegion(region) ? null : `There is no phone region ${region}.`,
  apply(value, { options, region }) {
    const read = readPhone(String(value), options.region ?? region);
    return read === null
      ? refuse('invalid_phone', 'The value is not a phone number.')
      : { value: read };
  },
};
