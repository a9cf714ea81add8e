/** Renders `.env.example` from the settings table, so that the file cannot go stale. */
import { SETTINGS_TABLE } from './settings-table';

/** The whole text of `.env.example`, ending in a newline. */
export function renderEnvExample(): string {
  const blocks = Object.entries(SETTINGS_TABLE).map(
    ([name, { example, meaning }]) =>
      `# ${meaning}\n${example === '' ? '# ' : ''}${name}=${example}`,
  );
  return `# Settings of Keepwatch. \`npm start\` needs none of them.\n\n${blocks.join('\n\n')}\n`;
}
