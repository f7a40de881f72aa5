type When = {
  /** Milliseconds. */
  every: number
  /** Called off, it gives no more signs: what hangs is not to look alive. */
  signal: AbortSignal
}

/** Does something that may be silent for long, and gives a sign that it goes on from time to time. A sign that fails is left out. */
export async function withHeartbeat<T>(
  sign: () => Promise<unknown>,
  { every, signal }: When,
  work: () => Promise<T>,
): Promise<T> {
  let giving = Promise.resolve<unknown>(undefined)
  const timer = setInterval(() => {
    giving = giving.then(sign).catch(() => undefined)
  }, every)
  const stop = () => clearInterval(timer)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    return await work()
  } finally {
    stop()
    signal.removeEventListener('abort', stop)
    await giving
  }
}
