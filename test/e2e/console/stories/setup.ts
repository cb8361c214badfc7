// The setup of a webhook, from an empty system to the first message. The deep tier has it in the other languages and on a phone.
import { reachFirstMessage } from '../../../support/console/first-message.ts';

test('the steps of the setup lead from an empty system to the first message', () =>
  reachFirstMessage({ language: 'pt-BR' }));
