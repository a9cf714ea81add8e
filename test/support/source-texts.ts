/** The texts in a source file: literals, templates (values as {}) and text between tags; no imports. */
import { readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';

export function textsIn(file: string): readonly string[] {
  const module = parseSync(readFileSync(file, 'utf8'), {
    syntax: 'typescript',
    tsx: file.endsWith('x'),
  });
  return textsOf(module.body);
}

function textsOf(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(textsOf);
  if (typeof node !== 'object' || node === null) return [];
  const own = ownText(node);
  return [...own, ...Object.values(node).flatMap(textsOf)];
}

function ownText(node: object): readonly string[] {
  const type = 'type' in node ? node.type : null;
  if (type === 'ImportDeclaration') return [];
  if ((type === 'StringLiteral' || type === 'JSXText') && 'value' in node)
    return [String(node.value).trim().replaceAll(/\s+/g, ' ')];
  if (type !== 'TemplateLiteral' || !('quasis' in node) || !Array.isArray(node.quasis)) return [];
  return [node.quasis.map(({ raw }: { readonly raw: string }) => raw).join('{}')];
}
