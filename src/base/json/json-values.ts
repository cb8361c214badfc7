export type JsonObject = Readonly<Record<string, unknown>>;

export const isText = (value: unknown): value is string => typeof value === 'string';

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the objects of a list; none of any other value. */
export const objectsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Returns the object of a JSON text; an empty one for any other text. */
export function jsonObjectIn(text: string): JsonObject {
  try {
    const parsed: unknown = JSON.parse(text);
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
