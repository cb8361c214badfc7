import type { TestApi } from './test-api.ts';

/** Returns the audit rows that match a query, as the API shows them, oldest first. At most 200. */
export async function auditRows(
  { ask }: Pick<TestApi, 'ask'>,
  query: Readonly<Record<string, string>>,
) {
  const parameters = new URLSearchParams({ ...query, per_page: '200' });
  const { status, text, body } = await ask('GET', `/v1/admin/audit?${parameters.toString()}`);
  if (status !== 200) throw new Error(`The audit log was answered with ${status}: ${text}`);
  const rows: { id: string; action: string; actor: { name: string } }[] = body.data.results;
  return rows.toReversed();
}
