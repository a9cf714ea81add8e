/** Renders `.env.example` from the settings table. */
import { SETTINGS_IN_FILES } from './settings-in-files';
import { SETTINGS_TABLE } from './settings-table';

/** Returns the whole text of `.env.example`, ending in a newline. */
export function renderEnvExample(): string {
  const blocks = Object.entries(SETTINGS_TABLE).map(
    ([name, { example, meaning }]) =>
      `# ${meaning}\n${example === '' ? '# ' : ''}${name}=${example}`,
  );
  const inFiles = SETTINGS_IN_FILES.map((name) => `# ${name}_FILE`).join('\n');
  return `# Settings of Keepwatch. \`npm start\` needs none of them.\n# Settings that contain secrets can be read from a file instead of the environment:\n${inFiles}\n\n${blocks.join('\n\n')}\n`;
}
