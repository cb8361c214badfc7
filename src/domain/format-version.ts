/**
 * The version of the stored documents that this release reads and writes. It grows by one when a document gets a form or a meaning
 * that the release before does not know. Release 0.1.0 has no version, which counts as 0.
 *
 * A document of a newer form carries `needs`, the version that a process needs to work on it. Processes with a lower version leave it
 * to others. docs/recipes/change-a-document-format.md says in which order a form is introduced.
 */
export const formatVersion = 1;
