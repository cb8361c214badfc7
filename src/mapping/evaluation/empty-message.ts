/** The problem of an event whose message is mapped and empty. */
import type {
  MappedEvent,
  MappingDocument,
  MappingProblem,
} from '../../domain/mappings/mapping.ts';

/**
 * Returns the problems of an event with that of an empty message, which no other problem explains. It is none of the mapping: many events
 * of a sender have no text. A chat shows a message in any case, so that only this says that the payload had none.
 */
export function withEmptyMessage(
  { message }: Pick<MappingDocument, 'message'>,
  event: Pick<MappedEvent, 'ignored' | 'message' | 'problems'>,
): MappingProblem[] {
  const { ignored, problems } = event;
  const isEmpty = message?.text !== undefined && ignored === null && event.message.text === null;
  if (!isEmpty || problems.some(({ target }) => target === emptyMessage.target)) return problems;
  return [...problems, emptyMessage];
}

const emptyMessage: MappingProblem = {
  target: 'message.text',
  code: 'message_empty',
  message: 'problem.message_empty',
};
