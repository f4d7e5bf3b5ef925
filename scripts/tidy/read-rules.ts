import { type Architecture, architecturePath, readArchitecture, roomOf } from './architecture-tables.ts';
import { type Finding, finding, type ProjectFile, type Rule } from './project-files.ts';
import { findSql, isProgram, readTables, tablesOf, writtenTables } from './sql-tables.ts';

const inDocument = (line: number, message: string): Finding => ({ path: architecturePath, line, message });

/** By table, the room that writes it; a table that only triggers write has its owner in the document. */
function ownersOf(files: readonly ProjectFile[], architecture: Architecture): Map<string, string> {
  const tables = tablesOf(files);
  const owners = new Map([...architecture.owners].map(([table, { owner }]) => [table, owner]));
  for (const file of files.filter(isProgram)) {
    for (const { table } of writtenTables(file)) if (tables.has(table)) owners.set(table, roomOf(file.path));
  }
  return owners;
}

const mayReach = ({ mayImport }: Architecture, reader: string, owner: string): boolean => {
  const allowed = mayImport.get(reader);
  return allowed === 'everything' || (allowed?.includes(owner) ?? false);
};

/** A slice reads a table of another one only where docs/ARCHITECTURE.md says so. */
export const readersAreDeclared: Rule = (files) => {
  const architecture = readArchitecture(files);
  const tables = tablesOf(files);
  const owners = ownersOf(files, architecture);
  const declared = new Set(architecture.readings.map(({ reader, table }) => `${reader} ${table}`));
  return files.filter(isProgram).flatMap((file): Finding[] => {
    const room = roomOf(file.path);
    return readTables(file, tables).flatMap(({ table, position, reader }) => {
      const owner = owners.get(table);
      const at = (message: string) => [finding(file, position, message)];
      if (owner === undefined) {
        return at(`${reader} reads ${table}, which has no owner: name its owner in ${architecturePath}.`);
      }
      if (owner === room || declared.has(`${room} ${table}`)) return [];
      const what = `${reader} reads ${table}, a table of ${owner}, which does not offer it to ${room}`;
      return mayReach(architecture, room, owner)
        ? at(
            `${what}: ask ${owner} through its front door, or add ${room} to its row in ${architecturePath}.`,
          )
        : at(
            `${what}, and ${room} may not import ${owner}: let the caller pass in a statement of ${owner}, ` +
              `or add an exception with its reason to ${architecturePath}.`,
          );
    });
  });
};

/** What docs/ARCHITECTURE.md says of readers is so: each declared reading happens, along the arrows or with a reason. */
export const declaredReadingsHold: Rule = (files) => {
  const architecture = readArchitecture(files);
  const tables = tablesOf(files);
  if (tables.size === 0) return [];
  const written = ownersOf(files, { ...architecture, owners: new Map() });
  const read = new Set(
    files
      .filter(isProgram)
      .flatMap((file) => readTables(file, tables).map(({ table }) => `${roomOf(file.path)} ${table}`)),
  );
  const aboutTables = [...architecture.owners].flatMap(([table, { owner, line }]) => {
    if (!tables.has(table)) return [inDocument(line, `There is no table ${table}: take it out.`)];
    const writer = written.get(table) ?? owner;
    return writer === owner
      ? []
      : [inDocument(line, `${writer} writes ${table}, so ${writer} is its owner, not ${owner}.`)];
  });
  const seen = new Set<string>();
  const aboutReaders = architecture.readings.flatMap(({ table, owner, reader, line, reason }) => {
    const key = `${reader} ${table}`;
    const at = (message: string) => [inDocument(line, message)];
    if (seen.has(key)) return at(`That ${reader} reads ${table} is declared twice: keep one.`);
    seen.add(key);
    if (!read.has(key)) return at(`${reader} does not read ${table}: take it out.`);
    const isWithArrows = mayReach(architecture, reader, owner);
    if (reason === undefined && !isWithArrows) {
      return at(
        `${reader} reads ${table} of ${owner}, which it may not import: let the caller pass in a statement of ` +
          `${owner}, or make it an exception with its reason.`,
      );
    }
    if (reason !== undefined && isWithArrows) {
      return at(
        `${reader} may import ${owner}, so reading ${table} is no exception: move it to the offered tables.`,
      );
    }
    return reason === '' ? at(`Say why ${reader} reads ${table} against the arrows.`) : [];
  });
  return [...aboutTables, ...aboutReaders];
};

/** SQL stands in the slices that own what it is about, and in the rooms that know the database. */
export const sqlStandsInItsRooms: Rule = (files) => {
  const { withoutSql } = readArchitecture(files);
  return files
    .filter((file) => isProgram(file) && withoutSql.includes(roomOf(file.path)))
    .flatMap((file) => {
      const block = findSql(file);
      if (block === undefined) return [];
      const message = `${roomOf(file.path)} has no SQL: make it a statement of the slice that owns the table, and call that.`;
      return [finding(file, block.position, message)];
    });
};
