/** Text without spaces: where it is too long for its line it goes on behind a joint, and only else in the middle of a word. */
import { Fragment } from 'react';
import { splitAtLineBreaks } from './line-breaks.ts';

export const BreakableText = ({ children }: { readonly children: string }) => (
  <span className="break">
    {splitAtLineBreaks(children).map((part, at) => (
      // oxlint-disable-next-line react/no-array-index-key -- parts of one text have no other name
      <Fragment key={at}>
        {at > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </span>
);
