type HeartbeatOptions = {
  /** Milliseconds. */
  every: number
  /** When aborted, the heartbeat stops: hanging work must not look alive. */
  signal: AbortSignal
}

/** Runs work that may be silent for long, and sends a heartbeat from time to time. A failed heartbeat is skipped. */
export async function withHeartbeat<T>(
  sign: () => Promise<unknown>,
  { every, signal }: HeartbeatOptions,
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
