/** Text without spaces: where it is too long for its line it goes on behind a joint, and only else in the middle of a word. */
import { Fragment } from 'react';
import { partsOf } from './line-breaks.ts';

export const Breakable = ({ children }: { readonly children: string }) => (
  <span className="break">
    {partsOf(children).map((part, at) => (
      // oxlint-disable-next-line react/no-array-index-key -- parts of one text have no other name
      <Fragment key={at}>
        {at > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </span>
);
