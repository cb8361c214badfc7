/** A request as a producer sends it, but for its signature. In the form in which the API takes payloads. */
export type SampleRequest = {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly rawBody: string;
};

export const json = (
  body: object,
  headers: Readonly<Record<string, string>> = {},
): SampleRequest => ({
  contentType: 'application/json',
  headers,
  rawBody: JSON.stringify(body),
});

export const form = (
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): SampleRequest => ({
  contentType: 'application/x-www-form-urlencoded',
  headers,
  rawBody: new URLSearchParams(fields).toString(),
});

const boundary = '----------------------------inlet0sample';

export const multipart = (fields: Readonly<Record<string, string>>): SampleRequest => ({
  contentType: `multipart/form-data; boundary=${boundary}`,
  headers: {},
  rawBody: [
    ...Object.entries(fields).map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    `--${boundary}--\r\n`,
  ].join(''),
});
