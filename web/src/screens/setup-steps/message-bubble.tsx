import { Shown } from '../../ui/data/sample-text.tsx';

const mostLetters = 800;

/** A message as it stands in a chat. */
export const Bubble = ({ text }: { readonly text: string }) => (
  <p className="bubble">
    <Shown text={text} mostLetters={mostLetters} />
  </p>
);
