/** A horizontal meter. */

/** `value` from 0 to 1. */
export const Meter = ({ value, label }: { readonly value: number; readonly label: string }) => (
  <div
    className="meter"
    role="meter"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={Math.round(value * 100)}
  >
    <div style={{ width: `${Math.min(1, Math.max(0, value)) * 100}%` }} />
  </div>
);
