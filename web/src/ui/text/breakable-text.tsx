/** Text without spaces, with line break opportunities behind separators. */
import { Fragment } from 'react';
import { splitAtLineBreaks } from './line-breaks.ts';

export const BreakableText = ({ children }: { readonly children: string }) => (
  <span className="break">
    {splitAtLineBreaks(children).map((part, at) => (
      // oxlint-disable-next-line react/no-array-index-key -- parts of one text have no other key
      <Fragment key={at}>
        {at > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </span>
);
