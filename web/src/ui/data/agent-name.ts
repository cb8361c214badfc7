/** The name of an agent. */
type Named = {
  readonly name: string;
  readonly last_name?: string | null;
  readonly lastName?: string | null;
};

export const agentNameOf = ({ name, last_name, lastName }: Named): string =>
  [name, last_name ?? lastName].filter(Boolean).join(' ');
