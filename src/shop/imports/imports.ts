/**
 * Front door of imports: reads a shop's menu in the shapes of other systems. Its files are one module for the operator's
 * command and the service. Owns the imports that staff upload, with their files, what they did and what they refused. The
 * rules of products are those of the catalog, which writes them; an import knows nothing of stock and orders, except whether
 * something that it made was sold.
 */
export type { ColumnMapping, RowProblem } from './column-mapping.ts';
export { isPresetName, readMapping } from './column-mapping.ts';
export { usualRules } from './export-profiles.ts';
export { type SourceFile, textOf } from './file-text.ts';
export { type Guess, guessMapping } from './guess-mapping.ts';
export { formatOf, readRecords } from './import-file.ts';
export { type ImportItem, problemsOf, readItems, warningsOf } from './import-items.ts';
export type { ImportFields, ImportKind } from './import-kind.ts';
export { type ColumnDoubt, inspectMenu, type MenuInspection, type ShownProduct } from './inspect-menu.ts';
export { KeyTable } from './key-table.ts';
export { mappingOfView, mappingSchemas, mappingView, rulesView } from './mapping-view.ts';
export { menuImporting } from './menu-import-job.ts';
export {
  deleteFormerImportChanges,
  deleteOldImportFiles,
  selectFailedImports,
} from './menu-import-queries.ts';
export { SilentRuns, startEndingSilentRuns } from './menu-import-watch.ts';
export { MenuFileReader } from './menu-reader.ts';
export { parseItem } from './parse-item.ts';
export { type PresetName, presetNames } from './preset-names.ts';
export { productImport } from './product-import.ts';
export type { SentMapping } from './sent-mapping.ts';
export { UnreadableFile } from './unreadable-file.ts';
export { checkMapping, storable } from './upload-menu.ts';
export { uploadedFile } from './uploaded-file.ts';
