/** Renders the tables of docs/settings.md from the settings table. */
import { addDeprecation } from '../domain/compatibility/deprecated-names';
import { SETTING_GROUPS } from './setting-groups';
import { type Role, readSettings, SettingsError } from './settings';
import { SETTINGS_TABLE } from './settings-table';

const ROLES: readonly Role[] = ['api', 'orchestrator', 'probe'];

/** Returns a Markdown table with one row per setting for each group, below the heading of the group. */
export function renderSettings(): string {
  return SETTING_GROUPS.map(
    ([title, names]) =>
      `\n## ${title}\n\n| name | default | meaning |\n|---|---|---|\n${names.map(renderRow).join('')}`,
  ).join('');
}

function renderRow(name: keyof typeof SETTINGS_TABLE): string {
  const { example, meaning, isSecret } = SETTINGS_TABLE[name];
  const roles = listRequiringRoles(name);
  const about = addDeprecation(meaning, `setting ${name}`);
  const start = roles.length === 0 ? example : `required by ${roles.join(', ')}`;
  const names = isSecret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
  return `| ${names} | ${start} | ${about.replaceAll('|', '\\|')} |\n`;
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
