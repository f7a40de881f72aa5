type HeartbeatOptions = {
  intervalMs: number
  /** When aborted, the heartbeat stops: hanging work must not look alive. */
  signal: AbortSignal
}

/** Runs work that may take long between two reports of progress, and sends heartbeats during it. A failed heartbeat is skipped. */
export async function withHeartbeat<T>(
  sendHeartbeat: () => Promise<unknown>,
  { intervalMs, signal }: HeartbeatOptions,
  work: () => Promise<T>,
): Promise<T> {
  let lastHeartbeat = Promise.resolve<unknown>(undefined)
  const timer = setInterval(() => {
    lastHeartbeat = lastHeartbeat.then(sendHeartbeat).catch(() => undefined)
  }, intervalMs)
  const stop = () => clearInterval(timer)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    return await work()
  } finally {
    stop()
    signal.removeEventListener('abort', stop)
    await lastHeartbeat
  }
}
