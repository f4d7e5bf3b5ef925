import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import { maskCode } from './mask-code.ts';

/** A file in the forms that rules need. Positions are the same in all of them. */
export interface ProjectFile {
  /** From the project's folder, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly byteCount: number;
  /** Without comments; a `.tsx` unchanged; empty if the file is not TypeScript. */
  readonly code: string;
  /** Without comments and contents of texts; empty if the file is not TypeScript. */
  readonly bareCode: string;
  readonly isTest: boolean;
}

export interface Finding {
  readonly path: string;
  readonly line: number;
  /** The violation and what to do instead. */
  readonly message: string;
}

export type Rule = (files: readonly ProjectFile[]) => Finding[];

/** Reads every file of the project except those in .gitignore: folders (`name/`), names, `*.ending`. */
export function readProject(root: string): ProjectFile[] {
  const ignored = new Set(['.git/', '.git', ...readFileSync(join(root, '.gitignore'), 'utf8').split('\n')]);
  const walk = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) return ignored.has(`${entry.name}/`) ? [] : walk(path);
      return entry.isFile() && !ignored.has(entry.name) && !ignored.has(`*${extname(entry.name)}`)
        ? [path]
        : [];
    });
  return walk('').map((path) =>
    projectFile(path, readFileSync(join(root, path), 'utf8'), statSync(join(root, path)).size),
  );
}

export function projectFile(path: string, text: string, byteCount = Buffer.byteLength(text)): ProjectFile {
  const isTypeScript = extname(path) === '.ts';
  // Apostrophes in the texts of pages would be read as strings, so rules that need code read pages unchanged.
  const isPage = extname(path) === '.tsx';
  return {
    path,
    text,
    byteCount,
    code: isTypeScript ? maskCode(text, { texts: false }) : isPage ? text : '',
    bareCode: isTypeScript ? maskCode(text, { texts: true }) : '',
    isTest: /\.(test|test-support)\.ts$|^test\/|^src\/platform\/http\/toy-server\.ts$/.test(path),
  };
}

export function finding(file: ProjectFile, position: number, message: string): Finding {
  return { path: file.path, line: file.text.slice(0, position).split('\n').length, message };
}

/** A finding for every match in the given text. */
export function findAll(
  file: ProjectFile,
  text: string,
  pattern: RegExp,
  messageOf: (match: RegExpExecArray) => string | undefined,
): Finding[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const message = messageOf(match);
    return message === undefined ? [] : [finding(file, match.index, message)];
  });
}
