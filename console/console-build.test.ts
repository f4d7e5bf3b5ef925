import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtConsole } from './built-console.test-support.ts';

const firstLoadBytesMax = 260_000;

let folder: string;
let page: string;
beforeAll(async () => {
  folder = await builtConsole();
  page = readFileSync(join(folder, 'index.html'), 'utf8');
}, 120_000);

const assets = () => readdirSync(join(folder, 'assets'));
const bytesOf = (name: string): number => statSync(join(folder, 'assets', name)).size;
const sentBytes = (name: string): number => bytesOf(assets().includes(`${name}.br`) ? `${name}.br` : name);
/** The files that a file imports before it runs. */
const importsOf = (name: string): string[] =>
  name.endsWith('.js')
    ? [
        ...readFileSync(join(folder, 'assets', name), 'utf8').matchAll(
          /\b(?:from|import)\s*[`"']\.\/([\w.-]+)/g,
        ),
      ].map(([, it]) => it!)
    : [];

test('the first page with its first screen loads less than 260 kB, compressed', () => {
  const firstScreen = assets().filter((name) => /^orders-list-.*\.(js|css)$/.test(name));
  expect(firstScreen).toHaveLength(2);
  // The entry imports the application after the words; the page names it all the same.
  expect(page).toMatch(/modulepreload.*\/console-app-/);
  const loaded = new Set([...page.matchAll(/\/console\/assets\/([\w.-]+)/g)].map(([, name]) => name!));
  for (const name of firstScreen) loaded.add(name);
  // The loop also visits what is added to the set meanwhile.
  for (const name of loaded) for (const it of importsOf(name)) loaded.add(it);
  const bytes = [...loaded].reduce((sum, name) => sum + sentBytes(name), Buffer.byteLength(page));
  expect(bytes).toBeLessThan(firstLoadBytesMax);
});

test('the entry runs without the application, whose texts wait for the language', () => {
  const entry = /<script[^>]*\/console\/assets\/([\w.-]+)/.exec(page)![1]!;
  const before = new Set([entry]);
  for (const name of before) for (const it of importsOf(name)) before.add(it);
  const bytes = [...before].reduce((sum, name) => sum + sentBytes(name), 0);
  expect(bytes).toBeLessThan(5_000);
});

/** Class names of the library's components. */
const classesIn = (text: string): Set<string> => new Set(text.match(/\bm_[\da-f]{6,8}\b/g));

test('every library component in use has its styles', () => {
  const textOf = (ending: string) =>
    assets()
      .filter((name) => name.endsWith(ending))
      .map((name) => readFileSync(join(folder, 'assets', name), 'utf8'))
      .join('\n');
  const library = join(import.meta.dirname, '..', 'node_modules', '@mantine', 'core', 'styles');
  const styled = classesIn(textOf('.css'));
  const used = classesIn(textOf('.js'));
  const missing = readdirSync(library)
    .filter((name) => name.endsWith('.css') && !name.endsWith('.layer.css'))
    .filter((name) => {
      const classes = [...classesIn(readFileSync(join(library, name), 'utf8'))];
      return classes.some((it) => used.has(it)) && !classes.some((it) => styled.has(it));
    });
  // Missing ones belong in src/mantine-styles.css, at their place in the library's styles.css.
  expect(missing).toEqual([]);
});

test('the page has no inline script or style, and requests no other host', () => {
  expect(page).not.toMatch(/<style|\son\w+=|\sstyle=|<script(?![^>]*\ssrc=)/);
  expect([...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url)).toSatisfy((urls: string[]) =>
    urls.every((url) => url.startsWith('/console/assets/')),
  );
  const styles = assets().filter((name) => name.endsWith('.css'));
  for (const name of styles) {
    const text = readFileSync(join(folder, 'assets', name), 'utf8');
    expect(text).not.toMatch(/@import|url\(["']?(?:https?:)?\/\//);
  }
});

test('every text file of more than a packet is also there as .br and .gz', () => {
  for (const name of assets().filter((name) => /\.(js|css|svg)$/.test(name))) {
    const copies = assets().filter((it) => it === `${name}.br` || it === `${name}.gz`);
    expect([name, copies.length]).toEqual([name, bytesOf(name) < 1_000 ? 0 : 2]);
  }
});

test('no file names the folder in which it was made', () => {
  const sources = import.meta.dirname;
  const named = assets().filter((name) => readFileSync(join(folder, 'assets', name)).includes(sources));
  expect(named).toEqual([]);
});
