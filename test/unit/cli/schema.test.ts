// The command does not check the schema of its files at each use: it costs a third of the time of its compilation.
import { Ajv2020 } from 'ajv/dist/2020.js';
import schema from '../../../cli/configuration/inlet.schema.json' with { type: 'json' };

test('the schema of configuration files is a valid JSON Schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  expect(ajv.validateSchema(schema)).toBe(true);
  expect(ajv.validateSchema({ ...schema, properties: { wrong: { type: 1 } } })).toBe(false);
});
