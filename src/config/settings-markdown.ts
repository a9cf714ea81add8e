/** Renders the table of docs/operations.md from the settings table. */
import { addDeprecation } from '../domain/compatibility/deprecated-names';
import { type Role, readSettings, SettingsError } from './settings';
import { SETTINGS_TABLE } from './settings-table';

const ROLES: readonly Role[] = ['api', 'orchestrator', 'probe'];

/** Returns a Markdown table with one row per setting, ending in a newline. */
export function renderSettingsTable(): string {
  const rows = Object.entries(SETTINGS_TABLE).map(([name, { example, meaning, isSecret }]) => {
    const roles = listRequiringRoles(name);
    const about = addDeprecation(meaning, `setting ${name}`);
    const start = roles.length === 0 ? example : `required by ${roles.join(', ')}`;
    const names = isSecret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
    return `| ${names} | ${start} | ${about.replaceAll('|', '\\|')} |\n`;
  });
  return `| name | default | meaning |\n|---|---|---|\n${rows.join('')}`;
}

/** The roles that require the setting. */
export function listRequiringRoles(name: string): readonly Role[] {
  return ROLES.filter((role) => isRequired(name, role));
}

/**
 * True if the role cannot be configured without the setting. Tries to read the role's settings from an empty
 * environment.
 */
function isRequired(name: string, role: Role): boolean {
  try {
    readSettings(role, {});
    return false;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.some((problem) => problem.startsWith(`${name} is required by ${role}`));
  }
}
