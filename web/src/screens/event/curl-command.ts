/** The request as a curl command. The key and all masked values are left out. */

/** Inside single quotes only the quote itself is special. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const isOwn = (name: string): boolean => /^x-/i.test(name) && !/^x-(?:forwarded|real)/i.test(name);

type Given = {
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
};

export function curlCommand(origin: string, { payload, headers, query }: Given): string {
  const search = new URLSearchParams(query).toString();
  const address = `${origin}/v1/webhook/<KEY>${search === '' ? '' : `?${search}`}`;
  const own = Object.entries(headers).filter(([name]) => isOwn(name));
  return [
    `curl -sS ${quoted(address)}`,
    ...[['content-type', 'application/json'] as const, ...own].map(
      ([name, value]) => `-H ${quoted(`${name}: ${value}`)}`,
    ),
    `--data-binary ${quoted(JSON.stringify(payload))}`,
  ].join(' \\\n  ');
}
