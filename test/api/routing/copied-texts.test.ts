/** Tests that responses and patches take the descriptions of their fields from bodies. */

import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import { copyTexts } from '../../../src/api/openapi/copy-texts';

const TEXT = 'Seconds between two checks';

function copied(name: string, response: z.ZodType): unknown {
  const body = z.strictObject({ interval: z.int().describe(`${TEXT}. Default: 60`) });
  const document = createDocument({
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    components: { schemas: { MonitorBody: body, [name]: response } },
  });
  copyTexts(document);
  return document.components?.schemas?.[name];
}

const shape = z.object({ interval: z.int() });

test('a field of a response gets its description from the body, and the default as its example', () => {
  expect(copied('ListedMonitor', shape)).toMatchObject({
    properties: { interval: { description: TEXT, example: 60 } },
  });
});

test('the description of a field in a patch still names the default', () => {
  expect(copied('MonitorPatch', shape)).toMatchObject({
    properties: { interval: { description: `${TEXT}. Default: 60` } },
  });
});

test('a field with its own description keeps that description, also inside a list', () => {
  const own = z.object({ interval: z.int().nullable().describe('As stored') });
  expect(copied('Monitor', z.array(own))).toMatchObject({
    items: { properties: { interval: { description: 'As stored' } } },
  });
});

test('a schema of an object that has no body stays unchanged', () => {
  expect(copied('Region', shape)).toMatchObject({
    properties: { interval: expect.not.objectContaining({ description: TEXT }) },
  });
});
