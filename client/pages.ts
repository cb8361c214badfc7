/** Reads whole lists. */
import type { Answer, Client, Operation, PartOf, Request } from './client.ts';

/** An item of a list that has pages with numbers. */
export type Item<Name extends Operation> =
  Answer<Name> extends { results: (infer One)[] } ? One : never;
type Filters<Name extends Operation> = PartOf<Name, 'query'> & object;

/** Every item, in the order of creation, so that what is created while they are read comes last. */
export async function listAll<Name extends Operation>(
  client: Client,
  name: Name,
  filters: Partial<Filters<Name>> = {},
): Promise<Item<Name>[]> {
  const items: Item<Name>[] = [];
  const { per_page: perPage = 200 } = filters as { readonly per_page?: number };
  for (let page = 1; ; page += 1) {
    const query = { sort_by: 'createdAt', ...filters, current_page: page, per_page: perPage };
    const { results } = (await client.call(name, { query } as Request<Name>)) as {
      readonly results: Item<Name>[];
    };
    items.push(...results);
    if (results.length < perPage) return items;
  }
}
