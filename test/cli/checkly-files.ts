/** A project of Checkly as people publish it. It is kept as texts, so that nothing here takes it for its own. */
import { cpSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

export function writeChecklyProject(folder: string): void {
  cpSync(join(__dirname, 'files', 'checkly'), folder, { recursive: true });
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.txt'))
      renameSync(join(folder, name), join(folder, name.replace(/\.txt$/, '')));
}
