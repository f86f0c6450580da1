/** Three bars with their taps: the sign of the console. */
export function BusbarLogo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" className="icon">
      <rect width="24" height="24" rx="5" fill="#3949ab" />
      <path d="M4 8h16M4 12h16M4 16h16" stroke="#fff" strokeWidth="1.6" strokeLinecap="round" />
      <circle cx="8" cy="8" r="1.9" fill="#ffd54f" />
      <circle cx="12" cy="12" r="1.9" fill="#ffd54f" />
      <circle cx="16" cy="16" r="1.9" fill="#ffd54f" />
    </svg>
  );
}
