// Loaded before a worker under test: reading a body that contains POISON never ends.
const parse = JSON.parse;
const mark = process.env.POISON ?? '';
/** Nobody changes it: the thread waits for ever, and takes no processor. */
const never = new Int32Array(new SharedArrayBuffer(4));

JSON.parse = (text, ...rest) => {
  while (mark !== '' && text.includes(mark)) Atomics.wait(never, 0, 0);
  return parse(text, ...rest);
};
