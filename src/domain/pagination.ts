/** One page of a list. `sort` has record fields; every order ends with `_id`. */
export type Page = {
  readonly skip: number;
  readonly limit: number;
  readonly sort: Readonly<Record<string, 1 | -1>>;
};

/** `total` is the number of matches on all pages. If it is not exact, it is a lower bound. */
export type Paged<Item> = {
  readonly results: Item[];
  readonly total: number;
  /** Absent: exact. */
  readonly isExact?: boolean;
};

export type DateRange = { readonly from?: Date; readonly to?: Date };
