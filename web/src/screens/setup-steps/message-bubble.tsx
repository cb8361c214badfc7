import { SampleText } from '../../ui/text/sample-text.tsx';
import styles from './setup-steps.module.css';

const maxLength = 800;

/** A chat message bubble. */
export const MessageBubble = ({ text }: { readonly text: string }) => (
  <p className={styles.bubble}>
    <SampleText text={text} maxLength={maxLength} />
  </p>
);
