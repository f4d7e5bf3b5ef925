/** The label of a package, its middle left out: packages differ at the end. The whole of it on hover. */
export function PackageTag({ label }: { label: string | null }) {
  if (label === null) return '–';
  if (label.length <= 15) return <span className="numbers">{label}</span>;
  return (
    <span className="numbers" title={label}>
      {label.slice(0, 7)}…{label.slice(-7)}
    </span>
  );
}
