import { dataOf, type StaffPaths } from '../../api.ts';

type ReportPath = `/staff/v1/reports/${string}` & keyof StaffPaths;

type ReportAt<Path extends ReportPath> =
  StaffPaths[Path]['get']['responses'][200]['content']['application/json']['data'];

/** A report as data. The operation can also return a file, which is not requested here. Throws what the request throws. */
export async function reportOf<Path extends ReportPath>(
  reply: Promise<{ data?: unknown }>,
): Promise<ReportAt<Path>> {
  return dataOf(reply as Promise<{ data?: { data: ReportAt<Path> } }>);
}
