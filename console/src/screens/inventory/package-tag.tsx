/** The label of a package by its end, where packages differ. The whole of it on hover. */
export function PackageTag({ label }: { label: string | null }) {
  if (label === null) return '–';
  return (
    <span className="numbers" title={label}>
      {label.length > 8 ? `…${label.slice(-7)}` : label}
    </span>
  );
}
