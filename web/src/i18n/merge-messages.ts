/** What the files of one language say together. */
export type Messages = Readonly<Record<string, string>>;

export const merged = (files: Readonly<Record<string, Messages>>): Messages =>
  Object.assign({}, ...Object.values(files)) as Messages;
