import { projectFolder } from '../src/kernel/project-folder.ts';
import { exceptionsNameFiles, exportedFunctionsAreDocumented, noBannedCode } from './tidy/code-rules.ts';
import {
  citedDecisionsExist,
  errorsPageNamesEveryCode,
  linksResolve,
  mentionedDocumentsExist,
  usersReadNoDecisionNumbers,
} from './tidy/document-rules.ts';
import {
  fileNamesAreKebabCaseAndUnique,
  fileNamesSaySomething,
  filesAreSmall,
  noVendorNames,
  textsSpeakOfTheProduct,
} from './tidy/file-rules.ts';
import { functionsAreShort } from './tidy/function-rules.ts';
import {
  arrowsHaveNoCycles,
  frontDoorsAreNarrow,
  importsFollowTheTable,
  layersGoDown,
  noImportCycles,
} from './tidy/import-rules.ts';
import { migrationsKeepTheFormerRelease, migrationsLockShortly } from './tidy/migration-rules.ts';
import { platformKnowsNoBusiness } from './tidy/platform-rules.ts';
import { type Rule, readProject } from './tidy/project-files.ts';
import { proseIsPlain } from './tidy/prose-rules.ts';
import { declaredReadingsHold, readersAreDeclared, sqlStandsInItsRooms } from './tidy/read-rules.ts';
import {
  sqlIsMadeAtModuleLevel,
  statementsBindTheOrganization,
  tablesHaveOneWriter,
} from './tidy/sql-rules.ts';

/* Checks the rules of docs/ARCHITECTURE.md. Prints every violation with what to do instead. */

const rules: readonly Rule[] = [
  layersGoDown,
  platformKnowsNoBusiness,
  frontDoorsAreNarrow,
  importsFollowTheTable,
  noImportCycles,
  arrowsHaveNoCycles,
  tablesHaveOneWriter,
  readersAreDeclared,
  declaredReadingsHold,
  sqlStandsInItsRooms,
  statementsBindTheOrganization,
  migrationsKeepTheFormerRelease,
  migrationsLockShortly,
  sqlIsMadeAtModuleLevel,
  noBannedCode,
  exceptionsNameFiles,
  exportedFunctionsAreDocumented,
  fileNamesAreKebabCaseAndUnique,
  fileNamesSaySomething,
  filesAreSmall,
  functionsAreShort,
  noVendorNames,
  textsSpeakOfTheProduct,
  proseIsPlain,
  linksResolve,
  mentionedDocumentsExist,
  errorsPageNamesEveryCode,
  citedDecisionsExist,
  usersReadNoDecisionNumbers,
];

const files = readProject(projectFolder());
const findings = rules.flatMap((rule) => rule(files));
for (const { path, line, message } of findings) console.error(`${path}:${line} ${message}`);
if (findings.length > 0) process.exitCode = 1;
else console.log(`${files.length} files keep ${rules.length} rules.`);
