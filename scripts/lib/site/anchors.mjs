// The anchor of a heading: the one that Git hosts give it, so that a link works there and on the documentation site.

/** @param {string} heading its text, without markup */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
