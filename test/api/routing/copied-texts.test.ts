/** Descriptions that responses and patches take from bodies. */

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

test('a field of a response has the description of the body, and its default as example', () => {
  expect(copied('ListedMonitor', shape)).toMatchObject({
    properties: { interval: { description: TEXT, example: 60 } },
  });
});

test('a field of a patch keeps the words about the default', () => {
  expect(copied('MonitorPatch', shape)).toMatchObject({
    properties: { interval: { description: `${TEXT}. Default: 60` } },
  });
});

test('a field keeps its own description, also inside a list', () => {
  const own = z.object({ interval: z.int().nullable().describe('As stored') });
  expect(copied('Monitor', z.array(own))).toMatchObject({
    items: { properties: { interval: { description: 'As stored' } } },
  });
});

test('a schema without a body stays unchanged', () => {
  expect(copied('Region', shape)).toMatchObject({
    properties: { interval: expect.not.objectContaining({ description: TEXT }) },
  });
});
