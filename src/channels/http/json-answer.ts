/** The answers of destinations that speak JSON. */

type Json = Readonly<Record<string, unknown>>;
export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null;

/** Returns an empty object for an answer that is no JSON object, or was cut. */
export function jsonIn(body: string): Json {
  try {
    const parsed: unknown = JSON.parse(body);
    return isJson(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
