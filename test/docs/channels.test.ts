/** Tests that docs/channels.md has an example of every type of channel and names all of its fields. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CHANNELS } from '../../src/notify/channels/registry';
import { ROOT } from './read-docs';

const page = readFileSync(path.join(ROOT, 'docs/channels.md'), 'utf8');
const sections = page.split(/^###? /m);

test.each(CHANNELS.map(({ type, fields }) => ({ type, names: Object.keys(fields) })))(
  'docs/channels.md has an example of $type and names its fields',
  ({ type, names }) => {
    const section = sections.find((text) => text.includes(` type: ${type},`)) ?? '';
    expect(section).toContain('alertChannels:');
    const text = section.replaceAll(/^```yaml[\s\S]*?^```/gm, '');
    expect(names.filter((name) => !new RegExp(`\`${name}\\??\``).test(text))).toEqual([]);
  },
);
