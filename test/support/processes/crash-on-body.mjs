// Loaded before a worker under test: reading a body that has the word POISON in it ends the process, as a crash would.
const parse = JSON.parse;
const mark = process.env.POISON ?? '';

JSON.parse = (text, ...rest) => {
  if (mark !== '' && text.includes(mark)) process.kill(process.pid, 'SIGKILL');
  return parse(text, ...rest);
};
