/**
 * The version of the stored documents that this release reads and writes. It grows by one when a document gets a form or a meaning
 * that the release before does not know; between releases too, so that a database of a development version has a number of its own.
 *
 * A document of a newer form carries `needs`, the version that a process needs to work on it. Processes with a lower version leave it
 * to others. docs/recipes/change-a-document-format.md says in which order a form is introduced.
 */
export const formatVersion = 3;

/** A database of an earlier version is refused. While no release is published, it grows with `formatVersion`. */
export const earliestFormatVersion = 3;
