/** Tests the characters that are allowed in names: everything visible, and the joiners in letters and emoji. */
import { nameField } from '../../src/schemas/fields';

test.each(['Shop', '店', '👩‍💻 on call', 'می‌خواهم', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 London'])(
  '%j is accepted as a name',
  (name) => {
    expect(nameField.safeParse(name).success).toBe(true);
  },
);

test.each([
  ['changes the text direction', '\u202E'],
  ['isolates text', '\u2066'],
  ['marks a direction', '\u200F'],
  ['has no width', '\u200B'],
  ['is a soft hyphen', '\u00AD'],
  ['joins words', '\u2060'],
  ['is a byte order mark', '\uFEFF'],
  ['separates lines', '\u2028'],
  ['is a control character', '\u0085'],
])('a character that %s is refused inside a name', (_, character) => {
  const { error } = nameField.safeParse(`Shop${character}pohS`);
  expect(error?.issues[0]?.message).toMatch(/invisible/);
});
