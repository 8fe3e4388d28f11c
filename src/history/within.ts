/** What a promise gives, or `late` when it takes longer. */
export function within<T>(ms: number, promise: Promise<T>, late: T): Promise<T>;
export function within<T, L>(
  ms: number,
  promise: Promise<T>,
  late: L,
): Promise<T | L>;
export async function within<T, L>(
  ms: number,
  promise: Promise<T>,
  late: L,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
