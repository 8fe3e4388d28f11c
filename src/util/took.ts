const pad = (n: number): string => String(n).padStart(2, "0");

/** 1m 42s once it is over. */
export function took(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${pad(whole % 60)}s`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`;
}
