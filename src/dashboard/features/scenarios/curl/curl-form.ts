/**
 * Parses a part of a multipart form as curl writes it: `name=text`, `name=@file` or `name=<file`, optionally with a
 * type and a file name. Does not read the file.
 */

export interface FormPart {
  readonly name: string;
  /** The text of the part. Empty for a file. */
  readonly value: string;
  readonly isFile: boolean;
  readonly fileName: string;
  readonly contentType: string;
}

export interface ReadPart {
  readonly part: FormPart;
  /** Path of the file that curl would read. null if there is none. */
  readonly file: string | null;
}

/** Matches `;type=…`, `;filename=…` and the other settings that curl accepts. Other semicolons belong to the text. */
const SETTING = /;\s*(type|filename|headers|encoder)=("(?:[^"\\]|\\.)*"|[^;]*)/g;

/** Parses a part. null if the text has no name followed by `=`. */
export function readFormPart(text: string): ReadPart | null {
  const [, name = '', sign = '', rest = ''] = /^([^=]*)=([@<]?)([\s\S]*)$/.exec(text) ?? [];
  if (name === '') return null;
  const { content, settings } = readContent(rest);
  const contentType = settings.get('type') ?? '';
  const given = settings.get('filename') ?? '';
  const isFile = sign === '@';
  const fileName = given === '' && isFile ? (content.split(/[/\\]/).at(-1) ?? '') : given;
  const value = sign === '' ? content : '';
  return {
    part: { name, value, isFile, fileName, contentType },
    file: sign === '' ? null : content,
  };
}

/** Parses a part of `--form-string`, in which no character has a special meaning. */
export function readPlainPart(text: string): ReadPart | null {
  const at = text.indexOf('=');
  if (at < 1) return null;
  const plain = { isFile: false, fileName: '', contentType: '' };
  return { part: { name: text.slice(0, at), value: text.slice(at + 1), ...plain }, file: null };
}

function readContent(rest: string) {
  const [quoted = ''] = /^"(?:[^"\\]|\\.)*"/.exec(rest) ?? [];
  const remainder = rest.slice(quoted.length);
  const settings = new Map(
    [...remainder.matchAll(SETTING)].map(([, name = '', value = '']) => [
      name,
      unquoted(value.trim()),
    ]),
  );
  const begin = remainder.search(SETTING);
  const plain = begin === -1 ? remainder : remainder.slice(0, begin);
  return { content: quoted === '' ? plain : unquoted(quoted), settings };
}

function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : text;
}
