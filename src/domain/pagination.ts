/** One page of a list. `sort` names record fields; every order ends by `_id`. */
export type Page = {
  readonly skip: number;
  readonly limit: number;
  readonly sort: Readonly<Record<string, 1 | -1>>;
};

/** `total` counts what the filters let through, on all pages; where it is not exact, there are at least so many. */
export type Paged<Item> = {
  readonly results: Item[];
  readonly total: number;
  /** Left out: it is. */
  readonly isExact?: boolean;
};

export type DateRange = { readonly from?: Date; readonly to?: Date };
