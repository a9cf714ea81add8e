/**
 * A typical Checkly project. It is stored as text, so that our tools do not treat it as source
 * code.
 */
import { cpSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

export function writeChecklyProject(folder: string): void {
  cpSync(join(__dirname, 'files', 'checkly'), folder, { recursive: true });
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.txt'))
      renameSync(join(folder, name), join(folder, name.replace(/\.txt$/, '')));
}
