/** Problems of a mapping document. The kinds are stable; the messages may change. */
import type { PublicText } from '../base/texts/texts.ts';

export const documentProblemKinds = [
  // An expression.
  'expression_syntax',
  'expression_quote',
  'expression_too_long',
  'expression_too_large',
  'expression_function',
  'expression_arguments',
  'expression_unsupported',
  // The options of a transform.
  'phone_region',
  'date_zone',
  'date_format',
  'lookup_twice',
  'replace_what',
  'replace_case',
  'replace_pattern',
  'replace_group',
  'split_pick',
  'truncate_ellipsis',
  'template_brace',
  'template_block',
  'template_too_long',
  // The document.
  'document_too_large',
  'too_many_sources',
  'too_much_work',
  'split_without_id',
  'constant_id',
  'source_kind',
  'transform_unknown',
  'part_unknown',
  'part_missing',
  'wrong_type',
  'not_a_choice',
  'too_short',
  'too_long',
  'out_of_range',
  'not_acceptable',
] as const;

export type DocumentProblemKind = (typeof documentProblemKinds)[number];

export interface DocumentProblem {
  kind: DocumentProblemKind;
  message: PublicText;
  /** The name, the bound or the choices that the problem is about. */
  about?: string;
}

/** `path` is a JSON pointer into the document. */
export interface LocatedDocumentProblem extends DocumentProblem {
  path: string;
}

export const documentProblem = (
  kind: DocumentProblemKind,
  message: PublicText,
  about?: string,
): DocumentProblem => ({
  kind,
  message,
  ...(about !== undefined && { about }),
});
