/** The end of a package label, where labels differ. The full label shows on hover. */
export function PackageTag({ label }: { label: string | null }) {
  if (label === null) return '–';
  return (
    <span className="numbers" title={label}>
      {label.length > 8 ? `…${label.slice(-7)}` : label}
    </span>
  );
}
