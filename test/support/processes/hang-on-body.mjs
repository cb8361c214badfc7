// Loaded before a worker under test: reading a body that contains POISON never ends.
const parse = JSON.parse;
const mark = process.env.POISON ?? '';

JSON.parse = (text, ...rest) => {
  while (mark !== '' && text.includes(mark));
  return parse(text, ...rest);
};
