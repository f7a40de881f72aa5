/**
 * Calls a function some time after a signal is aborted, unless the work that it would end is done by then.
 * @returns a function that stops this: call it when the work is done
 */
export function onAbort(signal: AbortSignal | undefined, graceMs: number, end: () => void): () => void {
  if (!signal) return () => {}
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    timer = setTimeout(end, graceMs)
  }
  if (signal.aborted) start()
  else signal.addEventListener('abort', start, { once: true })
  return () => {
    signal.removeEventListener('abort', start)
    clearTimeout(timer)
  }
}
