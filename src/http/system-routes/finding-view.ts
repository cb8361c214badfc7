/** How the findings of checks are shown. */
import { Type } from 'typebox';
import { findingResults, type Finding } from '../../admin/findings/finding.ts';
import { nullable, strictObject, stringEnum, text } from '../routing/schemas.ts';
import { viewsOf } from '../routing/view.ts';

const { field, view } = viewsOf<Finding>();
const finding = view({
  check: text,
  result: stringEnum(findingResults),
  text: field(text, (record, language) => record.text[language]),
  advice: field(
    nullable(Type.String({ description: 'What to do; null if nothing is.' })),
    ({ advice }, language) => advice && advice[language],
  ),
});

export const findingsAnswer = Type.Array(strictObject(finding.answer.properties), {
  description: 'What was checked, and what to do, in the caller’s language.',
});
export const presentFindings = (
  findings: readonly Finding[],
  language: Parameters<typeof finding.present>[1],
) => findings.map((one) => finding.present(one, language));
