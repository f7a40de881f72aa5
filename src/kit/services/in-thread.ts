import { type ResourceLimits, Worker } from 'node:worker_threads'

type ThreadLimits = {
  /** Maximum time in milliseconds. */
  timeLimit: number
  resourceLimits: ResourceLimits
  /** The error to throw if it takes too long, needs too much memory, or fails. */
  timeoutError: () => Error
}

/**
 * Runs a module in a thread of its own, so that the main thread can serve other requests; it is terminated if it exceeds its time or
 * memory.
 * @param module a module that reads `workerData`, and posts one message
 * @returns that message
 */
export function runInThread<Result>(
  module: URL,
  workerData: unknown,
  { timeLimit, resourceLimits, timeoutError }: ThreadLimits,
): Promise<Result> {
  const thread = new Worker(module, { workerData, resourceLimits, stdout: true, stderr: true, env: {} })
  return new Promise<Result>((resolve, reject) => {
    const fail = () => reject(timeoutError())
    const timer = setTimeout(fail, timeLimit)
    thread.once('message', resolve).once('error', fail).once('exit', fail)
    thread.once('exit', () => clearTimeout(timer))
  }).finally(() => thread.terminate())
}
