/** The default region of phone numbers, a setting of every kind. */
export const regionSetting = {
  type: 'string',
  pattern: '^[A-Z]{2}$',
  description: 'The region of phone numbers without a country code.',
} as const;
