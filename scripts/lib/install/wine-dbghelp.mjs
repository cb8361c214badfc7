// A dbghelp.dll for mongod under Wine whose functions all fail. Wine's own reads the debug information of every library at each
// start: a second of CPU, and a heap that is slower to allocate from afterwards. mongod uses it for stack traces only.

const names = [
  'EnumerateLoadedModules64',
  'MiniDumpWriteDump',
  'StackWalk64',
  'SymCleanup',
  'SymFromAddr',
  'SymGetLineFromAddr64',
  'SymGetModuleInfo64',
  'SymGetOptions',
  'SymInitialize',
  'SymInitializeW',
  'SymLoadModule64',
  'SymSetOptions',
];

const imageBase = 0x6f_0000_0000n;
const codeAt = 0x1000;
const headersSize = 0x200;
/** `xor eax, eax; ret`: zero is the failure of each of these functions. */
const code = Buffer.from([0x31, 0xc0, 0xc3]);

/** The code and the export table, as they are in memory from `codeAt` on. */
function section() {
  const tableAt = codeAt + 16;
  const addressesAt = tableAt + 40;
  const namesAt = addressesAt + names.length * 4;
  const ordinalsAt = namesAt + names.length * 4;
  const libraryAt = ordinalsAt + names.length * 2;
  const library = 'dbghelp.dll\0';
  const bytes = Buffer.alloc(0x400);
  const put32 = (/** @type {number} */ value, /** @type {number} */ at) =>
    bytes.writeUInt32LE(value, at - codeAt);
  code.copy(bytes);
  put32(libraryAt, tableAt + 12);
  put32(1, tableAt + 16);
  put32(names.length, tableAt + 20);
  put32(names.length, tableAt + 24);
  put32(addressesAt, tableAt + 28);
  put32(namesAt, tableAt + 32);
  put32(ordinalsAt, tableAt + 36);
  bytes.write(library, libraryAt - codeAt);
  let at = libraryAt + library.length;
  for (const [index, name] of names.entries()) {
    put32(codeAt, addressesAt + index * 4);
    put32(at, namesAt + index * 4);
    bytes.writeUInt16LE(index, ordinalsAt - codeAt + index * 2);
    at += bytes.write(`${name}\0`, at - codeAt);
  }
  return { bytes, tableAt, tableSize: at - tableAt };
}

/** The file, in the PE32+ format: https://learn.microsoft.com/windows/win32/debug/pe-format */
export function failingDbghelp() {
  const { bytes, tableAt, tableSize } = section();
  const headers = Buffer.alloc(headersSize);
  const [peAt, optionalSize] = [0x40, 112 + 16 * 8];
  headers.write('MZ');
  headers.writeUInt32LE(peAt, 0x3c);
  headers.write('PE\0\0', peAt);
  headers.writeUInt16LE(0x8664, peAt + 4); // x86-64
  headers.writeUInt16LE(1, peAt + 6); // sections
  headers.writeUInt16LE(optionalSize, peAt + 20);
  headers.writeUInt16LE(0x2022, peAt + 22); // executable, large addresses, DLL
  const optional = peAt + 24;
  headers.writeUInt16LE(0x20b, optional);
  headers.writeUInt32LE(bytes.length, optional + 4); // size of code
  headers.writeUInt32LE(codeAt, optional + 20);
  headers.writeBigUInt64LE(imageBase, optional + 24);
  headers.writeUInt32LE(0x1000, optional + 32); // alignment in memory
  headers.writeUInt32LE(0x200, optional + 36); // alignment in the file
  headers.writeUInt16LE(6, optional + 40); // operating system
  headers.writeUInt16LE(6, optional + 48); // subsystem version
  headers.writeUInt32LE(codeAt + 0x1000, optional + 56); // size of the image
  headers.writeUInt32LE(headersSize, optional + 60);
  headers.writeUInt16LE(3, optional + 68); // console
  headers.writeUInt16LE(0x100, optional + 70); // no-execute compatible
  headers.writeUInt32LE(16, optional + 108); // directories, of which the first is the export table
  headers.writeUInt32LE(tableAt, optional + 112);
  headers.writeUInt32LE(tableSize, optional + 116);
  const entry = optional + optionalSize;
  headers.write('.text', entry);
  headers.writeUInt32LE(bytes.length, entry + 8);
  headers.writeUInt32LE(codeAt, entry + 12);
  headers.writeUInt32LE(bytes.length, entry + 16);
  headers.writeUInt32LE(headersSize, entry + 20);
  headers.writeUInt32LE(0x6000_0020, entry + 36); // code, executable, readable
  return Buffer.concat([headers, bytes]);
}
