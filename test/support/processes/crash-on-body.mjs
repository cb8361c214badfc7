// Loaded before a worker under test: reading a body that contains POISON crashes the process.
const parse = JSON.parse;
const mark = process.env.POISON ?? '';

JSON.parse = (text, ...rest) => {
  if (mark !== '' && text.includes(mark)) process.kill(process.pid, 'SIGKILL');
  return parse(text, ...rest);
};
