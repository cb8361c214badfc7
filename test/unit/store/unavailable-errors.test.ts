import { isStoreError, isUnavailable, mapUnavailable } from '../../../src/store/db/errors.ts';

const broken = (code: string) =>
  Object.assign(new Error(`write ${code}`), { code, syscall: 'write' });

test.each(['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH'])(
  'a socket that ends with %s means an unavailable database, not an internal error',
  async (code) => {
    expect(isStoreError(broken(code))).toBe(true);
    const read = () => Promise.reject(broken(code));
    await expect(mapUnavailable(read)).rejects.toMatchObject({ code: 'unavailable' });
  },
);

test('an internal error is passed on unchanged', () => {
  expect(isUnavailable(new TypeError('is not a function'))).toBe(false);
  expect(isUnavailable(broken('ERR_INVALID_ARG_TYPE'))).toBe(false);
  expect(isStoreError(new TypeError('is not a function'))).toBe(false);
});
