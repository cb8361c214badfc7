import { fieldRegisterKey, fieldsOf } from '../../../src/domain/people/contact.ts';

test.each(['plain', 'a.b', '$x', '__proto__', '%2E', 'ção', '\ud800'])(
  'a field called %j keeps its name through its register',
  (name) => {
    const registers = { [fieldRegisterKey(name)]: { value: 'v', stamp: '' } };
    expect(Object.keys(registers)[0]).toMatch(/^f:[^.$]*$/);
    expect(Object.keys(fieldsOf(registers))).toEqual([name.toWellFormed()]);
  },
);
