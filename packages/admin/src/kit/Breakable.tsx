import { Fragment } from 'react';

/** Text that breaks after punctuation first, so that e-mails and paths break within a word only if they must. */
export const Breakable = ({ children }: { children: string }) =>
  [...children.matchAll(/.+?(?:[@./_:-]+|$)/gs)].map(({ index, 0: part }) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
