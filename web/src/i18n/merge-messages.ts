/** Merges the message files of one language. */
export type Messages = Readonly<Record<string, string>>;

export const mergeMessages = (files: Readonly<Record<string, Messages>>): Messages =>
  Object.assign({}, ...Object.values(files)) as Messages;
