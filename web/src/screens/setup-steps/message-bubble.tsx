import { SampleText } from '../../ui/text/sample-text.tsx';

const maxLength = 800;

/** A chat message bubble. */
export const MessageBubble = ({ text }: { readonly text: string }) => (
  <p className="bubble">
    <SampleText text={text} maxLength={maxLength} />
  </p>
);
