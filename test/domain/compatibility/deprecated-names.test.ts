/** Tests that the text of a deprecated name, in the help and in the table of settings, contains its announcement. */
import { Command } from 'commander';
import { addExamples } from '../../../src/cli/help-examples';
import { addDeprecation } from '../../../src/domain/compatibility/deprecated-names';

const dates = { announcedOn: '2027-02-01', sunsetOn: '2028-02-01', page: 'docs/cli.md' };
const names = {
  'command old': { ...dates, instead: 'use new' },
  'option things list --label': { ...dates, instead: 'use --tag' },
  'setting OLD_PORT': { ...dates, instead: 'use PORT' },
};

test('the text of a deprecated name ends with the dates and the replacement', () => {
  expect(addDeprecation('port', 'setting OLD_PORT', names)).toBe(
    'port. Deprecated since 2027-02-01, works until 2028-02-01: use PORT.',
  );
  expect(addDeprecation('port', 'setting PORT', names)).toBe('port');
});

test('the help shows which commands and options are deprecated', () => {
  const program = new Command('keepwatch');
  program.command('old').description('Do it');
  const list = program.command('things').command('list');
  list.option('--label <name>', 'only these').option('--tag <tag>', 'only those');
  addExamples(program, names);
  const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
  expect(oneLine(program.helpInformation())).toContain('Do it. Deprecated since 2027-02-01');
  const help = oneLine(list.helpInformation());
  expect(help).toContain(
    'only these. Deprecated since 2027-02-01, works until 2028-02-01: use --tag.',
  );
  expect(help).toContain('only those -h');
});
