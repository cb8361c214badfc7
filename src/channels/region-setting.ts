/** The setting that every kind has. */
export const regionSetting = {
  type: 'string',
  pattern: '^[A-Z]{2}$',
  description: 'Where phone numbers without a country code belong.',
} as const;
