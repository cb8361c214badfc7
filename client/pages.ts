/** Reads whole lists. */
import type { Answer, Client, Operation, Request } from './client.ts';

/** An item of a list that has pages with numbers. */
export type Item<Name extends Operation> =
  Answer<Name> extends { results: (infer One)[] } ? One : never;

const perPage = 200;

/** Every item, in the order of creation, so that what is created while they are read comes last. */
export async function listAll<Name extends Operation>(
  client: Client,
  name: Name,
): Promise<Item<Name>[]> {
  const items: Item<Name>[] = [];
  for (let page = 1; ; page += 1) {
    const query = { current_page: page, per_page: perPage, sort_by: 'createdAt' };
    const { results } = (await client.call(name, { query } as Request<Name>)) as {
      readonly results: Item<Name>[];
    };
    items.push(...results);
    if (results.length < perPage) return items;
  }
}
